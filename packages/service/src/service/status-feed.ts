import { createHash } from 'node:crypto'
import { isSettled } from '@openrfq/sdk'
import type { RevisedStatus, StatusAnswer, StatusQuery } from '../core/status.ts'
import type { Lifecycle } from '../lib/lifecycle.ts'
import type { Log } from '../lib/log.ts'
import { createPoller } from '../lib/poller.ts'

/**
 * A status as its followers get it. `id` names the transfer's revision and this very text, so that a follower who comes
 * back with it is sent nothing twice; `isLast` says that no other one follows.
 */
export type FollowedStatus = { readonly id: string; readonly text: string; readonly isLast: boolean }

type Revised = FollowedStatus & { readonly revision: number }

/** The statuses that somebody follows. */
export type StatusFeed = Lifecycle & {
  /**
   * Calls `onNext` with the present status and with each later one, until the last one or a call of the function that it
   * resolves with after the first. `client` asks, by the key of its limits. Rejects as a single look-up does.
   */
  readonly follow: (
    query: StatusQuery,
    client: string,
    onNext: (status: FollowedStatus) => void,
  ) => Promise<() => void>
  /** Reads the followed statuses of a quote at once: its transfer was saved. */
  readonly changed: (quoteId: string) => void
}

export type ReadStatus = (query: StatusQuery, client: string) => Promise<RevisedStatus>

/** What followers of one query share. */
type Followed = {
  readonly quoteId: string
  readonly listeners: Set<(status: FollowedStatus) => void>
  readonly last: () => FollowedStatus
  /** Tells everybody a status that somebody else read, unless it is older than the last one. */
  readonly learn: (status: Revised) => void
  /** Reads once, or once more after the running read, which may have begun before a change. */
  readonly read: () => Promise<void>
}

const ROUND_MS = 1_000
/** Statuses read in a round; more are read in turn. */
const READ_AT_ONCE = 200

/**
 * Creates a feed. It reads each followed status every second, or up to 200 of them in turn, and at once after a change that
 * this process saves; followers of the same query share a read.
 */
export const createStatusFeed = (deps: {
  readonly readStatus: ReadStatus
  readonly log: Log
}): StatusFeed => {
  // In the order of their last reads.
  const followed = new Map<string, Followed>()
  const byQuote = new Map<string, Set<Followed>>()
  const drop = (key: string, one: Followed): void => {
    if (followed.get(key) === one) followed.delete(key)
    const ofQuote = byQuote.get(one.quoteId)
    ofQuote?.delete(one)
    if (ofQuote?.size === 0) byQuote.delete(one.quoteId)
  }
  const readNext = async (): Promise<void> => {
    const due = [...followed.entries().take(READ_AT_ONCE)]
    for (const [key, one] of due) {
      followed.delete(key)
      followed.set(key, one)
    }
    const reads = await Promise.allSettled(due.map(([, one]) => one.read()))
    const failed = reads.find((outcome) => outcome.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }
  const { start, stop } = createPoller({
    name: 'status_feed',
    periodMs: ROUND_MS,
    run: readNext,
    log: deps.log,
  })
  return {
    start,
    stop,
    follow: async (query, client, onNext) => {
      const readNow = async (): Promise<Revised> => followedOf(await deps.readStatus(query, client))
      const present = await readNow()
      const key = keyOf(query)
      const known = followed.get(key)
      known?.learn(present)
      if (present.isLast) {
        onNext(present)
        return () => undefined
      }
      const one = known ?? createFollowed(query.quoteId, present, readNow, () => drop(key, one))
      followed.set(key, one)
      byQuote.set(query.quoteId, (byQuote.get(query.quoteId) ?? new Set()).add(one))
      const listener = (status: FollowedStatus): void => onNext(status)
      one.listeners.add(listener)
      // Now, so that no change comes in between.
      onNext(one.last())
      return () => {
        one.listeners.delete(listener)
        if (one.listeners.size === 0) drop(key, one)
      }
    },
    changed: (quoteId) => {
      // The next round reads it again, and logs the fault.
      for (const one of byQuote.get(quoteId) ?? []) one.read().catch(() => undefined)
    },
  }
}

const createFollowed = (
  quoteId: string,
  first: Revised,
  readNow: () => Promise<Revised>,
  onLast: () => void,
): Followed => {
  const listeners: Followed['listeners'] = new Set()
  let last = first
  let isReading = false
  let isStale = false
  const tell = (next: Revised): void => {
    if (next.id === last.id) return
    last = next
    if (next.isLast) onLast()
    for (const listener of [...listeners]) listener(next)
  }
  return {
    quoteId,
    listeners,
    last: () => last,
    learn: (status) => {
      if (status.revision >= last.revision) tell(status)
    },
    read: async () => {
      isStale = isReading
      if (isReading) return
      isReading = true
      try {
        do {
          isStale = false
          const before = last
          const next = await readNow()
          // A look-up of a new follower may have begun later and ended sooner.
          if (last !== before && next.revision < last.revision) isStale = true
          else tell(next)
        } while (isStale && listeners.size > 0)
      } finally {
        isReading = false
      }
    },
  }
}

const keyOf = ({ quoteId, messageId = '', sourceChain = '' }: StatusQuery): string =>
  `${quoteId} ${messageId} ${sourceChain}`

const HASH_CHARACTERS = 12

const followedOf = ({ revision, status }: RevisedStatus): Revised => {
  const text = JSON.stringify(status)
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, HASH_CHARACTERS)
  return { revision, id: `${revision}.${hash}`, text, isLast: isLastState(status) }
}

const isLastState = (status: StatusAnswer): boolean => status.state === 'NOT_FOUND' || isSettled(status)
