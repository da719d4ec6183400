import { isTerminal } from '@openrfq/sdk'
import { type Instant, toIso } from '../core/instant.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import type { Details, Transfer } from '../core/transfer.ts'

/** The timing details of a transfer in flight: `expectedBy` and, once that is past, `overdue`. */
export const timingDetails = (quote: QuoteRecord, transfer: Transfer, now: Instant): Details => {
  if (transfer.source === null || isTerminal(transfer.state)) return {}
  const startedAt = Date.parse(transfer.source.timestamp)
  const expectedBy = quote.fulfillmentDeadline ?? startedAt + quote.estimatedTimeSeconds * 1000
  return { expectedBy: toIso(expectedBy), ...(now > expectedBy ? { overdue: true } : {}) }
}
