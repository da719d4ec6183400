import type { TokenId } from '../core/token-map.ts'
import type { PriceReading } from './agreed-price.ts'

/** A reading of a token's price. */
export type TokenReading = { readonly token: TokenId; readonly reading: PriceReading }

/** Where prices are read. A read omits tokens without one, and rejects when the source cannot be read. */
export type PriceFeed = {
  readonly name: string
  /** The server or chain that could forge its prices: feeds of one origin count as one source. */
  readonly origin: string
  readonly read: () => Promise<readonly TokenReading[]>
}
