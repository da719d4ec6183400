import type { ChainId, OrderType } from '@openrfq/sdk'
import type { BaseUnits } from './amount.ts'
import type { Instant } from './instant.ts'
import type { Binding, Offer } from './offer.ts'
import type { Order } from './order.ts'
import type { QuoteId } from './quote-id.ts'

/** What the service stores about an answered quote: enough to recognise, track and present its transfer. */
export type QuoteRecord = {
  readonly quoteId: QuoteId
  readonly backend: string
  readonly backendName: string
  readonly createdAt: Instant
  readonly quoteExpiresAt: Instant
  readonly fulfillmentDeadline?: Instant
  readonly estimatedTimeSeconds: number
  readonly orderType: OrderType
  readonly fromChain: ChainId
  readonly fromToken: string
  readonly toChain: ChainId
  readonly toToken: string
  readonly sender: string
  readonly recipient: string
  readonly input: BaseUnits
  readonly output: BaseUnits
  readonly minimumOutput: BaseUnits
  /** What the amounts were worth when they were quoted: USD as decimal text, for display; absent without a price. */
  readonly inputUsd?: string
  readonly outputUsd?: string
  readonly binding: Binding
}

/** What the two amounts of a quote are worth: USD as decimal text, undefined without a price. */
type AmountsUsd = { readonly input: string | undefined; readonly output: string | undefined }

/** The stored record of an offer that was answered under `quoteId`. */
export const quoteRecordOf = (
  order: Order,
  offer: Offer,
  quoteId: QuoteId,
  usd: AmountsUsd = { input: undefined, output: undefined },
): QuoteRecord => {
  const record = {
    quoteId,
    backend: offer.backend,
    backendName: offer.backendName,
    createdAt: order.createdAt,
    quoteExpiresAt: order.createdAt + offer.lifetimeSeconds * 1000,
    estimatedTimeSeconds: offer.estimatedTimeSeconds,
    orderType: order.orderType,
    fromChain: order.from.chain.chainId,
    fromToken: order.from.token.address,
    toChain: order.to.chain.chainId,
    toToken: order.to.token.address,
    sender: order.sender,
    recipient: order.recipient,
    input: offer.input,
    output: offer.output,
    minimumOutput: offer.minimumOutput,
    binding: offer.binding,
  }
  const { fulfillmentDeadline } = offer
  return {
    ...record,
    ...(fulfillmentDeadline === undefined ? {} : { fulfillmentDeadline }),
    ...(usd.input === undefined ? {} : { inputUsd: usd.input }),
    ...(usd.output === undefined ? {} : { outputUsd: usd.output }),
  }
}
