import { isTerminal } from '@openrfq/sdk'
import type { Backend, Lookup } from '../backends/backend.ts'
import type { QuoteId } from '../core/quote-id.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import { advance, awaitingDeposit, type Details, type Observation, type Transfer } from '../core/transfer.ts'
import type { Log } from '../lib/log.ts'
import { createLru } from '../lib/lru.ts'
import { shareInFlight } from '../lib/share-in-flight.ts'
import { type BucketSize, createTokenBucket, type TokenBucket } from '../lib/token-bucket.ts'
import type { Store } from '../store/store.ts'
import { allWithin, TIMED_OUT } from './deadline.ts'

/** The last known transfer, with details of the observation that are not stored; or a mismatched message. */
export type Refreshed = { readonly transfer: Transfer; readonly details: Details } | 'mismatched'

/**
 * Reads the chains once about a transfer, saves changes, and returns the current state. `client` is who asks, by the key of
 * its limits; the service itself without it.
 */
export type TransferRefresher = (quote: QuoteRecord, lookup: Lookup, client?: string) => Promise<Refreshed>

export type RefreshDeps = {
  readonly store: Pick<Store, 'findTransfer' | 'saveTransfer'>
  readonly backends: ReadonlyMap<string, Backend>
  readonly log: Log
  /** Milliseconds that never go back. */
  readonly steady: () => number
  /** Deadline of the chain reads; after it the last known state is returned. */
  readonly trackDeadlineMs: number
}

const UNREADABLE: Observation = { seen: 'unreadable', details: {} }

const observe = async (deps: RefreshDeps, quote: QuoteRecord, lookup: Lookup): Promise<Observation> => {
  const backend = deps.backends.get(quote.backend)
  if (backend === undefined) return UNREADABLE
  try {
    const [observation = TIMED_OUT] = await allWithin([backend.track(quote, lookup)], deps.trackDeadlineMs)
    if (observation !== TIMED_OUT) return observation
    deps.log('warn', 'transfer_read_timed_out', { quoteId: quote.quoteId })
  } catch (error) {
    deps.log('error', 'backend_tracking_failed', { quoteId: quote.quoteId, error })
  }
  return UNREADABLE
}

/** Saves the next state; if another process was first, returns its state. */
const saveNext = async (deps: RefreshDeps, known: Transfer, advanced: Transfer): Promise<Transfer> => {
  if (advanced === known) return known
  if (known.revision === 0 && advanced.state === 'AWAITING_DEPOSIT') return advanced
  const next: Transfer = { ...advanced, revision: known.revision + 1 }
  if (await deps.store.saveTransfer(next)) {
    const { quoteId, messageId, state: to } = next
    if (known.state !== to)
      deps.log('info', 'transfer_changed', { quoteId, messageId, from: known.state, to })
    return next
  }
  return (await deps.store.findTransfer(known.quoteId, known.messageId)) ?? known
}

/** The backend's details about late deposits of a terminal transfer. */
const lateDepositsOf = async ({ backends, log }: RefreshDeps, quote: QuoteRecord): Promise<Details> => {
  try {
    return (await backends.get(quote.backend)?.lateDeposits?.(quote)) ?? {}
  } catch (error) {
    log('error', 'late_deposit_read_failed', { quoteId: quote.quoteId, error })
    return {}
  }
}

/** How many unknown messages are looked up: of one quote, which has one or two real ones, for one client, and of all. */
const UNKNOWN_OF_QUOTE: BucketSize = { burst: 8, perSecond: 1 }
const UNKNOWN_OF_CLIENT: BucketSize = { burst: 40, perSecond: 10 }
const UNKNOWN_OF_ALL: BucketSize = { burst: 200, perSecond: 50 }
const QUOTES_KEPT = 10_000
const CLIENTS_KEPT = 10_000

const MESSAGES_KEPT = 20_000
/** The client of the service's own reads. */
const OURSELVES = ''

/**
 * Lets through as many unknown messages as the chains' endpoints can bear. One that was let through costs nothing again:
 * chains are read about it once per block.
 */
const createBudget = (now: () => number) => {
  const admitted = createLru<string, true>(MESSAGES_KEPT)
  const ofAll = createTokenBucket(UNKNOWN_OF_ALL, now)
  const ofQuote = createBuckets(UNKNOWN_OF_QUOTE, QUOTES_KEPT, now)
  const ofClient = createBuckets(UNKNOWN_OF_CLIENT, CLIENTS_KEPT, now)
  return (quoteId: QuoteId, messageId: string, client: string): boolean => {
    const key = `${quoteId} ${messageId}`
    if (admitted.get(key) === true) return true
    if (!ofQuote(quoteId).take() || !ofClient(client).take() || !ofAll.take()) return false
    admitted.set(key, true)
    return true
  }
}

/** A bucket of its own for each key, of which the most recent are kept. */
const createBuckets = (size: BucketSize, kept: number, now: () => number) => {
  const buckets = createLru<string, TokenBucket>(kept)
  return (key: string): TokenBucket => {
    const bucket = buckets.get(key) ?? createTokenBucket(size, now)
    buckets.set(key, bucket)
    return bucket
  }
}

const refresh = async (
  deps: RefreshDeps,
  quote: QuoteRecord,
  lookup: Lookup,
  client: string,
  mayLookUp: ReturnType<typeof createBudget>,
): Promise<Refreshed> => {
  const messageId = lookup?.messageId ?? ''
  const stored = await deps.store.findTransfer(quote.quoteId, messageId)
  const known = stored ?? awaitingDeposit(quote.quoteId, messageId)
  if (isTerminal(known.state)) return { transfer: known, details: await lateDepositsOf(deps, quote) }
  if (stored === undefined && lookup !== null && !mayLookUp(quote.quoteId, messageId, client))
    return { transfer: known, details: { stale: true } }
  const observation = await observe(deps, quote, lookup)
  if (observation.seen === 'mismatched' && stored === undefined) return 'mismatched'
  if (observation.seen === 'unreadable')
    return { transfer: known, details: { ...observation.details, stale: true } }
  return { transfer: await saveNext(deps, known, advance(known, observation)), details: {} }
}

/**
 * Creates a refresher; concurrent callers about the same transfer share one observation. A failed observation changes
 * nothing and shows as `stale` in the details, as does an unknown message beyond what may be looked up: eight of one
 * quote at once and one a second from then on, forty and ten for one client, fifty a second of all.
 */
export const createRefresher = (deps: RefreshDeps): TransferRefresher => {
  const share = shareInFlight<string, Refreshed>()
  const mayLookUp = createBudget(deps.steady)
  return (quote, lookup, client = OURSELVES) =>
    share(`${quote.quoteId} ${lookup?.messageId ?? ''}`, () =>
      refresh(deps, quote, lookup, client, mayLookUp),
    )
}
