import type { ChainId } from '@openrfq/sdk'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import { accountBehind } from '../../chains/stellar/muxed-account.ts'
import type { IntentOrder } from '../../core/intent-order.ts'
import type { Payment } from '../../core/payment.ts'
import { type OpenedOrder, whyNoFill } from './fill-check.ts'

/** A solver's statement that a transaction on the destination filled an attested order. */
export type FillClaim = {
  readonly order: IntentOrder
  /** The transaction's hash as its chain writes it. */
  readonly transaction: string
}

/** The chains on which fills are payments. */
export type FillChains = ReadonlyMap<ChainId, Pick<PaymentChain, 'paymentsIn'>>

/**
 * The payment in the named transaction that filled the order, as a quorum of endpoints gives it, or why there is none. Only this
 * transaction is read. Throws RpcError NODE_BEHIND while it is not final.
 */
export const findPaymentFill = async (
  chains: FillChains,
  known: OpenedOrder,
  txHash: string,
): Promise<{ readonly payment: Payment } | { readonly why: string }> => {
  const { order } = known
  const chain = chains.get(order.destinationChain)
  if (chain === undefined) return { why: `${order.destinationChain} is not read` }
  const to = accountBehind(order.recipient)?.account ?? order.recipient
  const payments = await chain.paymentsIn({ txHash, from: order.filler, to })
  const judged = payments.map((payment) => ({ payment, why: whyNoFill(known, payment) }))
  const fill = judged.find(({ why }) => why === undefined)
  if (fill !== undefined) return { payment: fill.payment }
  return { why: `no fill in transaction ${txHash}: ${judged[0]?.why ?? 'no payment of the filler'}` }
}
