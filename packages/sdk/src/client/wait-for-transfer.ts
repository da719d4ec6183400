import { isTerminal, type Status } from '../wire/status.ts'
import { checkTimeout, DeadlineError, withDeadline } from './deadline.ts'
import { isTransient } from './request.ts'
import { RfqError } from './rfq-error.ts'
import { sleep } from './sleep.ts'
import type { StatusQuery } from './status-query.ts'

/**
 * Options of a wait; the result of an `execute…Quote` function fits. Callbacks are optional; an aborted `signal`
 * rejects with its reason.
 * @example
 * const wait: TransferWait = { quoteId: 'quote_…', timeoutMs: 3_600_000, onStatus: ({ state }) => console.log(state) }
 */
export type TransferWait = StatusQuery & {
  /** Called with each status that differs from the previous one. */
  readonly onStatus?: (status: Status) => void
  /** Called with each failed read, which says nothing about the transfer. */
  readonly onReadError?: (error: unknown) => void
  /** Milliseconds between reads; 1,000 by default. */
  readonly pollMs?: number
  /** By default 10 minutes, or three times `estimatedTimeSeconds` when that is longer. */
  readonly timeoutMs?: number
  /** The quote's `estimatedTimeSeconds`. */
  readonly estimatedTimeSeconds?: number
  readonly signal?: AbortSignal
  /**
   * `resolved` (default) also ends the wait at REFUND_INITIATED, the last state of routes that cannot observe the
   * refund's arrival; `final` ends it only at DONE, REFUNDED and FAILED. Source: interface "States and transitions"
   * rule 2.
   */
  readonly until?: 'resolved' | 'final'
}

/**
 * How a wait ended; `status` is the last one read, if any.
 * @example
 * const textOf = (outcome: WaitOutcome): string =>
 *   outcome.ended === 'resolved' ? outcome.status.state : `still ${outcome.status?.state ?? 'unknown'}`
 */
export type WaitOutcome =
  | { readonly ended: 'resolved'; readonly status: Status }
  | { readonly ended: 'timed_out'; readonly status: Status | undefined }

type ReadStatus = (query: StatusQuery, signal: AbortSignal) => Promise<Status>

const DEFAULT_POLL_MS = 1_000
const MIN_TIMEOUT_MS = 600_000
const ESTIMATES_WAITED = 3
/** The service's windows are shorter; a longer pause than this is not believed. */
const MAX_PAUSE_SECONDS = 3_600

/**
 * Polls the status until the transfer is resolved or the timeout has passed; network failures and 5xx are repeated, and
 * RATE_LIMITED after the pause that the service asks for.
 * Throws RfqError when the service rejects the lookup, and TransportError for a malformed answer.
 */
export const waitForTransfer = async (readStatus: ReadStatus, wait: TransferWait): Promise<WaitOutcome> => {
  const { pollMs = DEFAULT_POLL_MS, timeoutMs = defaultTimeoutMs(wait), signal } = wait
  checkTimeout('timeoutMs', timeoutMs)
  checkTimeout('pollMs', pollMs)
  let last: Status | undefined
  const poll = async (stop: AbortSignal): Promise<WaitOutcome> => {
    for (;;) {
      const { status, pauseMs = 0 } = await readOnce(readStatus, wait, stop)
      if (status !== undefined && JSON.stringify(status) !== JSON.stringify(last)) {
        last = status
        wait.onStatus?.(status)
      }
      if (status !== undefined && isEnd(status, wait.until ?? 'resolved'))
        return { ended: 'resolved', status }
      await sleep(Math.max(pollMs, pauseMs), stop)
    }
  }
  try {
    return await withDeadline({ timeoutMs, signal }, poll)
  } catch (error) {
    if (error instanceof DeadlineError) return { ended: 'timed_out', status: last }
    throw error
  }
}

const defaultTimeoutMs = ({ estimatedTimeSeconds = 0 }: TransferWait): number =>
  Math.max(MIN_TIMEOUT_MS, ESTIMATES_WAITED * estimatedTimeSeconds * 1000)

const readOnce = async (
  readStatus: ReadStatus,
  { quoteId, messageId, sourceChain, onReadError }: TransferWait,
  stop: AbortSignal,
): Promise<{ readonly status?: Status; readonly pauseMs?: number }> => {
  try {
    return { status: await readStatus({ quoteId, messageId, sourceChain }, stop) }
  } catch (error) {
    if (!isTransient(error)) throw error
    onReadError?.(error)
    return { pauseMs: askedPauseMs(error) }
  }
}

/** The pause that the service asks for when it rejects for too many requests, in milliseconds; else 0. */
const askedPauseMs = (error: unknown): number => {
  const seconds = error instanceof RfqError ? error.details['retryAfterSeconds'] : undefined
  return typeof seconds === 'number' && seconds > 0 ? Math.min(seconds, MAX_PAUSE_SECONDS) * 1000 : 0
}

const isEnd = ({ state }: Status, until: 'resolved' | 'final'): boolean =>
  isTerminal(state) || (until === 'resolved' && state === 'REFUND_INITIATED')
