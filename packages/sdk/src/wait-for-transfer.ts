import { isTransient } from './request.ts'
import { sleep } from './sleep.ts'
import type { Status } from './status.ts'
import type { StatusQuery } from './status-query.ts'
import { isTerminal } from './transfer.ts'

/** How to follow a transfer. Both callbacks are optional; `signal` ends the wait by rejecting with its reason. */
export type TransferWait = StatusQuery & {
  /** Called with each status that differs from the one before. */
  readonly onStatus?: (status: Status) => void
  /** Called with each read that failed; a failed read says nothing about the transfer. */
  readonly onFault?: (fault: unknown) => void
  readonly pollMs?: number
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  /**
   * What ends the wait: `resolved` (default) also takes REFUND_INITIATED, where routes stop that cannot see the
   * refund land; `final` takes DONE, REFUNDED and FAILED only. Source: interface "States and transitions" rule 2.
   */
  readonly until?: 'resolved' | 'final'
}

/** How a wait ended; `status` is the last one read, if any was. */
export type WaitOutcome =
  | { readonly ended: 'resolved'; readonly status: Status }
  | { readonly ended: 'timed_out'; readonly status: Status | undefined }

type ReadStatus = (query: StatusQuery, signal: AbortSignal) => Promise<Status>

const DEFAULT_POLL_MS = 1_000
const DEFAULT_TIMEOUT_MS = 600_000

/**
 * Polls the status until the transfer is resolved or the time is up; faults and 5xx are waited out. Throws RfqError
 * when the service refuses the lookup itself, and ServiceFault when it answers out of shape.
 */
export const waitForTransfer = async (readStatus: ReadStatus, wait: TransferWait): Promise<WaitOutcome> => {
  const deadline = AbortSignal.timeout(wait.timeoutMs ?? DEFAULT_TIMEOUT_MS)
  const stop = wait.signal === undefined ? deadline : AbortSignal.any([deadline, wait.signal])
  let last: Status | undefined
  try {
    for (;;) {
      const status = await readOnce(readStatus, wait, stop)
      if (status !== undefined && JSON.stringify(status) !== JSON.stringify(last)) {
        last = status
        wait.onStatus?.(status)
      }
      if (status !== undefined && isEnd(status, wait.until ?? 'resolved'))
        return { ended: 'resolved', status }
      await sleep(wait.pollMs ?? DEFAULT_POLL_MS, stop)
    }
  } catch (error) {
    if (wait.signal?.aborted !== true && error === deadline.reason)
      return { ended: 'timed_out', status: last }
    throw error
  }
}

const readOnce = async (
  readStatus: ReadStatus,
  { quoteId, messageId, sourceChain, onFault }: TransferWait,
  stop: AbortSignal,
): Promise<Status | undefined> => {
  try {
    return await readStatus({ quoteId, messageId, sourceChain }, stop)
  } catch (error) {
    if (!isTransient(error)) throw error
    onFault?.(error)
    return undefined
  }
}

const isEnd = ({ state }: Status, until: 'resolved' | 'final'): boolean =>
  state !== 'NOT_FOUND' && (isTerminal(state) || (until === 'resolved' && state === 'REFUND_INITIATED'))
