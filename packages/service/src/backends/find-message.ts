import type { ChainId } from '@openrfq/sdk'
import { createEventHistory, type EventHistory } from '../chains/evm/event-history.ts'
import type { EvmChain, EvmReceipt } from '../chains/evm/evm-chain.ts'
import { quoteTag } from '../chains/evm/quote-tag.ts'
import { parseMessageName } from '../chains/message-id.ts'
import { ConfigError } from '../core/config-error.ts'
import type { Instant } from '../core/instant.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import type { Log } from '../lib/log.ts'
import type { Store } from '../store/store.ts'
import type { Located } from './backend.ts'
import { createEqualQuotes, type EqualQuotes } from './equal-quotes.ts'
import { CLOCK_SKEW_MS, type ExpectedMessage, isOlderThan, wasQuoted } from './source-message.ts'

type Deps = {
  readonly evmChains: ReadonlyMap<ChainId, EvmChain>
  readonly store: Pick<Store, 'listQuotesOfTerms' | 'findMessageOwner'>
  readonly now: () => Instant
  readonly log: Log
}

/** Whose an event of the quote's terms is by its tag: unclear where the tags do not tell equal events apart. */
type Claim = 'own' | 'other' | 'untagged' | 'unclear'

/**
 * A source transaction with the quote's events in its receipt, and the stored quotes that it may have been sent for; none
 * are read for the quote's own tag.
 */
type Sighting = {
  readonly receipt: EvmReceipt
  readonly events: readonly { readonly position: number; readonly claim: Claim }[]
  readonly equal: readonly QuoteRecord[]
}

/** A quote, what its transaction must emit, and how to know the quotes of equal terms. */
type Search = {
  readonly quote: QuoteRecord
  readonly expected: ExpectedMessage
  readonly expectedOf: (quote: QuoteRecord) => ExpectedMessage
  readonly equalQuotes: EqualQuotes
}

/** A reorg may include the transaction in a block this far below the head that the quote was priced at. */
const REORG_BLOCKS = 64
/** The most transactions of one quote's terms that are read, up to the quote's block and above it. */
const MAX_TRANSACTIONS = 16

const NOTHING: Located = { located: 'nothing', candidates: [] }
const MISMATCHED: Located = { located: 'mismatched' }

const messageIdOf = ({ txHash }: EvmReceipt, position: number): string => `${txHash}-${position}`

const found = (receipt: EvmReceipt, position: number): Located => ({
  located: 'found',
  messageId: messageIdOf(receipt, position),
})

/** What stands after each copy of the calldata in a transaction's input, as long as a tag. */
const tagsAfter = (input: string, calldata: string, length: number): readonly string[] => {
  const call = calldata.slice(2)
  const tags: string[] = []
  for (let at = input.indexOf(call); at !== -1; at = input.indexOf(call, at + call.length))
    tags.push(input.slice(at + call.length, at + call.length + length))
  return tags
}

/** Whether bytes can be a tag: of the same length, and not starting with zero as the padding or the next call of a batch does. */
const isTagLike = (bytes: string, tag: string): boolean =>
  bytes.length === tag.length && !bytes.startsWith('00')

const claimBy = (bytes: string, own: string, others: readonly string[]): Claim => {
  if (bytes === own) return 'own'
  return others.includes(bytes) || isTagLike(bytes, own) ? 'other' : 'untagged'
}

/** The claim on the events of a transaction that does not contain the exact calldata: a single tag in its input decides. */
const claimAnywhere = (input: string, own: string, others: readonly string[]): Claim => {
  const hasOthers = others.some((tag) => input.includes(tag))
  if (input.includes(own)) return hasOthers ? 'unclear' : 'own'
  return hasOthers ? 'other' : 'untagged'
}

/**
 * The quote's events. Those of several quotes in one transaction are told apart by the tags, which stand in the order of
 * the events if they are as many; a call of the transaction may also have failed without an event.
 */
const sightingOf = async (
  { quote, expected, expectedOf, equalQuotes }: Search,
  receipt: EvmReceipt,
): Promise<Sighting> => {
  const { input, logs, timestampSeconds } = receipt
  const positions = logs.flatMap((log, position) => (expected.matches(log) ? [position] : []))
  if (positions.length === 0) return { receipt, events: [], equal: [] }
  const own = quoteTag(quote.quoteId)
  const tags = tagsAfter(input, expected.calldata(), own.length)
  const isOrdered = tags.length === positions.length
  const stored =
    isOrdered && tags.includes(own) ? [] : await equalQuotes(quote, timestampSeconds * 1000 + CLOCK_SKEW_MS)
  const equal = stored.filter((other) => logs.some(expectedOf(other).matches))
  const others = equal.map(({ quoteId }) => quoteTag(quoteId)).filter((tag) => tag !== own)
  const claims = tags.map((bytes) => claimBy(bytes, own, others))
  const isOthers = claims.length > positions.length && claims.every((claim) => claim === 'other')
  const unordered = isOthers ? 'other' : 'unclear'
  const events = positions.map((position, order) => {
    if (claims.length === 0) return { position, claim: claimAnywhere(input, own, others) }
    const claim = isOrdered ? claims[order] : undefined
    return { position, claim: claim ?? unordered }
  })
  return { receipt, events, equal }
}

/**
 * The quote of these terms that an untagged transaction belongs to: the newest that had not expired; within the tolerance
 * of the clocks if there is none; else the newest.
 */
const ownerOf = (quote: QuoteRecord, { receipt, equal }: Sighting): QuoteRecord => {
  const minedAt = receipt.timestampSeconds * 1000
  const open = equal.filter(({ quoteExpiresAt }) => quoteExpiresAt >= minedAt)
  return open.findLast(({ createdAt }) => createdAt <= minedAt) ?? open.at(-1) ?? equal.at(-1) ?? quote
}

/** The first of a transaction's events of the quote's terms that is not the message of another quote's stored transfer. */
const firstFree = async (
  { store }: Pick<Deps, 'store'>,
  { quoteId }: QuoteRecord,
  { receipt, events }: Pick<Sighting, 'receipt' | 'events'>,
): Promise<Sighting['events'][number] | undefined> => {
  for (const event of events) {
    const owner = await store.findMessageOwner(messageIdOf(receipt, event.position))
    if (owner === undefined || owner === quoteId) return event
  }
  return undefined
}

/**
 * The message of a name. An index counts the receipt's logs, or the block's where that names the quote's event. Where the
 * tags leave it open, the client that names an event decides.
 */
const findNamed = async (
  deps: Pick<Deps, 'store'>,
  { chain, ...search }: Search & { readonly chain: EvmChain },
  name: string,
): Promise<Located> => {
  const { quote, expected } = search
  const parsed = parseMessageName(name)
  if (parsed === undefined) return MISMATCHED
  const { txHash, index } = parsed
  const receipt = await chain.receipt(txHash)
  if (receipt === undefined) return NOTHING
  if (isOlderThan(receipt, quote.createdAt)) return MISMATCHED
  if (!receipt.succeeded) return wasQuoted(receipt, quote, expected) ? found(receipt, 0) : MISMATCHED
  const { events } = await sightingOf(search, receipt)
  const own = events.filter(({ claim }) => claim === 'own')
  const open = events.filter(({ claim }) => claim !== 'other')
  const named = own.length > 0 ? own : open
  const positions = named.map(({ position }) => position)
  const position =
    index === undefined
      ? (await firstFree(deps, quote, { receipt, events: named }))?.position
      : (positions.find((known) => known === index) ??
        positions.find((known) => known + receipt.firstLogIndex === index))
  return position === undefined ? MISMATCHED : found(receipt, position)
}

/** The receipts of the newest transactions, oldest first, as far back as the first that is older than the quote. */
const notOlder = async (
  chain: EvmChain,
  hashes: readonly string[],
  { createdAt }: QuoteRecord,
): Promise<readonly EvmReceipt[]> => {
  const receipts: EvmReceipt[] = []
  for (const txHash of hashes.slice(-MAX_TRANSACTIONS).reverse()) {
    const receipt = await chain.receipt(txHash)
    if (receipt !== undefined && isOlderThan(receipt, createdAt)) break
    if (receipt !== undefined) receipts.unshift(receipt)
  }
  return receipts
}

/** A chain, its past events, and whose share of the reads is used. */
type Reading = { readonly chain: EvmChain; readonly history: EventHistory; readonly client: string }

/** The receipts of the transactions that emitted the quote's event since it was made, oldest first. */
const sightingsOf = async (
  { chain, history, client }: Reading,
  search: Search,
): Promise<readonly Sighting[]> => {
  const { quote, expected } = search
  const { sourceBlock } = quote.binding
  if (typeof sourceBlock !== 'number') return []
  const logs = (await history(BigInt(Math.max(0, sourceBlock - REORG_BLOCKS)), client)).filter(
    expected.matches,
  )
  if (logs.length === 0) return []
  const blocks = new Map(logs.map(({ txHash, blockNumber }) => [txHash, blockNumber]))
  const hashes = [...blocks.keys()]
  const isAbove = (txHash: string): boolean => (blocks.get(txHash) ?? 0n) > BigInt(sourceBlock)
  const below = hashes.filter((txHash) => !isAbove(txHash))
  const above = hashes.filter(isAbove).slice(0, MAX_TRANSACTIONS)
  const [early, late] = await Promise.all([
    notOlder(chain, below, quote),
    Promise.all(above.map(chain.receipt)),
  ])
  const receipts = [...early, ...late].flatMap((receipt) =>
    receipt?.succeeded !== true || isOlderThan(receipt, quote.createdAt) ? [] : [receipt],
  )
  return Promise.all(receipts.map((receipt) => sightingOf(search, receipt)))
}

/** The message that carries the quote's tag, or an untagged one that belongs to the quote. */
const findTagged = async (
  deps: Pick<Deps, 'store'>,
  quote: QuoteRecord,
  sightings: readonly Sighting[],
): Promise<Located> => {
  for (const { receipt, events } of sightings) {
    const own = events.find(({ claim }) => claim === 'own')
    if (own !== undefined) return found(receipt, own.position)
  }
  const candidates: string[] = []
  for (const sighting of sightings) {
    const { receipt, events } = sighting
    const candidateEvents = events.filter(({ claim }) => claim !== 'other')
    const open = await firstFree(deps, quote, { receipt, events: candidateEvents })
    if (open === undefined) continue
    if (open.claim === 'untagged' && ownerOf(quote, sighting).quoteId === quote.quoteId)
      return found(receipt, open.position)
    candidates.push(messageIdOf(receipt, open.position))
  }
  return { located: 'nothing', candidates }
}

/**
 * Creates the `locate` of a backend. The tag alone proves nothing, since anybody can put it into a transaction: only a
 * transaction that emitted the quote's own event counts. Two quotes of equal terms are told apart by the tag; an untagged
 * transaction goes to the newest quote that had not expired when it was mined.
 */
export const createMessageFinder = (deps: Deps, expectedOf: (quote: QuoteRecord) => ExpectedMessage) => {
  const equalQuotes = createEqualQuotes(deps)
  const histories = new Map<string, EventHistory>()
  const historyOf = (chain: EvmChain, query: ExpectedMessage['among']): EventHistory => {
    const key = [chain.chainId, query.address, ...query.topics].join(' ')
    const history = histories.get(key) ?? createEventHistory({ chain, query, now: deps.now })
    histories.set(key, history)
    return history
  }
  return async (quote: QuoteRecord, name: string | undefined, client: string): Promise<Located> => {
    try {
      const chain = deps.evmChains.get(quote.fromChain)
      if (chain === undefined) throw new ConfigError(`chain ${quote.fromChain} is not configured any more`)
      const expected = expectedOf(quote)
      const search = { quote, expected, expectedOf, equalQuotes }
      if (name !== undefined) return await findNamed(deps, { chain, ...search }, name)
      const history = historyOf(chain, expected.among)
      return await findTagged(deps, quote, await sightingsOf({ chain, history, client }, search))
    } catch (error) {
      deps.log('warn', 'source_message_search_failed', { quoteId: quote.quoteId, error })
      return { located: 'unreadable' }
    }
  }
}
