import type { BaseUnits } from './amount.ts'
import type { BackendType } from './backend-type.ts'
import type { ChainId } from './chain.ts'
import type { Instant } from './instant.ts'
import type { Binding } from './offer.ts'
import type { OrderType } from './order.ts'
import type { QuoteId } from './quote-id.ts'

/** What the service remembers of an answered quote: enough to recognise, follow and present its transfer. */
export type QuoteRecord = {
  readonly quoteId: QuoteId
  readonly backend: BackendType
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
  readonly binding: Binding
}
