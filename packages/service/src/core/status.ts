import type { Status } from '@openrfq/sdk'
import type { QuoteRecord } from './quote-record.ts'
import type { Details, Transfer } from './transfer.ts'

/** The status of an unknown identifier; `quote` is given if only the message does not match. */
export const notFound = (quoteId: string, quote?: QuoteRecord): Status => ({
  quoteId,
  state: 'NOT_FOUND',
  backend: quote === undefined ? null : { type: quote.backend, name: quote.backendName },
  source: null,
  destination: null,
  output: null,
  refund: null,
  details: {},
})

/** The status of a known quote's transfer; `extra` is merged into the transfer's own details. */
export const presentStatus = (quote: QuoteRecord, transfer: Transfer, extra: Details): Status => ({
  quoteId: quote.quoteId,
  state: transfer.state,
  backend: { type: quote.backend, name: quote.backendName },
  source: transfer.source,
  destination: transfer.destination,
  output: transfer.output,
  refund: transfer.refund,
  details: { ...transfer.details, ...extra },
})
