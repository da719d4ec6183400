import type { Catalog } from '../chains/catalog.ts'
import { powerOfTen } from '../core/decimal.ts'
import type { NetworkChain } from '../core/network.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import type { PriceSource } from '../pricing/price-source.ts'
import { usdPrice } from '../pricing/usd.ts'

type Step = NonNullable<NetworkChain['deliveryFinality']>[number]

/**
 * After how many blocks a quote's delivery counts on its chain, by what it is worth; undefined where it must be final. A
 * delivery without a price is worth more than any bound.
 */
export const deliveryConfirmations =
  (catalog: Pick<Catalog, 'chain' | 'token'>, prices: PriceSource) =>
  ({ toChain, toToken, output }: QuoteRecord): number | undefined => {
    const steps = catalog.chain(toChain)?.deliveryFinality
    const token = catalog.token(toChain, toToken)
    if (steps === undefined || token === undefined) return undefined
    const price = prices(token)
    const isWithin = ({ upToUsd }: Step): boolean =>
      upToUsd === undefined ||
      (price !== undefined && output * price <= (usdPrice(upToUsd) ?? 0n) * powerOfTen(token.decimals))
    return steps.find(isWithin)?.confirmations
  }
