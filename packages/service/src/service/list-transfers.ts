import { comparableAddress } from '../core/comparable-address.ts'
import type { QuoteId } from '../core/quote-id.ts'
import { presentStatus } from '../core/status.ts'
import type { Store } from '../store/store.ts'
import { type GetTransferDeps, recordedQuote, type TransferAnswer } from './get-transfer.ts'
import { startedTransferOf } from './locate-transfer.ts'

/** Transfers that an account pays or receives, newest quote first, and where the next page begins; null at the end. */
export type TransferPage = { readonly transfers: readonly TransferAnswer[]; readonly next: string | null }

/** Which page: at most `limit` transfers, of quotes before the given one. */
export type TransferPageQuery = {
  readonly address: string
  readonly limit: number
  readonly before?: QuoteId | undefined
}

export type ListTransfersDeps = Pick<GetTransferDeps, 'backends'> & {
  readonly store: Pick<Store, 'findQuote' | 'listTransfers' | 'listQuotesByName'>
}

/** One page as it is stored; reads no chain. A watched transfer is stored seconds after it changes. */
export const listTransfers = async (
  { store, backends }: ListTransfersDeps,
  { address, limit, before }: TransferPageQuery,
): Promise<TransferPage> => {
  const ids = await store.listQuotesByName(comparableAddress(address), limit + 1, before)
  const shown = ids.slice(0, limit)
  const transfers: TransferAnswer[] = []
  for (const quoteId of shown) {
    const quote = await store.findQuote(quoteId)
    const transfer = startedTransferOf(await store.listTransfers(quoteId))
    if (quote === undefined || transfer === undefined) continue
    transfers.push({
      quote: recordedQuote(quote, backends.get(quote.backend)),
      status: presentStatus(quote, transfer, {}),
    })
  }
  return { transfers, next: ids.length > limit ? (shown.at(-1) ?? null) : null }
}
