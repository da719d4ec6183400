import type { Log } from './log.ts'
import { createLru } from './lru.ts'

const SILENCE_MS = 30_000
const MAX_REMEMBERED = 1_000
/** The fields that distinguish two faults of the same event. */
const IDENTIFYING = ['chainId', 'endpoint', 'backend', 'key', 'purpose', 'listener']

/** Identifies a fault by its event and place, independent of the error's text. */
const identityOf = (event: string, fields: Readonly<Record<string, unknown>> | undefined): string =>
  [event, ...IDENTIFYING.map((name) => fields?.[name])].join(' ')

/** Creates a log that writes the same fault at most every thirty seconds. */
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
