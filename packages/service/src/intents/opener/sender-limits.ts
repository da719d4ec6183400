import type { Instant } from '../../core/instant.ts'
import { type Backoff, backoffMs } from '../../lib/backoff.ts'
import { createLru } from '../../lib/lru.ts'

/**
 * Lets a sender have one opening at a time, and none for a while after one that failed on chain: only then has it cost gas for
 * nothing. Senders are lower-case addresses, on all chains alike.
 */
export type SenderLimits = {
  /** Milliseconds until the sender may try; 0 if it may now. */
  readonly waitMs: (sender: string) => number
  /** Takes the sender's turn; false if another of its openings has it. */
  readonly take: (sender: string) => boolean
  /** Gives the turn back. */
  readonly release: (sender: string) => void
  /** Notes how an opening ended; returns the pause that follows in milliseconds. */
  readonly ended: (sender: string, outcome: 'succeeded' | 'failed') => number
}

const PAUSE: Backoff = { firstMs: 600_000, maximumMs: 86_400_000 }
/** While an opening waits for its block. */
const BUSY_MS = 2_000
const MOST_BUSY = 256
const MOST_PAUSED = 50_000

/** Creates the limits; pauses are 10 minutes after the first failure in a row, doubled after each further one. */
export const createSenderLimits = (now: () => Instant): SenderLimits => {
  const busy = new Set<string>()
  const pauses = createLru<string, { readonly failures: number; readonly until: Instant }>(MOST_PAUSED)
  return {
    waitMs: (sender) => {
      if (busy.has(sender) || busy.size >= MOST_BUSY) return BUSY_MS
      return Math.max(0, (pauses.get(sender)?.until ?? 0) - now())
    },
    take: (sender) => {
      if (busy.has(sender) || busy.size >= MOST_BUSY) return false
      busy.add(sender)
      return true
    },
    release: (sender) => {
      busy.delete(sender)
    },
    ended: (sender, outcome) => {
      const before = pauses.get(sender)
      if (outcome === 'succeeded') {
        pauses.delete(sender)
        return 0
      }
      const failures = (before?.failures ?? 0) + 1
      const pauseMs = backoffMs(PAUSE, failures)
      pauses.set(sender, { failures, until: now() + pauseMs })
      return pauseMs
    },
  }
}
