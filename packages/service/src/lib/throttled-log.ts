import type { Log } from './log.ts'
import { createLru } from './lru.ts'

const SILENCE_MS = 30_000
const MAX_REMEMBERED = 1_000

/** What makes a fault the same as an earlier one: its message and where it happened, not the error's own text. */
const identityOf = (message: string, fields: Readonly<Record<string, unknown>> | undefined): string =>
  [message, fields?.['chainId'], fields?.['key'], fields?.['purpose']].join(' ')

/** A log that writes the same fault at most every thirty seconds, however often the work is tried again. */
export const createThrottledLog = (log: Log, now: () => number): Log => {
  const writtenAt = createLru<string, number>(MAX_REMEMBERED)
  return (level, message, fields) => {
    if (level !== 'info') {
      const identity = identityOf(message, fields)
      const last = writtenAt.get(identity)
      if (last !== undefined && now() - last < SILENCE_MS) return
      writtenAt.set(identity, now())
    }
    log(level, message, fields)
  }
}
