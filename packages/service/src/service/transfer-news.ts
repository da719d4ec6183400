import { createHash } from 'node:crypto'
import type { Backend } from '../backends/backend.ts'
import { type Instant, toIso } from '../core/instant.ts'
import type { TransferNews } from '../core/notification.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import { presentStatus } from '../core/status.ts'
import { isTentative, type Transfer } from '../core/transfer.ts'
import { recordedQuote } from './get-transfer.ts'

/** The news of a change that is about to be saved; undefined without webhooks, or if they are not told of it. */
export type NewsOf = (quote: QuoteRecord, known: Transfer, next: Transfer) => TransferNews | undefined

export type TransferNewsDeps = {
  readonly backends: ReadonlyMap<string, Pick<Backend, 'recall'>>
  /** The names of the webhooks. */
  readonly webhooks: readonly string[]
  readonly now: () => Instant
}

const EVENT_ID_CHARACTERS = 24

/** A change of state, or of whether the delivery behind DONE is final or was taken back. */
const isNews = (known: Transfer, next: Transfer): boolean =>
  known.state !== next.state ||
  isTentative(known) !== isTentative(next) ||
  known.details['deliveryReverted'] !== next.details['deliveryReverted']

/** Another one for each save, so that a store that was restored from a backup does not repeat ids. */
const eventIdOf = ({ quoteId, messageId, revision }: Transfer, createdAt: Instant): string => {
  const hash = createHash('sha256').update(`${quoteId} ${messageId} ${revision} ${createdAt}`)
  return `msg_${hash.digest('base64url').slice(0, EVENT_ID_CHARACTERS)}`
}

/**
 * Makes the news of changes for the operator's webhooks: the quote and the status as `GET /v1/rfq/transfer` answers them, with
 * the transfer's revision.
 */
export const createTransferNews = ({ backends, webhooks, now }: TransferNewsDeps): NewsOf => {
  const [first, ...others] = webhooks
  if (first === undefined) return () => undefined
  return (quote, known, next) => {
    if (!isNews(known, next)) return undefined
    const createdAt = now()
    const data = {
      revision: next.revision,
      messageId: next.messageId === '' ? null : next.messageId,
      quote: recordedQuote(quote, backends.get(quote.backend)),
      status: presentStatus(quote, next, {}),
    }
    const body = JSON.stringify({ type: 'transfer.changed', timestamp: toIso(createdAt), data })
    return { eventId: eventIdOf(next, createdAt), body, createdAt, webhooks: [first, ...others] }
  }
}
