import { accountBehind } from '../../chains/stellar/muxed-account.ts'
import type { QuoteId } from '../../core/quote-id.ts'
import { depositMuxedId, quotedAt } from '../../intents/settlers/deposit-reference.ts'
import { orderIdOfQuote } from '../../intents/settlers/quoted-order.ts'
import { quotesOfInstant } from '../../intents/vault/quotes-of-instant.ts'
import type { Store } from '../../store/store.ts'

/** The quotes that are paid to a muxed address (M…), which names them by its id; none for any other text. */
export const quotesOfDeposit = async (
  { store }: { readonly store: Pick<Store, 'listQuotesSince'> },
  text: string,
): Promise<readonly QuoteId[]> => {
  const { account, muxedId } = accountBehind(text) ?? {}
  if (muxedId === undefined) return []
  const quotes = await quotesOfInstant(store, quotedAt(muxedId))
  return quotes
    .filter(
      (quote) =>
        quote.backend === 'intent' &&
        quote.binding['sourceSettler'] === account &&
        depositMuxedId(quote.createdAt, orderIdOfQuote(quote)) === muxedId,
    )
    .map(({ quoteId }) => quoteId)
}
