import type { ChainId } from '@openrfq/sdk'
import type { IntentOrder } from '../../../core/intent-order.ts'
import type { Log } from '../../../lib/log.ts'
import type { PayoutOutbox } from '../../../transactions/payout-outbox.ts'
import type { TransactionOutbox } from '../../../transactions/transaction-outbox.ts'
import { refundInstruction } from '../../settlers/escrow-program.ts'
import { fillCall, refundCall, type SettlerCall } from '../../settlers/settler-contract.ts'
import type { Settlement } from '../config.ts'
import { FILL_GAS } from '../fill-trials.ts'
import { orderKeys } from '../order-keys.ts'
import { createSubmitter } from '../submitter.ts'
import type { TransactionStates } from '../transaction-states.ts'
import type { PendingOrder } from './pending-orders.ts'
import { type AttestedSides, escrowOn } from './sides.ts'

type Ordered = Pick<PendingOrder, 'orderId' | 'order'>

/** The transactions of attested orders, each signed at most once; none of these rejects. */
export type AttestedPayments = {
  /**
   * Pays the recipient: through the settler on an EVM chain, with the gas limit of its trial, directly on a payment chain,
   * with the order's id attached.
   */
  readonly fill: (entry: Ordered, gasLimit: bigint) => Promise<void>
  /** Sends a fill on an EVM chain after its deadline, which reverts there. */
  readonly attemptLate: (entry: Ordered) => Promise<void>
  /** Sends a fill on an EVM chain with a wrong value, which reverts there. */
  readonly attemptShort: (entry: Ordered) => Promise<void>
  /** Declines an order deposited on an EVM chain, which refunds it, with the gas limit of its trial. */
  readonly decline: (entry: Ordered, gasLimit: bigint) => Promise<void>
  /** Has the escrow program refund a declined order; without effect where a vault has the deposit. May be repeated. */
  readonly refund: (entry: Ordered) => Promise<void>
}

export type PaymentDeps = {
  readonly sides: AttestedSides
  readonly outboxes: ReadonlyMap<ChainId, TransactionOutbox>
  readonly payouts: ReadonlyMap<ChainId, PayoutOutbox>
  readonly states: Pick<TransactionStates, 'note'>
  readonly settlement: Pick<Settlement, 'fillMarginSeconds'>
  readonly log: Log
}

/** Opening the depositor's token account and searching addresses included. */
const REFUND_UNITS = 200_000

/** A call whose value is one less than required, or one more for a token: the settler rejects both. */
const shortCall = (order: IntentOrder): SettlerCall => {
  const { data, value } = fillCall(order)
  return { data, value: value > 0n ? value - 1n : 1n }
}

/** Signs through the outboxes of both kinds. */
export const createAttestedPayments = (deps: PaymentDeps): AttestedPayments => {
  const { sides, outboxes, payouts, settlement, log } = deps
  const submit = createSubmitter(deps)

  /** A call to the settler of the side; the gas limit is what the settler may use. */
  const call = (chainId: ChainId, key: string, part: SettlerCall & { readonly gasLimit: bigint }) =>
    submit({
      chainId,
      key,
      submit: () => {
        const to = sides.get(chainId)?.settler
        return to === undefined ? undefined : outboxes.get(chainId)?.submit({ key, to, ...part })
      },
    })

  const fillThroughSettler = (
    { order }: Ordered,
    key: string,
    part: SettlerCall,
    gasLimit = FILL_GAS,
  ): Promise<void> => call(order.destinationChain, key, { ...part, gasLimit })

  const pay = ({ orderId, order }: Ordered, key: string): Promise<void> =>
    submit({
      chainId: order.destinationChain,
      key,
      submit: () =>
        payouts.get(order.destinationChain)?.submit({
          key,
          recipient: order.recipient,
          token: order.outputToken,
          amount: order.outputAmount,
          memo: orderId,
          notAfterSeconds: order.fillDeadline - settlement.fillMarginSeconds,
        }),
    })

  return {
    fill: (entry, gasLimit) => {
      const { fill } = orderKeys(entry.orderId)
      return sides.get(entry.order.destinationChain)?.kind === 'payment'
        ? pay(entry, fill)
        : fillThroughSettler(entry, fill, fillCall(entry.order), gasLimit)
    },
    attemptLate: (entry) => fillThroughSettler(entry, orderKeys(entry.orderId).late, fillCall(entry.order)),
    attemptShort: (entry) =>
      fillThroughSettler(entry, orderKeys(entry.orderId).short, shortCall(entry.order)),
    refund: async ({ orderId, order }) => {
      const side = escrowOn(sides, order.originChain)
      const escrow = side?.escrowOf(order)
      if (side === undefined || escrow === undefined) return
      try {
        const instructions = [refundInstruction(escrow, { kind: 'solver' })]
        await side.sender.send({ key: `refund:${orderId}`, unitLimit: REFUND_UNITS, instructions })
      } catch (error) {
        log('warn', 'refund_not_sent', { chainId: order.originChain, orderId, error })
      }
    },
    decline: ({ orderId, order }, gasLimit) =>
      call(order.originChain, orderKeys(orderId).decline, { ...refundCall(order), gasLimit }),
  }
}
