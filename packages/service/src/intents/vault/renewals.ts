import { createLru } from '../../lib/lru.ts'
import type { StoredPayout } from '../../store/store.ts'
import type { Fact, FactCheck } from '../../transactions/fact-check.ts'
import type { VaultGuard } from './vault-guard.ts'

/** Decides whether the vault may sign an open payout again. */
export type Renewals = {
  /** Notes the facts that the open payout with this key rests on. */
  readonly note: (key: string, factsOf: () => Promise<readonly Fact[]>) => void
  /**
   * Whether the guard allows the payout and no endpoint denies its facts; false until its facts are noted. Rejects if the
   * store or a chain cannot be read.
   */
  readonly allow: (payout: Pick<StoredPayout, 'key' | 'token'>) => Promise<boolean>
}

type Deps = { readonly guard: VaultGuard; readonly factCheck: Pick<FactCheck, 'allows'> }

const REMEMBERED = 10_000

/** Creates the renewals of one vault; no facts are noted. */
export const createRenewals = ({ guard, factCheck }: Deps): Renewals => {
  const noted = createLru<string, () => Promise<readonly Fact[]>>(REMEMBERED)
  return {
    note: noted.set,
    allow: async ({ key, token }) => {
      const factsOf = noted.get(key)
      if (factsOf === undefined) return false
      // The payout is open, so the guard counts its amount already.
      return (await guard.allows({ token, amount: 0n })) && factCheck.allows(key, await factsOf())
    },
  }
}
