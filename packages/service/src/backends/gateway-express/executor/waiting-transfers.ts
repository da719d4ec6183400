import type { Instant } from '../../../core/instant.ts'
import { backoffMs } from '../../../lib/backoff.ts'
import type { ServedTransfer } from './sent-message.ts'

/** A transfer to a chain that waits for its delivery. */
export type WaitingTransfer = ServedTransfer & {
  readonly seenAt: Instant
  readonly isFinal: boolean
  readonly lookAt: Instant
  /** How often its delivery has failed when it was tried. */
  readonly failures: number
  /** How often in a row it was held up since it is confirmed. */
  readonly holds: number
}

/** The transfers that wait, oldest first; a bounded number, and each for a bounded time. */
export type WaitingTransfers = {
  /** Notes a transfer that was seen, or seen to be final. Returns the one that was dropped for it. */
  readonly note: (sent: ServedTransfer, isFinal: boolean) => WaitingTransfer | undefined
  /** Forgets a transfer: it is over, or its block left the chain. */
  readonly drop: (transferId: string) => void
  /** Looks at a transfer again after a pause, which grows with its holds. */
  readonly postpone: (transferId: string, counts: Pick<WaitingTransfer, 'failures' | 'holds'>) => void
  /** Those that are due, the longest due first; at most `limit`. Forgets those that have waited too long. */
  readonly due: (limit: number) => readonly WaitingTransfer[]
}

const CAPACITY = 1_000
/** A look at a confirmed transfer asks several endpoints: one that a bound holds up for hours is seldom looked at. */
const PAUSE = { firstMs: 1_000, maximumMs: 60_000 }
/** By then its ordinary delivery is near on every chain. */
const LONGEST_MS = 2 * 3_600_000

/** Creates an empty list. */
export const createWaitingTransfers = (now: () => Instant): WaitingTransfers => {
  const waiting = new Map<string, WaitingTransfer>()
  return {
    note: (sent, isFinal) => {
      const known = waiting.get(sent.transferId)
      const [oldest] = waiting.values()
      const isFull = known === undefined && waiting.size >= CAPACITY
      if (isFull && oldest !== undefined) waiting.delete(oldest.transferId)
      const fresh = { seenAt: now(), lookAt: now(), failures: 0, holds: 0 }
      // A reorg may have moved it to another block.
      waiting.set(sent.transferId, { ...fresh, ...known, ...sent, isFinal })
      return isFull ? oldest : undefined
    },
    drop: (transferId) => void waiting.delete(transferId),
    postpone: (transferId, { failures, holds }) => {
      const known = waiting.get(transferId)
      if (known === undefined) return
      waiting.set(transferId, { ...known, failures, holds, lookAt: now() + backoffMs(PAUSE, holds) })
    },
    due: (limit) => {
      for (const { transferId, seenAt } of waiting.values())
        if (now() - seenAt > LONGEST_MS) waiting.delete(transferId)
      return [...waiting.values()]
        .filter(({ lookAt }) => lookAt <= now())
        .toSorted((one, other) => one.lookAt - other.lookAt)
        .slice(0, limit)
    },
  }
}
