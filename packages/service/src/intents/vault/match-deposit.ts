import type { Payment } from '../../core/payment.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import type { Store } from '../../store/store.ts'
import { depositMuxedId, quotedAt } from '../settlers/deposit-reference.ts'
import { orderIdOfQuote } from '../settlers/quoted-order.ts'
import { quotesOfInstant } from './quotes-of-instant.ts'

type MatchDeps = { readonly store: Pick<Store, 'listQuotesSince'> }

/** Whether the quote's order is deposited into the account that was paid. */
const isPaidHere = (quote: QuoteRecord, { chainId, to }: Payment): boolean =>
  quote.backend === 'intent' && quote.fromChain === chainId && quote.binding['sourceSettler'] === to

const isExact = (quote: QuoteRecord, { from, token, amount }: Payment): boolean =>
  quote.sender === from && quote.fromToken === token && quote.input === amount

/** A quote's sender, recipient and output asset as one text, to compare quotes. */
const partiesOf = ({ sender, recipient, toChain, toToken }: QuoteRecord): string =>
  [sender, recipient, toChain, toToken].join(' ')

/**
 * Finds the quote of a payment into a vault: the one named by its muxed id; of several with the same id, the one that the
 * payment fits best, if all name the same sender, recipient, destination and token. Otherwise none: a stranger may have
 * asked for quotes until one got the id, or in the name of another payer. Rejects if the store cannot be read.
 */
export const createDepositMatcher =
  (deps: MatchDeps) =>
  async (payment: Payment): Promise<QuoteRecord | undefined> => {
    const { muxedId, from } = payment
    if (muxedId === undefined) return undefined
    const quotes = await quotesOfInstant(deps.store, quotedAt(muxedId))
    const named = quotes.filter(
      (quote) =>
        isPaidHere(quote, payment) && depositMuxedId(quote.createdAt, orderIdOfQuote(quote)) === muxedId,
    )
    if (new Set(named.map(partiesOf)).size > 1) return undefined
    return (
      named.find((quote) => isExact(quote, payment)) ??
      named.find(({ sender }) => sender === from) ??
      named[0]
    )
  }

export type DepositMatcher = ReturnType<typeof createDepositMatcher>
