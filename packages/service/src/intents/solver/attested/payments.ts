import type { ChainId } from '@openrfq/sdk'
import type { IntentOrder, OrderId } from '../../../core/intent-order.ts'
import type { Log } from '../../../lib/log.ts'
import type { StoredPayout, StoredTransaction } from '../../../store/store.ts'
import type { PayoutOutbox } from '../../../transactions/payout-outbox.ts'
import type { TransactionOutbox } from '../../../transactions/transaction-outbox.ts'
import { declineCall, fillCall, type SettlerCall } from '../../settlers/settler-contract.ts'
import type { Settlement } from '../config.ts'
import { DECLINE_GAS, FILL_GAS } from '../filler.ts'
import { orderKeys } from '../order-keys.ts'
import type { TransactionStates } from '../transaction-states.ts'
import type { PendingOrder } from './pending-orders.ts'
import type { AttestedSides } from './sides.ts'

type Ordered = Pick<PendingOrder, 'orderId' | 'order'>

/** The transactions of attested orders, each signed at most once; none of these rejects. */
export type AttestedPayments = {
  /**
   * Pays the recipient: through the settler on an EVM chain, directly on a payment chain, with the order's id attached.
   */
  readonly fill: (entry: Ordered) => Promise<void>
  /** Sends a fill on an EVM chain after its deadline, which reverts there. */
  readonly attemptLate: (entry: Ordered) => Promise<void>
  /** Sends a fill on an EVM chain with a wrong value, which reverts there. */
  readonly attemptShort: (entry: Ordered) => Promise<void>
  /** Declines an order deposited on an EVM chain, which refunds it. */
  readonly decline: (entry: Ordered) => Promise<void>
}

export type PaymentDeps = {
  readonly sides: AttestedSides
  readonly outboxes: ReadonlyMap<ChainId, TransactionOutbox>
  readonly payouts: ReadonlyMap<ChainId, PayoutOutbox>
  readonly states: Pick<TransactionStates, 'note'>
  readonly settlement: Pick<Settlement, 'fillMarginSeconds'>
  readonly log: Log
}

/** A call whose value is one less than required, or one more for a token: the settler rejects both. */
const shortCall = (order: IntentOrder): SettlerCall => {
  const { data, value } = fillCall(order)
  return { data, value: value > 0n ? value - 1n : 1n }
}

/** Signs through the outboxes of both kinds. */
export const createAttestedPayments = (deps: PaymentDeps): AttestedPayments => {
  const { sides, outboxes, payouts, states, settlement, log } = deps

  const submit = async (
    chainId: ChainId,
    key: string,
    sign: (key: string) => Promise<StoredTransaction | StoredPayout> | undefined,
  ): Promise<void> => {
    // Counted immediately: what is signed for one order is unavailable for the next.
    states.note({ key, outcome: 'open' })
    try {
      const entry = await sign(key)
      if (entry === undefined) throw new Error(`no account on ${chainId}`)
      states.note(entry)
      log('info', 'transaction signed', { key, chainId, txHash: entry.txHash })
    } catch (error) {
      // The store knows whether it was signed; the next round looks it up.
      log('warn', 'submitting a transaction failed', { key, chainId, error })
    }
  }

  const call = (chainId: ChainId, key: string, part: SettlerCall, gasLimit: bigint): Promise<void> =>
    submit(chainId, key, () => {
      const to = sides.get(chainId)?.settler
      return to === undefined ? undefined : outboxes.get(chainId)?.submit({ key, to, ...part, gasLimit })
    })

  const pay = (orderId: OrderId, order: IntentOrder): Promise<void> =>
    submit(order.destinationChain, orderKeys(orderId).fill, (key) =>
      payouts.get(order.destinationChain)?.submit({
        key,
        recipient: order.recipient,
        token: order.outputToken,
        amount: order.outputAmount,
        memo: orderId,
        notAfterSeconds: order.fillDeadline - settlement.fillMarginSeconds,
      }),
    )

  return {
    fill: ({ orderId, order }) =>
      sides.get(order.destinationChain)?.kind === 'payment'
        ? pay(orderId, order)
        : call(order.destinationChain, orderKeys(orderId).fill, fillCall(order), FILL_GAS),
    attemptLate: ({ orderId, order }) =>
      call(order.destinationChain, orderKeys(orderId).late, fillCall(order), FILL_GAS),
    attemptShort: ({ orderId, order }) =>
      call(order.destinationChain, orderKeys(orderId).short, shortCall(order), FILL_GAS),
    decline: ({ orderId, order }) =>
      call(order.originChain, orderKeys(orderId).decline, declineCall(order), DECLINE_GAS),
  }
}
