import type { Action, FeeToken, PaymentMethod, QuoteTreatment, RecipientReason } from '@openrfq/sdk'
import type { BaseUnits } from './amount.ts'
import type { Instant } from './instant.ts'
import type { TokenId } from './token-map.ts'

/** A fee before encoding. `asset` identifies `token`, which names a native token by its symbol; `decimals` are its decimals. */
export type OfferedFee = {
  readonly amount: BaseUnits
  readonly token: FeeToken
  readonly decimals: number
  readonly asset: TokenId
  readonly paymentMethod: PaymentMethod
  readonly quoteTreatment: QuoteTreatment
}

/** What `track` needs to recognise the transfer on chain; stored with the quote, never shown. JSON values only. */
export type Binding = Readonly<Record<string, string | number | boolean>>

/** Who fills an offer, and how likely. */
type Reliability = {
  readonly solver: { readonly name: string; readonly address: string }
  /** In millionths. */
  readonly fillRate: number
  /** Until the deposit of an order that is not filled can be refunded. */
  readonly refundSeconds: number
  /** Whether it is offered only because there may be no other. */
  readonly isLastResort: boolean
}

/** A backend's offer for an order. Amounts are base units; firm offers have `minimumOutput === output`. */
export type Offer = {
  readonly backend: string
  readonly backendName: string
  readonly input: BaseUnits
  readonly output: BaseUnits
  readonly minimumOutput: BaseUnits
  readonly estimatedTimeSeconds: number
  readonly lifetimeSeconds: number
  readonly fulfillmentDeadline?: Instant
  readonly gasFee: OfferedFee
  readonly userFee: OfferedFee
  readonly actions: readonly Action[]
  readonly tracking: Readonly<Record<string, unknown>>
  readonly metadata: Readonly<Record<string, unknown>>
  readonly binding: Binding
  /** Absent where transfers do not depend on a solver. */
  readonly reliability?: Reliability
}

/** Why a chain would not accept a payment to a recipient: a stable code, and text for people. */
export type UnpayableReason = {
  readonly reasonCode: RecipientReason
  readonly reason: string
}

/**
 * A backend's refusal of an order. `out_of_range` carries the smallest and largest request amount that can be quoted
 * (base units of the token that `order.amount` refers to; `maximum` null if unbounded); `unpriced` means that no price,
 * limit or chain can be read at the moment; `unserved` that the pair is configured and was never priced;
 * `unpayable` that the chain would not accept a payment to the recipient.
 */
export type Decline =
  | { readonly declined: 'out_of_range'; readonly minimum: BaseUnits; readonly maximum: BaseUnits | null }
  | { readonly declined: 'unpriced' | 'unserved'; readonly reason: string }
  | ({ readonly declined: 'unpayable' } & UnpayableReason)
