import type { Status, StatusQuery, TransferWait, WaitOutcome } from '@openrfq/sdk'
import type { Context } from './command.ts'
import { EXIT, type ExitCode, exitCodeOfState } from './exit-code.ts'
import type { FlagSpec, Flags } from './flags.ts'
import { numberOf } from './quote-flags.ts'
import { durationText } from './show-quote.ts'
import { stageText, stateText } from './show-status.ts'
import { UsageError } from './usage-error.ts'

/** The flag that limits how long a transfer is followed. */
export const TIMEOUT_FLAG: FlagSpec = {
  name: 'timeout',
  value: 'seconds',
  help: 'stop following after this long; default 600',
}

const POLL_MS = 500
const TICK_MS = 250
const DEFAULT_TIMEOUT_SECONDS = 600
const MAX_TIMEOUT_SECONDS = 1_000_000

/** The time limit from the flags, in milliseconds. Throws UsageError. */
export const timeoutMsOf = (flags: Flags): number => {
  const text = flags.text('timeout')
  const seconds = text === undefined ? DEFAULT_TIMEOUT_SECONDS : numberOf('timeout', text)
  if (seconds > 0 && seconds <= MAX_TIMEOUT_SECONDS) return Math.ceil(seconds * 1000)
  throw new UsageError(`--timeout is "${text}"; expected seconds from 1 to ${MAX_TIMEOUT_SECONDS}`)
}

/**
 * Follows a transfer to its end or the time limit; calls `onStatus` for each change and, on a terminal, shows the
 * elapsed time.
 */
export const follow = async (
  context: Context,
  query: StatusQuery & Pick<TransferWait, 'until'>,
  timeoutMs: number,
  onStatus: (status: Status, elapsedSeconds: number) => void,
): Promise<WaitOutcome> => {
  const { client, terminal, now } = context
  const startedAt = now()
  const elapsedSeconds = (): number => Math.floor((now() - startedAt) / 1000)
  let doing = 'asking for the status'
  const timer = setInterval(() => terminal.progress(`${durationText(elapsedSeconds())}  ${doing} …`), TICK_MS)
  try {
    return await client.waitForTransfer({
      ...query,
      timeoutMs,
      pollMs: POLL_MS,
      onStatus: (status) => {
        doing = [status.state, stageText(status)].filter((part) => part !== '').join(', ')
        onStatus(status, elapsedSeconds())
      },
      onReadError: (fault) => {
        doing = `the status cannot be read (${fault instanceof Error ? fault.message : String(fault)})`
      },
    })
  } finally {
    clearInterval(timer)
    terminal.progress('')
  }
}

/** Formats a change as one line: elapsed time, state, and progress. */
export const changeLine = (status: Status, elapsedSeconds: number, context: Context): string =>
  `${`${elapsedSeconds} s`.padStart(6)}  ${stateText(status, context.terminal.paint)}  ${stageText(status)}`.trimEnd()

/** Says that following ended at its time limit, and how to follow again. */
export const stoppedText = (timeoutMs: number, lookup: string): string =>
  `Stopped watching after ${durationText(timeoutMs / 1000)}; nothing was cancelled. Watch again: rfq watch ${lookup}`

/** The exit code of a followed transfer. */
export const exitCodeOfWait = (outcome: WaitOutcome): ExitCode =>
  outcome.ended === 'timed_out' ? EXIT.pending : exitCodeOfState(outcome.status.state)
