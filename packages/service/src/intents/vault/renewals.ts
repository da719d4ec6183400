import type { PaymentChain } from '../../chains/payment-chain.ts'
import type { Instant } from '../../core/instant.ts'
import { createLru } from '../../lib/lru.ts'
import type { Fact, FactCheck } from '../../transactions/fact-check.ts'
import type { DecideRenewal } from '../../transactions/payout-monitor.ts'
import type { VaultGuard } from './vault-guard.ts'
import type { VaultSigning } from './vault-signing.ts'

/** Decides whether the vault signs an open payout again. */
export type Renewals = {
  /** Notes the facts that the open payout with this key rests on. */
  readonly note: (key: string, factsOf: () => Promise<readonly Fact[]>) => void
  /**
   * Signs again what the guard allows, can be received, no endpoint denies and the co-signer finds owed. Drops what cannot be
   * received or the co-signer refuses, and what is denied or not owed yet for minutes; waits until the facts are noted and
   * while the co-signer is silent. Rejects if the store or a chain cannot be read.
   */
  readonly decide: DecideRenewal
}

type Deps = {
  readonly chain: Pick<PaymentChain, 'agreedWhyNotPayable'>
  readonly guard: Pick<VaultGuard, 'allows'>
  readonly factCheck: Pick<FactCheck, 'allows'>
  /** Absent on a chain whose vault has one key. */
  readonly signing?: Pick<VaultSigning, 'examineAgain' | 'stopWaiting'>
  readonly now: () => Instant
}

const REMEMBERED = 10_000
/** Endpoints differ for a moment about what landed; a payout that waits longer after it was signed lets others pass. */
const PATIENCE_MS = 180_000

/** Creates the renewals of one vault; no facts are noted. */
export const createRenewals = ({ chain, guard, factCheck, signing, now }: Deps): Renewals => {
  const noted = createLru<string, () => Promise<readonly Fact[]>>(REMEMBERED)

  const decide: DecideRenewal = async ({ key, recipient, token, amount, signedAt }) => {
    if ((await chain.agreedWhyNotPayable(recipient, token, amount)) !== undefined) return 'drop'
    const factsOf = noted.get(key)
    // The payout is open, so the guard counts its amount already.
    if (factsOf === undefined || !(await guard.allows({ token, amount: 0n }))) return 'wait'
    const later = now() - signedAt < PATIENCE_MS ? 'wait' : 'drop'
    if (!(await factCheck.allows(key, await factsOf()))) return later
    if (signing === undefined) return 'sign'
    const found = await signing.examineAgain({ key, signedAt })
    if (found === 'owed') return 'sign'
    if (found === 'refused') return 'drop'
    return found === 'silent' ? 'wait' : later
  }

  return {
    note: noted.set,
    decide: async (payout) => {
      const renewal = await decide(payout)
      if (renewal === 'drop') signing?.stopWaiting(payout.key)
      return renewal
    },
  }
}
