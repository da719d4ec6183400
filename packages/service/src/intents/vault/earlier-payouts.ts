import type { ChainId } from '@openrfq/sdk'
import type { PaymentChain, SigningMark, SigningMarks } from '../../chains/payment-chain.ts'
import { OrderId } from '../../core/intent-order.ts'
import type { Payout } from '../../core/payout.ts'
import type { Store, StoredPayment } from '../../store/store.ts'
import { createUnexplainedPayouts } from './unexplained-payouts.ts'

/**
 * The payouts that a vault may have signed before this process started and that the store does not contain, because it
 * is a copy or a replica that lagged.
 */
export type EarlierPayouts = {
  /** Reads the chain until all of them are known; rejects if it cannot be read. */
  readonly refresh: () => Promise<void>
  /** Whether the chain is read past the last block that could include one of them. */
  readonly areKnown: () => boolean
  /** Whether that holds for the payouts that a deposit in this block leads to: a newer deposit has none. */
  readonly areKnownFor: (depositBlock: bigint) => boolean
  /**
   * A payout in the token, since a deposit in this block, that no stored deposit explains: it may have been made for that
   * deposit under an order that the store does not contain. None for a deposit since this process started.
   */
  readonly findUnexplained: (token: string, depositBlock: bigint) => Promise<StoredPayment | undefined>
  /** The vault's final payment with the payout's memo, if there is one; unconfirmed, it may have been made up. */
  readonly find: (payout: Pick<Payout, 'memo'>) => Promise<StoredPayment | undefined>
}

type Deps = {
  readonly chain: Pick<PaymentChain, 'chainId'>
  readonly signingMarks: SigningMarks
  readonly vault: string
  readonly store: Pick<Store, 'findPayment' | 'findPayments' | 'listPayments'>
  /** Like `PaymentIndex.finalNumber`. */
  readonly finalNumber: (chainId: ChainId) => bigint | undefined
}

/** Creates the earlier payouts of one vault: none is known before the first refresh. */
export const createEarlierPayouts = (deps: Deps): EarlierPayouts => {
  const { chain, signingMarks, vault, store, finalNumber } = deps
  const { chainId } = chain
  const findUnexplained = createUnexplainedPayouts({ chainId, vault, store })
  let mark: SigningMark | undefined
  let end: bigint | undefined
  const areKnown = (): boolean => end !== undefined && (finalNumber(chainId) ?? 0n) >= end
  const isNewer = (block: bigint): boolean => mark !== undefined && block > mark.head
  return {
    refresh: async () => {
      mark ??= await signingMarks.readMark()
      // An end is read anew until it is reached: one endpoint may have made it too late.
      if (!areKnown()) end = await signingMarks.endOf(mark)
    },
    areKnown,
    areKnownFor: (depositBlock) => areKnown() || isNewer(depositBlock),
    findUnexplained: async (token, depositBlock) =>
      isNewer(depositBlock) ? undefined : findUnexplained(token, depositBlock),
    find: async ({ memo }) => {
      const stored = await store.findPayments(OrderId.parse(memo))
      return stored.find((one) => one.chainId === chainId && one.role === 'payout')
    },
  }
}
