import type { Log } from './log.ts'
import { createLru } from './lru.ts'

const SILENCE_MS = 30_000
const MAX_REMEMBERED = 1_000
/** The fields that tell two faults of the same event apart. */
const IDENTIFYING = ['chainId', 'endpoint', 'backend', 'key', 'purpose', 'listener']

/** What makes a fault the same as an earlier one: its event and where it happened, not the error's own text. */
const identityOf = (event: string, fields: Readonly<Record<string, unknown>> | undefined): string =>
  [event, ...IDENTIFYING.map((name) => fields?.[name])].join(' ')

/** A log that writes the same fault at most every thirty seconds, however often the work is tried again. */
export const createThrottledLog = (log: Log, now: () => number): Log => {
  const writtenAt = createLru<string, number>(MAX_REMEMBERED)
  return (level, event, fields) => {
    if (level !== 'info') {
      const identity = identityOf(event, fields)
      const last = writtenAt.get(identity)
      if (last !== undefined && now() - last < SILENCE_MS) return
      writtenAt.set(identity, now())
    }
    log(level, event, fields)
  }
}
