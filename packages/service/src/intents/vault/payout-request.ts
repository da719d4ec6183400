import { ChainId } from '@openrfq/sdk'
import { z } from 'zod'
import { UnsignedAmount } from '../../core/amount.ts'
import { IntentOrder, OrderId } from '../../core/intent-order.ts'

const Text = z.string().min(1).max(128)
const Signature = z.string().regex(/^[A-Za-z0-9+/]{86}==$/, 'expected 64 bytes in base64')

/** A transaction and the account that deposited in it. */
const DepositPlace = z.strictObject({ txHash: Text, from: Text })
export type DepositPlace = z.infer<typeof DepositPlace>

/** So many places fit into a request. */
const MOST_DEPOSITS = 800

/** Where a signer finds why a payout is owed: its word counts for nothing. */
const PayoutEvidence = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('order'),
    order: IntentOrder,
    deposits: z.array(DepositPlace).min(1).max(MOST_DEPOSITS),
    /** The transaction that filled the order; for a release. */
    fill: Text.optional(),
  }),
  z.strictObject({
    kind: z.literal('unmatched'),
    deposit: DepositPlace.extend({ position: z.int().min(0) }),
    /** What is kept of it for the cost of its return, in base units. */
    kept: UnsignedAmount,
  }),
])
export type PayoutEvidence = z.infer<typeof PayoutEvidence>

const UnsignedDebt = z.strictObject({
  chainId: ChainId,
  /** The key of what is owed: `release:…`, `refund:…` or `return:…`. */
  key: z.string().min(1).max(400),
  evidence: PayoutEvidence,
  /** When the service signed the request, by its clock; in milliseconds. */
  signedAt: z.int().min(0),
})
const UnsignedPayout = UnsignedDebt.extend({
  /** The payout as `PaymentChain.broadcast` takes it. */
  rawTransaction: z.string().min(1).max(16_384),
})

/** What the service asks its co-signer to sign: `POST /v1/vault-payouts`, JSON. */
export const PayoutRequest = UnsignedPayout.extend({
  /**
   * The service's key's signature (Ed25519) of `payoutText`, in base64. The one in the transaction does not count as a login:
   * the ledger shows those of all past payouts.
   */
  signature: Signature,
})
export type PayoutRequest = z.infer<typeof PayoutRequest>

/** Whether something is owed, which the service asks before it decides on a payout: `POST /v1/vault-debts`, JSON. */
export const DebtRequest = UnsignedDebt.extend({
  /** The service's key's signature (Ed25519) of `debtText`, in base64. */
  signature: Signature,
})
export type DebtRequest = z.infer<typeof DebtRequest>

/** The text that the service signs to ask for a signature: all of the request, with its fields in the schema's order. */
export const payoutText = (request: z.infer<typeof UnsignedPayout>): string => {
  const { chainId, key, evidence, signedAt, rawTransaction } = request
  const unsigned = UnsignedPayout.encode({ chainId, key, evidence, signedAt, rawTransaction })
  return `OpenRFQ payout\n${JSON.stringify(unsigned)}`
}

/** The text that the service signs to ask about something owed: all of the request, with its fields in the schema's order. */
export const debtText = (request: z.infer<typeof UnsignedDebt>): string => {
  const { chainId, key, evidence, signedAt } = request
  return `OpenRFQ debt\n${JSON.stringify(UnsignedDebt.encode({ chainId, key, evidence, signedAt }))}`
}

/** What the co-signer answers: that it would sign, its signature, why to ask again later, or why never to. */
export const PayoutAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('owed') }),
  z.object({ kind: z.literal('signed'), signature: Signature }),
  z.object({ kind: z.literal('waiting'), reason: z.string() }),
  z.object({ kind: z.literal('refused'), reason: z.string() }),
])
export type PayoutAnswer = z.infer<typeof PayoutAnswer>

/** So many orders are named in one request. */
export const MOST_NAMED = 200

/** The orders of new quotes, which the service names before they are deposited: `POST /v1/vault-orders`, JSON. */
export const NamedOrders = z.strictObject({
  chainId: ChainId,
  orders: z
    .array(z.strictObject({ muxedId: z.string().regex(/^[0-9]{1,20}$/), orderId: OrderId }))
    .max(MOST_NAMED),
  /** The service's key's signature (Ed25519) of `namedOrdersText`, in base64. */
  signature: Signature,
})
export type NamedOrders = z.infer<typeof NamedOrders>

/** The named orders that are the first with their muxed ids: a deposit with the muxed id of another is not paid out for it. */
export const FirstNamed = z.object({ first: z.array(OrderId) })
export type FirstNamed = z.infer<typeof FirstNamed>

/** The text that the service signs to name orders. */
export const namedOrdersText = ({ chainId, orders }: Pick<NamedOrders, 'chainId' | 'orders'>): string =>
  ['OpenRFQ orders', chainId, ...orders.map(({ muxedId, orderId }) => `${muxedId} ${orderId}`)].join('\n')
