import type { ChainId, ReasonCode, TransferState } from '@openrfq/sdk'
import type { QuoteRecord } from './quote-record.ts'
import type { Details, Transfer } from './transfer.ts'

/**
 * The answer of the status endpoint; clients parse it as the SDK's `Status`. Source: interface "Status response
 * object".
 */
export type StatusAnswer = Pick<Transfer, 'source' | 'destination' | 'output' | 'refund' | 'details'> & {
  readonly quoteId: string
  readonly state: TransferState | 'NOT_FOUND'
  /** Null when the quote is unknown. */
  readonly backend: { readonly type: string; readonly name: string } | null
}

/** A status lookup whose `quoteId` is 1 to 128 characters of `A-Z a-z 0-9 _ -` and whose `sourceChain` is CAIP-2. */
export type StatusQuery = {
  readonly quoteId: string
  readonly messageId?: string | undefined
  readonly sourceChain?: ChainId | undefined
}

/** A status, and the transfer's revision that it shows; 0 while nothing is stored. */
export type RevisedStatus = { readonly revision: number; readonly status: StatusAnswer }

type NotFoundReason = Extract<
  ReasonCode,
  'unknown_quote' | 'other_source_chain' | 'message_of_other_transfer'
>

/** The status of an unknown identifier; `quote` is given if only the message does not match. */
export const notFound = (quoteId: string, reasonCode: NotFoundReason, quote?: QuoteRecord): StatusAnswer => ({
  quoteId,
  state: 'NOT_FOUND',
  backend: quote === undefined ? null : { type: quote.backend, name: quote.backendName },
  source: null,
  destination: null,
  output: null,
  refund: null,
  details: { reasonCode },
})

/** The status of a known quote's transfer; `extra` is merged into the transfer's own details. */
export const presentStatus = (quote: QuoteRecord, transfer: Transfer, extra: Details): StatusAnswer => ({
  quoteId: quote.quoteId,
  state: transfer.state,
  backend: { type: quote.backend, name: quote.backendName },
  source: transfer.source,
  destination: transfer.destination,
  output: transfer.output,
  refund: transfer.refund,
  details: { ...transfer.details, ...extra },
})
