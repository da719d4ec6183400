import type { OrderId } from '../../core/intent-order.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import { idsOfSalt, orderIdOfQuote } from '../../intents/settlers/quoted-order.ts'
import type { Store } from '../../store/store.ts'

/** Finds the quote of an order by the quote ids encoded in its salt. */
export const quoteOfOrder = async (
  store: Pick<Store, 'findQuote'>,
  orderId: OrderId,
  salt: string,
): Promise<QuoteRecord | undefined> => {
  for (const quoteId of idsOfSalt(salt)) {
    const quote = await store.findQuote(quoteId)
    if (quote === undefined) return undefined
    if (quote.backend === 'intent' && orderIdOfQuote(quote) === orderId) return quote
  }
  return undefined
}
