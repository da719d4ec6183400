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
  readonly store: Pick<Store, 'listQuotesSince'>
  readonly now: () => Instant
  readonly log: Log
}

/** A source transaction with the positions of the quote's events in its receipt. */
type Sighting = { readonly receipt: EvmReceipt; readonly positions: readonly number[] }

/** How many blocks below the head at the time of the quote a reorg may have put the transaction. */
const REORG_BLOCKS = 64
/** The most transactions of one quote's terms that are read, up to the quote's block and above it. */
const MAX_TRANSACTIONS = 16

const NOTHING: Located = { located: 'nothing', candidates: [] }
const MISMATCHED: Located = { located: 'mismatched' }

const found = ({ receipt: { txHash } }: Sighting, position: number): Located => ({
  located: 'found',
  messageId: `${txHash}-${position}`,
})

/** What stands after each copy of the calldata in a transaction's input, as long as a tag. */
const tagsAfter = (input: string, calldata: string, length: number): readonly string[] => {
  const call = calldata.slice(2)
  const tags: string[] = []
  for (let at = input.indexOf(call); at !== -1; at = input.indexOf(call, at + call.length))
    tags.push(input.slice(at + call.length, at + call.length + length))
  return tags
}

/**
 * The positions of the quote's events. Equal ones of several quotes in one transaction are told apart by the tags, which
 * stand in the order of the events.
 */
const sightingOf = (receipt: EvmReceipt, expected: ExpectedMessage, quote: QuoteRecord): Sighting => {
  const positions = receipt.logs.flatMap((log, position) => (expected.matches(log) ? [position] : []))
  const tag = quoteTag(quote.quoteId)
  const tags = tagsAfter(receipt.input, expected.calldata, tag.length)
  const own = positions.filter((_, order) => tags[order] === tag)
  return { receipt, positions: tags.length === positions.length && own.length > 0 ? own : positions }
}

const isTagged = ({ receipt }: Sighting, quote: QuoteRecord): boolean =>
  receipt.input.includes(quoteTag(quote.quoteId))

/**
 * The quote of these terms that a transaction without the quote's own tag belongs to: the one whose tag it carries, else
 * the newest that had not expired, else the newest.
 */
const ownerOf = async (
  equalQuotes: EqualQuotes,
  quote: QuoteRecord,
  sighting: Sighting,
): Promise<{ readonly quoteId: string; readonly isTagged: boolean }> => {
  const minedAt = sighting.receipt.timestampSeconds * 1000
  const equal = await equalQuotes(quote, minedAt + CLOCK_SKEW_MS)
  const tagged = equal.find((other) => isTagged(sighting, other))
  if (tagged !== undefined) return { quoteId: tagged.quoteId, isTagged: true }
  const newest = equal.findLast(({ quoteExpiresAt }) => quoteExpiresAt >= minedAt) ?? equal.at(-1) ?? quote
  return { quoteId: newest.quoteId, isTagged: false }
}

/** The message of a name. An index counts the receipt's logs, or the block's where that names the quote's event. */
const findNamed = async (
  { chain, equalQuotes }: { readonly chain: EvmChain; readonly equalQuotes: EqualQuotes },
  quote: QuoteRecord,
  expected: ExpectedMessage,
  name: string,
): Promise<Located> => {
  const parsed = parseMessageName(name)
  if (parsed === undefined) return MISMATCHED
  const { txHash, index } = parsed
  const receipt = await chain.receipt(txHash)
  if (receipt === undefined) return NOTHING
  if (isOlderThan(receipt, quote.createdAt)) return MISMATCHED
  const sighting = sightingOf(receipt, expected, quote)
  if (!receipt.succeeded) return wasQuoted(receipt, quote, expected) ? found(sighting, 0) : MISMATCHED
  const { positions } = sighting
  const position =
    index === undefined
      ? positions[0]
      : (positions.find((own) => own === index) ??
        positions.find((own) => own + receipt.firstLogIndex === index))
  if (position === undefined) return MISMATCHED
  if (isTagged(sighting, quote)) return found(sighting, position)
  const owner = await ownerOf(equalQuotes, quote, sighting)
  return owner.isTagged ? MISMATCHED : found(sighting, position)
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

/** The receipts of the transactions that emitted the quote's event since it was made, oldest first. */
const sightingsOf = async (
  { chain, history }: { readonly chain: EvmChain; readonly history: EventHistory },
  quote: QuoteRecord,
  expected: ExpectedMessage,
): Promise<readonly Sighting[]> => {
  const { sourceBlock } = quote.binding
  if (typeof sourceBlock !== 'number') return []
  const logs = (await history(BigInt(Math.max(0, sourceBlock - REORG_BLOCKS)))).filter(expected.matches)
  const blocks = new Map(logs.map(({ txHash, blockNumber }) => [txHash, blockNumber]))
  const hashes = [...blocks.keys()]
  const isAbove = (txHash: string): boolean => (blocks.get(txHash) ?? 0n) > BigInt(sourceBlock)
  const below = hashes.filter((txHash) => !isAbove(txHash))
  const above = hashes.filter(isAbove).slice(0, MAX_TRANSACTIONS)
  const [early, late] = await Promise.all([
    notOlder(chain, below, quote),
    Promise.all(above.map(chain.receipt)),
  ])
  return [...early, ...late].flatMap((receipt) =>
    receipt?.succeeded !== true || isOlderThan(receipt, quote.createdAt)
      ? []
      : [sightingOf(receipt, expected, quote)],
  )
}

/** The message whose transaction carries the quote's tag, or an untagged one that belongs to the quote. */
const findTagged = async (
  equalQuotes: EqualQuotes,
  quote: QuoteRecord,
  sightings: readonly Sighting[],
): Promise<Located> => {
  for (const sighting of sightings) {
    const [position] = sighting.positions
    if (position !== undefined && isTagged(sighting, quote)) return found(sighting, position)
  }
  const candidates: string[] = []
  for (const sighting of sightings) {
    const [position] = sighting.positions
    const owner = await ownerOf(equalQuotes, quote, sighting)
    if (position === undefined || owner.isTagged) continue
    if (owner.quoteId === quote.quoteId) return found(sighting, position)
    candidates.push(`${sighting.receipt.txHash}-${position}`)
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
  return async (quote: QuoteRecord, name: string | undefined): Promise<Located> => {
    try {
      const chain = deps.evmChains.get(quote.fromChain)
      if (chain === undefined) throw new ConfigError(`chain ${quote.fromChain} is not configured any more`)
      const expected = expectedOf(quote)
      if (name !== undefined) return await findNamed({ chain, equalQuotes }, quote, expected, name)
      const history = historyOf(chain, expected.among)
      return await findTagged(equalQuotes, quote, await sightingsOf({ chain, history }, quote, expected))
    } catch (error) {
      deps.log('warn', 'source_message_search_failed', { quoteId: quote.quoteId, error })
      return { located: 'unreadable' }
    }
  }
}
