import type { Backend } from '../backends/backend.ts'
import { isQuoteId, type QuoteId } from '../core/quote-id.ts'
import { presentStatus } from '../core/status.ts'
import { awaitingDeposit } from '../core/transfer.ts'
import { transferName } from '../core/transfer-names.ts'
import type { Store } from '../store/store.ts'
import { recordedQuote, type TransferAnswer } from './get-transfer.ts'
import { startedTransferOf } from './locate-transfer.ts'

/** The transfers that a text may mean, newest quote first; at most ten. */
export type FoundTransfers = { readonly transfers: readonly TransferAnswer[] }

export type SearchDeps = {
  readonly store: Pick<Store, 'findQuote' | 'listTransfers' | 'listQuotesByName'>
  readonly backends: ReadonlyMap<string, Pick<Backend, 'recall' | 'quotesOfDeposit'>>
}

const MOST_FOUND = 10

/** The quotes of a text: the named one, those whose transfer has the name, and those that are paid to the address. */
const quotesOf = async ({ store, backends }: SearchDeps, text: string): Promise<readonly QuoteId[]> => {
  if (isQuoteId(text)) return [text]
  const named = await store.listQuotesByName(transferName(text), MOST_FOUND)
  if (named.length > 0) return named
  const paid = await Promise.all(
    [...backends.values()].map(async (backend) => (await backend.quotesOfDeposit?.(text)) ?? []),
  )
  return paid.flat().slice(0, MOST_FOUND)
}

/**
 * Finds transfers by a quote's id, a hash of the source, destination or refund, a message id, an address, or the deposit
 * address of a quote. Reads what is stored and no chain: a transaction that the service has not seen finds nothing.
 */
export const searchTransfers = async (deps: SearchDeps, text: string): Promise<FoundTransfers> => {
  const transfers: TransferAnswer[] = []
  for (const quoteId of await quotesOf(deps, text)) {
    const quote = await deps.store.findQuote(quoteId)
    if (quote === undefined) continue
    const started = startedTransferOf(await deps.store.listTransfers(quoteId))
    transfers.push({
      quote: recordedQuote(quote, deps.backends.get(quote.backend)),
      status: presentStatus(quote, started ?? awaitingDeposit(quoteId, ''), {}),
    })
  }
  return { transfers }
}
