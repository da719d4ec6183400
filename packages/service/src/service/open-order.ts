import { RfqError } from '@openrfq/sdk'
import type { Backend } from '../backends/backend.ts'
import type { OpeningAnswer, OpeningRequest } from '../core/opening.ts'
import { isQuoteId } from '../core/quote-id.ts'
import type { Store } from '../store/store.ts'

type OpenOrderDeps = {
  readonly store: Pick<Store, 'findQuote'>
  readonly backends: ReadonlyMap<string, Pick<Backend, 'open'>>
}

/** Whether any backend opens orders, which the operator decides. */
export const opensOrders = (backends: readonly Pick<Backend, 'open'>[]): boolean =>
  backends.some(({ open }) => open !== undefined)

/**
 * Has the backend of a quote open its order by the sender's signatures. Throws INVALID_REQUEST for an unknown quote, and for one
 * of a backend that opens none; rejects as the backend does.
 */
export const openOrder = async (
  { store, backends }: OpenOrderDeps,
  request: OpeningRequest,
  client: string,
): Promise<OpeningAnswer> => {
  const { quoteId } = request
  const quote = isQuoteId(quoteId) ? await store.findQuote(quoteId) : undefined
  const open = quote === undefined ? undefined : backends.get(quote.backend)?.open
  if (quote !== undefined && open !== undefined) return open(quote, request, client)
  const why = quote === undefined ? 'is unknown' : 'has no openings; execute its actions'
  throw new RfqError('INVALID_REQUEST', `quoteId ${why}`, { field: 'quoteId' })
}
