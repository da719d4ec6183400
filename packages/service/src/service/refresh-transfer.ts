import { type ChainId, isTerminal } from '@openrfq/sdk'
import type { Backend, Lookup } from '../backends/backend.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import { noteStage } from '../core/seen-stages.ts'
import {
  advance,
  awaitingDeposit,
  type Details,
  isTentative,
  type Observation,
  revertDelivery,
  type Transfer,
} from '../core/transfer.ts'
import { newTransferNames } from '../core/transfer-names.ts'
import type { Log } from '../lib/log.ts'
import { shareInFlight } from '../lib/share-in-flight.ts'
import type { Store } from '../store/store.ts'
import { allWithin, TIMED_OUT } from './deadline.ts'
import type { NewsOf } from './transfer-news.ts'

/** The last known transfer, with details of the observation that are not stored; or a mismatched message. */
export type Refreshed = { readonly transfer: Transfer; readonly details: Details } | 'mismatched'

/** Reads the chains once about a transfer, saves changes, and returns the current state. */
export type TransferRefresher = (quote: QuoteRecord, lookup: Lookup) => Promise<Refreshed>

export type RefreshDeps = {
  readonly store: Pick<Store, 'findTransfer' | 'saveTransfer' | 'saveNames'>
  readonly backends: ReadonlyMap<string, Backend>
  readonly log: Log
  /** Whether a quorum of a chain's endpoints do not know a delivery any more. Rejects without a quorum. */
  readonly isDeliveryGone: (chainId: ChainId, txHash: string) => Promise<boolean>
  /** The news that are saved with a change; none without it. */
  readonly newsOf?: NewsOf
  /** Called after each saved change. */
  readonly onSaved?: (transfer: Transfer) => void
  /** The service's clock, by which the first sight of each stage is noted with a change; nothing is noted without it. */
  readonly now?: () => number
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

/**
 * Saves the next state; if another process was first, returns its state. Undefined if nothing is stored because the message
 * belongs to another quote.
 */
const saveNext = async (
  deps: RefreshDeps,
  quote: QuoteRecord,
  known: Transfer,
  advanced: Transfer,
): Promise<Transfer | undefined> => {
  if (advanced === known) return known
  const noted = deps.now === undefined ? advanced : noteStage(advanced, deps.now())
  const next: Transfer = { ...noted, revision: known.revision + 1 }
  // Before the transfer, so that none is missing from the lists and searches.
  const names = newTransferNames(quote, known, next)
  if (names.length > 0) await deps.store.saveNames(quote.quoteId, names)
  if (await deps.store.saveTransfer(next, deps.newsOf?.(quote, known, next))) {
    const { quoteId, messageId, state: to } = next
    if (known.state !== to)
      deps.log('info', 'transfer_changed', { quoteId, messageId, from: known.state, to })
    deps.onSaved?.(next)
    return next
  }
  return deps.store.findTransfer(known.quoteId, known.messageId)
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

/** Whether the chain took a transfer's delivery back; not while that cannot be read. */
const isTakenBack = async (deps: RefreshDeps, { quoteId, destination }: Transfer): Promise<boolean> => {
  if (destination === null) return false
  const { chain, txHash } = destination
  try {
    const [gone] = await allWithin([deps.isDeliveryGone(chain, txHash)], deps.trackDeadlineMs)
    return gone === true
  } catch (error) {
    deps.log('warn', 'delivery_read_failed', { quoteId, txHash, error })
    return false
  }
}

/** Follows a delivery that made its transfer DONE before it was final. */
const refreshDelivery = async (
  deps: RefreshDeps,
  quote: QuoteRecord,
  lookup: Lookup,
  known: Transfer,
): Promise<Refreshed> => {
  const observation = await observe(deps, quote, lookup)
  if (observation.seen === 'unreadable') return { transfer: known, details: { stale: true } }
  const advanced = advance(known, observation)
  const wasReverted = known.details['deliveryReverted'] === true
  if (
    advanced !== known ||
    wasReverted ||
    observation.seen === 'delivered' ||
    !(await isTakenBack(deps, known))
  )
    return { transfer: (await saveNext(deps, quote, known, advanced)) ?? known, details: {} }
  deps.log('error', 'delivery_reverted', {
    quoteId: quote.quoteId,
    ...known.destination,
    output: known.output,
  })
  const reverted = revertDelivery(known, observation.details)
  return { transfer: (await saveNext(deps, quote, known, reverted)) ?? known, details: {} }
}

const refresh = async (deps: RefreshDeps, quote: QuoteRecord, lookup: Lookup): Promise<Refreshed> => {
  const messageId = lookup?.messageId ?? ''
  const stored = await deps.store.findTransfer(quote.quoteId, messageId)
  const known = stored ?? awaitingDeposit(quote.quoteId, messageId)
  if (isTentative(known)) return refreshDelivery(deps, quote, lookup, known)
  if (isTerminal(known.state)) return { transfer: known, details: await lateDepositsOf(deps, quote) }
  const observation = await observe(deps, quote, lookup)
  if (observation.seen === 'mismatched' && stored === undefined) return 'mismatched'
  if (observation.seen === 'unreadable')
    return { transfer: known, details: { ...observation.details, stale: true } }
  if (observation.seen === 'nothing' && stored === undefined)
    return { transfer: { ...known, details: observation.details }, details: {} }
  const transfer = await saveNext(deps, quote, known, advance(known, observation))
  return transfer === undefined ? 'mismatched' : { transfer, details: {} }
}

/**
 * Creates a refresher; concurrent callers about the same transfer share one observation. A failed observation changes
 * nothing and shows as `stale` in the details.
 */
export const createRefresher = (deps: RefreshDeps): TransferRefresher => {
  const share = shareInFlight<string, Refreshed>()
  return (quote, lookup) =>
    share(`${quote.quoteId} ${lookup?.messageId ?? ''}`, () => refresh(deps, quote, lookup))
}
