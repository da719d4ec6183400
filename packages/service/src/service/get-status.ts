import { type ChainId, RfqError } from '@openrfq/sdk'
import type { Lookup } from '../backends/backend.ts'
import type { Catalog } from '../chains/catalog.ts'
import { canMoveMoney } from '../chains/rpc/quorum.ts'
import type { Instant } from '../core/instant.ts'
import { isQuoteId } from '../core/quote-id.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import { notFound, presentStatus, type StatusAnswer } from '../core/status.ts'
import { awaitingDeposit, type Details } from '../core/transfer.ts'
import type { Store } from '../store/store.ts'
import type { TransferRefresher } from './refresh-transfer.ts'
import { timingDetails } from './timing-details.ts'
import type { StatusQuery } from './use-cases.ts'

export type GetStatusDeps = {
  readonly catalog: Pick<Catalog, 'parseMessageId' | 'chain'>
  readonly store: Pick<Store, 'findQuote'>
  readonly refresher: TransferRefresher
  /** The backends whose status needs a message id. */
  readonly needsMessage: ReadonlySet<string>
  readonly now: () => Instant
}

/** The message id in canonical form under the rules of the chain, or of any family without a chain. */
const canonicalMessageId = (
  { catalog }: GetStatusDeps,
  messageId: string,
  chain: ChainId | undefined,
): string => {
  const canonical = catalog.parseMessageId(messageId, chain)
  if (canonical !== undefined) return canonical
  throw new RfqError(
    'INVALID_REQUEST',
    `messageId is malformed: ${messageId}; on EVM chains expected <transaction hash>-<position of the event>`,
    { field: 'messageId', value: messageId },
  )
}

const lookupOf = (quote: QuoteRecord, messageId: string | undefined): Lookup =>
  messageId === undefined ? null : { messageId, sourceChain: quote.fromChain }

/**
 * The current status of a quote's transfer, read from the chains if it can still change. NOT_FOUND for an unknown
 * quote, for a message that is not the quote's, and for a source chain that is not the quote's. Throws INVALID_REQUEST
 * for a malformed message id. Source: interface "GET /v1/rfq/status".
 */
export const getStatus = async (
  deps: GetStatusDeps,
  query: StatusQuery,
  client: string,
): Promise<StatusAnswer> => {
  const named = query.messageId
  const messageId = named === undefined ? undefined : canonicalMessageId(deps, named, query.sourceChain)
  const quote = isQuoteId(query.quoteId) ? await deps.store.findQuote(query.quoteId) : undefined
  if (quote === undefined) return notFound(query.quoteId)
  if (!deps.needsMessage.has(quote.backend)) return followed(deps, quote, null, client)
  if (query.sourceChain !== undefined && query.sourceChain !== quote.fromChain)
    return notFound(query.quoteId, quote)
  if (messageId !== undefined) canonicalMessageId(deps, messageId, quote.fromChain)
  return followed(deps, quote, lookupOf(quote, messageId), client)
}

/** Says that a chain's only endpoint, which the operator does not trust, tells the state alone. */
const endpointDetails = ({ catalog, needsMessage }: GetStatusDeps, quote: QuoteRecord): Details => {
  if (!needsMessage.has(quote.backend)) return {}
  const isTold = [quote.fromChain, quote.toChain].some((chainId) => {
    const chain = catalog.chain(chainId)
    return chain !== undefined && !canMoveMoney(chain)
  })
  return isTold ? { endpoints: 1 } : {}
}

const followed = async (
  deps: GetStatusDeps,
  quote: QuoteRecord,
  lookup: Lookup,
  client: string,
): Promise<StatusAnswer> => {
  if (lookup === null && deps.needsMessage.has(quote.backend)) {
    const transfer = awaitingDeposit(quote.quoteId, '')
    return presentStatus(quote, transfer, {
      ...timingDetails(quote, transfer, deps.now()),
      ...endpointDetails(deps, quote),
    })
  }
  const refreshed = await deps.refresher(quote, lookup, client)
  if (refreshed === 'mismatched') return notFound(quote.quoteId, quote)
  const { transfer, details } = refreshed
  return presentStatus(quote, transfer, {
    ...details,
    ...timingDetails(quote, transfer, deps.now()),
    ...endpointDetails(deps, quote),
  })
}
