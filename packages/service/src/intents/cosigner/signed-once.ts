import type { Instant } from '../../core/instant.ts'
import { createMutex } from '../../lib/mutex.ts'
import type { CosignedPayout } from '../../store/store.ts'
import type { Debt } from './debt.ts'
import { depositKey } from './deposits.ts'
import type { CosignerDeps, VaultToSign } from './vault-to-sign.ts'
import { type Objection, refused, waiting } from './verdict.ts'

type Deps = Pick<CosignerDeps, 'store' | 'now'>

/** A payment that failed on chain cost a fee: the next one waits. */
const AFTER_FAILURE_MS = 60_000

/** Why a debt's earlier transaction does not let another one be signed. */
const whyNotAgain = async (
  { chain }: VaultToSign,
  earlier: CosignedPayout,
  now: Instant,
): Promise<Objection | undefined> => {
  const outcome = await chain.outcome(earlier)
  if (outcome === 'succeeded') return refused(`it is paid by ${earlier.txHash}`)
  if (outcome === 'pending') return waiting(`${earlier.txHash} may still pay it`)
  if (outcome === 'failed' && now - earlier.signedAt < AFTER_FAILURE_MS)
    return waiting(`${earlier.txHash} failed a moment ago`)
  return undefined
}

/**
 * Keeps what is signed: of each debt one transaction that may land, and of each deposit no more than its amount. Stored before
 * a signature is made.
 */
export const createSignedOnce = ({ store, now }: Deps) => {
  const inTurn = createMutex()

  const whyUsed = async ({ name, uses }: Debt): Promise<Objection | undefined> => {
    for (const { deposit, amount } of uses) {
      const others = (await store.listDepositUses(depositKey(deposit))).filter(
        ({ obligation }) => obligation !== name,
      )
      const used = others.reduce((sum, other) => sum + other.amount, 0n)
      if (used + amount > deposit.amount) return refused(`the deposit ${depositKey(deposit)} is used`)
    }
    return undefined
  }
  const write = async (debt: Debt, payout: CosignedPayout, replaced: string | undefined) => {
    for (const { deposit, amount } of debt.uses)
      await store.useDeposit(depositKey(deposit), { obligation: debt.name, amount })
    return store.saveCosigned(debt.name, payout, replaced)
  }
  const whyEarlier = async (vault: VaultToSign, earlier: CosignedPayout | undefined) =>
    earlier === undefined ? undefined : whyNotAgain(vault, earlier, now())
  return {
    /** Why a transaction of a debt must not be signed now; undefined if it may. Rejects if the chain cannot be read. */
    whyNot: async (vault: VaultToSign, debt: Debt): Promise<Objection | undefined> =>
      (await whyEarlier(vault, await store.findCosigned(debt.name))) ?? whyUsed(debt),
    /** Whether this very transaction is stored for the debt. */
    isSigned: async (name: string, txHash: string): Promise<boolean> =>
      (await store.findCosigned(name))?.txHash === txHash,
    /** Stores the transaction of a debt; why it must not be signed, or undefined. Rejects if the chain cannot be read. */
    add: async (
      vault: VaultToSign,
      debt: Debt,
      { txHash, rawTransaction }: Pick<CosignedPayout, 'txHash' | 'rawTransaction'>,
    ): Promise<Objection | undefined> => {
      const earlier = await store.findCosigned(debt.name)
      const why = await whyEarlier(vault, earlier)
      if (why !== undefined) return why
      return inTurn(async () => {
        // The service may ask twice for one transaction.
        if ((await store.findCosigned(debt.name))?.txHash === txHash) return undefined
        const used = await whyUsed(debt)
        if (used !== undefined) return used
        const isStored = await write(debt, { txHash, rawTransaction, signedAt: now() }, earlier?.txHash)
        return isStored ? undefined : waiting('another transaction is being signed')
      })
    },
  }
}
