import { accountBehind } from '../../chains/stellar/muxed-account.ts'
import type { QuoteId } from '../../core/quote-id.ts'
import { depositMuxedId, quotedAt } from '../../intents/settlers/deposit-reference.ts'
import { orderIdOfQuote } from '../../intents/settlers/quoted-order.ts'
import type { Store } from '../../store/store.ts'

/** Limit of quotes of one millisecond searched for a muxed id. */
const MOST_OF_INSTANT = 1_000

/** The quotes that are paid to a muxed address (M…), which names them by its id; none for any other text. */
export const quotesOfDeposit = async (
  { store }: { readonly store: Pick<Store, 'listQuotesSince'> },
  text: string,
): Promise<readonly QuoteId[]> => {
  const { account, muxedId } = accountBehind(text) ?? {}
  if (muxedId === undefined) return []
  const quotes = await store.listQuotesSince(quotedAt(muxedId), MOST_OF_INSTANT)
  return quotes
    .filter(
      (quote) =>
        quote.createdAt === quotedAt(muxedId) &&
        quote.backend === 'intent' &&
        quote.binding['sourceSettler'] === account &&
        depositMuxedId(quote.createdAt, orderIdOfQuote(quote)) === muxedId,
    )
    .map(({ quoteId }) => quoteId)
}
