import { z } from 'zod'
import { BackendType } from './backend-type.ts'
import type { QuoteRecord } from './quote-record.ts'
import {
  type Details,
  type Transfer,
  TransferDestination,
  TransferOutput,
  TransferRefund,
  TransferSource,
  TransferState,
} from './transfer.ts'

const StatusState = z.enum([...TransferState.options, 'NOT_FOUND'])

/** The answer of `GET /v1/rfq/status`; `backend` is null when the quote is unknown. Source: interface "Status response object". */
export const Status = z.object({
  quoteId: z.string(),
  state: StatusState,
  backend: z.object({ type: BackendType, name: z.string() }).nullable(),
  source: TransferSource.nullable(),
  destination: TransferDestination.nullable(),
  output: TransferOutput.nullable(),
  refund: TransferRefund.nullable(),
  details: z.record(z.string(), z.unknown()),
})
export type Status = z.infer<typeof Status>

/** The status of an identifier the service does not recognise; `quote` is given when only the message is foreign. */
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

/** The status of a known quote's transfer; `extra` joins what the transfer's own details say. */
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
