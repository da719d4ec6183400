import { type ChainId, RfqError } from '@openrfq/sdk'
import type { Catalog } from '../chains/catalog.ts'
import { canMoveMoney } from '../chains/rpc/quorum.ts'
import type { Instant } from '../core/instant.ts'
import { isQuoteId } from '../core/quote-id.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import {
  notFound,
  presentStatus,
  type RevisedStatus,
  type StatusAnswer,
  type StatusQuery,
} from '../core/status.ts'
import { awaitingDeposit, type Details } from '../core/transfer.ts'
import type { Store } from '../store/store.ts'
import { type LocateDeps, locateTransfer } from './locate-transfer.ts'
import type { Refreshed, TransferRefresher } from './refresh-transfer.ts'
import { timingDetails } from './timing-details.ts'

export type GetStatusDeps = LocateDeps & {
  readonly catalog: Pick<Catalog, 'parseMessageId'>
  readonly store: Pick<Store, 'findQuote'>
  readonly refresher: TransferRefresher
  /** The backends whose status needs a message id. */
  readonly needsMessage: ReadonlySet<string>
  /** The chains with a single endpoint that the operator has not marked as trusted. */
  readonly toldByOne: ReadonlySet<ChainId>
  readonly now: () => Instant
}

type Known = Exclude<Refreshed, 'mismatched'>

/** The message id in canonical form under the rules of the chain, or of any family without a chain. */
const canonicalMessageId = (
  { catalog }: GetStatusDeps,
  messageId: string,
  chain: ChainId | undefined,
): string => {
  const canonical = catalog.parseMessageId(messageId, chain)
  if (canonical !== undefined) return canonical
  const expected =
    'on EVM chains expected a transaction hash, or <transaction hash>-<position of the event in digits>'
  throw messageId.length > MAX_REPEATED_CHARACTERS
    ? new RfqError(
        'INVALID_REQUEST',
        `messageId is malformed: it has ${messageId.length} characters; ${expected}`,
        { field: 'messageId' },
      )
    : new RfqError('INVALID_REQUEST', `messageId is malformed: ${messageId}; ${expected}`, {
        field: 'messageId',
        value: messageId,
      })
}

/** A longer message id may hold a private key or look like one; it is not repeated. */
const MAX_REPEATED_CHARACTERS = 40

/**
 * The current status of a quote's transfer, read from the chains if it can still change. NOT_FOUND, with a reason code, for
 * an unknown quote, for a message of another transfer, and for a source chain that is not the quote's. Throws
 * INVALID_REQUEST for a malformed message id. Source: interface "GET /v1/rfq/status".
 */
export const getStatus = async (
  deps: GetStatusDeps,
  query: StatusQuery,
  client: string,
): Promise<RevisedStatus> => {
  const named = query.messageId
  const messageId = named === undefined ? undefined : canonicalMessageId(deps, named, query.sourceChain)
  const quote = isQuoteId(query.quoteId) ? await deps.store.findQuote(query.quoteId) : undefined
  if (quote === undefined) return nothingStored(notFound(query.quoteId, 'unknown_quote'))
  if (!deps.needsMessage.has(quote.backend)) return statusOfQuote(deps, quote)
  if (query.sourceChain !== undefined && query.sourceChain !== quote.fromChain)
    return nothingStored(notFound(query.quoteId, 'other_source_chain', quote))
  if (messageId !== undefined) canonicalMessageId(deps, messageId, quote.fromChain)
  return statusOfMessage(deps, quote, messageId, client)
}

/** The chains whose only endpoint the operator does not trust: what their transfers' status says is its word alone. */
export const toldByOneEndpoint = ({ chains }: Pick<Catalog, 'chains'>): ReadonlySet<ChainId> =>
  new Set(chains.filter((chain) => !canMoveMoney(chain)).map(({ chainId }) => chainId))

/** Says that one endpoint alone tells the transfer's state. */
const endpointDetails = (
  { needsMessage, toldByOne }: GetStatusDeps,
  { backend, fromChain, toChain }: QuoteRecord,
): Details =>
  needsMessage.has(backend) && (toldByOne.has(fromChain) || toldByOne.has(toChain)) ? { endpoints: 1 } : {}

const nothingStored = (status: StatusAnswer): RevisedStatus => ({ revision: 0, status })

const isExpired = (quote: QuoteRecord, { transfer, details }: Known, now: Instant): boolean =>
  transfer.state === 'AWAITING_DEPOSIT' && details['stale'] !== true && now > quote.quoteExpiresAt

/** A quote that identifies its transfer: without a deposit that the service would know, an old one has expired. */
const statusOfQuote = async (deps: GetStatusDeps, quote: QuoteRecord): Promise<RevisedStatus> => {
  const refreshed = await deps.refresher(quote, null)
  if (refreshed === 'mismatched')
    return nothingStored(notFound(quote.quoteId, 'message_of_other_transfer', quote))
  const expired = isExpired(quote, refreshed, deps.now()) ? { expired: true } : {}
  return present(deps, quote, { ...refreshed, details: { ...refreshed.details, ...expired } })
}

const statusOfMessage = async (
  deps: GetStatusDeps,
  quote: QuoteRecord,
  messageId: string | undefined,
  client: string,
): Promise<RevisedStatus> => {
  const where = await locateTransfer(deps, quote, messageId, client)
  if (where.known === 'nothing')
    return present(deps, quote, { transfer: awaitingDeposit(quote.quoteId, ''), details: where.details })
  const refreshed =
    where.known === 'transfer' ? await deps.refresher(quote, where.lookup) : ('mismatched' as const)
  if (refreshed !== 'mismatched') return present(deps, quote, refreshed)
  return messageId === undefined
    ? present(deps, quote, { transfer: awaitingDeposit(quote.quoteId, ''), details: { stale: true } })
    : nothingStored(notFound(quote.quoteId, 'message_of_other_transfer', quote))
}

const present = (deps: GetStatusDeps, quote: QuoteRecord, { transfer, details }: Known): RevisedStatus => ({
  revision: transfer.revision,
  status: presentStatus(quote, transfer, {
    ...details,
    ...timingDetails(quote, transfer, deps.now()),
    ...endpointDetails(deps, quote),
  }),
})
