import type { MadeBalance } from '../../chains/payment-chain.ts'
import type { IntentOrder } from '../../core/intent-order.ts'
import type { Payment } from '../../core/payment.ts'
import { createLru } from '../../lib/lru.ts'
import { mapAtMost } from '../../lib/map-at-most.ts'
import { balancesOfOrder } from '../vault/balance-deposit.ts'
import type { DepositPlace } from '../vault/payout-request.ts'
import type { VaultToSign } from './vault-to-sign.ts'

const AT_ONCE = 8
const REMEMBERED = 20_000

/** The name of a deposit in the co-signer's books. */
export const depositKey = ({ chainId, txHash, position }: Payment): string =>
  `${chainId}:${txHash}:${position}`

/**
 * Reads the deposits in named transactions, each final and agreed by a quorum; those that were read are kept. Rejects for a
 * transaction that a quorum does not know.
 */
export const createDepositReader = () => {
  const paidIn = createLru<string, readonly Payment[]>(REMEMBERED)
  /** All balances of a transaction that the vault may claim: which of them are an order's is judged at each request. */
  const lockedIn = createLru<string, readonly MadeBalance[]>(REMEMBERED)

  const readPaid = async (
    { chain, vault, treasury }: VaultToSign,
    { txHash, from }: DepositPlace,
  ): Promise<readonly Payment[]> => {
    const key = `${chain.chainId} ${txHash} ${from}`
    const known = paidIn.get(key)
    if (known !== undefined) return known
    const found = await chain.paymentsIn({ txHash, from, to: vault })
    const deposits = found.filter(
      (one) => one.from === from && one.to === vault && from !== vault && !treasury.includes(from),
    )
    paidIn.set(key, deposits)
    return deposits
  }
  const readLocked = async (
    { chain: { chainId, balancesToClaim }, vault }: VaultToSign,
    txHash: string,
  ): Promise<readonly MadeBalance[]> => {
    if (balancesToClaim === undefined) return []
    const key = `${chainId} ${txHash}`
    const known = lockedIn.get(key)
    if (known !== undefined) return known
    const made = await balancesToClaim.madeIn(txHash)
    const locked = made.filter(({ claimants }) => claimants.some(({ account }) => account === vault))
    lockedIn.set(key, locked)
    return locked
  }
  return {
    /** The payments of an account into the vault in a transaction. */
    paid: readPaid,
    /** The deposits of an order: payments that carry its muxed id, and balances that such a payment announces. */
    ofOrder: async (
      vault: VaultToSign,
      places: readonly DepositPlace[],
      { order, muxedId }: { readonly order: IntentOrder; readonly muxedId: bigint },
    ): Promise<readonly Payment[]> => {
      const found = await mapAtMost(AT_ONCE, places, async (place) => {
        const paid = (await readPaid(vault, place)).filter((one) => one.muxedId === muxedId)
        const announces = paid.some(
          (one) => one.from === order.depositor && vault.chain.balancesToClaim?.isAnnouncement(one) === true,
        )
        return announces ? [...paid, ...balancesOfOrder(order, await readLocked(vault, place.txHash))] : paid
      })
      return [...new Map(found.flat().map((one) => [depositKey(one), one])).values()]
    },
  }
}

export type DepositReader = ReturnType<typeof createDepositReader>
