import type { Log } from './log.ts'
import { conditionOfEnd, isCondition } from './log-conditions.ts'
import { createLru } from './lru.ts'

type Fields = Readonly<Record<string, unknown>> | undefined

/** The last line of a fault, and the timer of its next begin that is held back. */
type Fault = { readonly writtenAt: number; held: NodeJS.Timeout | undefined }

const SILENCE_MS = 30_000
const MAX_REMEMBERED = 1_000
/** The fields that distinguish two faults of the same event. */
const IDENTIFYING = ['chainId', 'endpoint', 'backend', 'key', 'purpose', 'listener', 'webhook']
/** The further fields that distinguish two conditions; their end has them as well. */
const IDENTIFYING_CONDITIONS = [...IDENTIFYING, 'token', 'reason', 'solver', 'pair', 'txHash', 'position']

/** Identifies a fault by its event and place, independent of the error's text. */
const identityOf = (event: string, fields: Fields): string => {
  // The end of this condition does not repeat why it began.
  const names = event === 'rpc_endpoint_put_aside' ? IDENTIFYING : namesFor(event)
  return [event, ...names.map((name) => fields?.[name])].join(' ')
}

const namesFor = (event: string): readonly string[] =>
  isCondition(event) ? IDENTIFYING_CONDITIONS : IDENTIFYING

/**
 * Creates a log that writes the same fault at most every thirty seconds. A condition that begins again sooner is written
 * once those thirty seconds have passed, and neither its begin nor its end is written if it ended before.
 */
export const createThrottledLog = (log: Log, now: () => number): Log => {
  const faults = createLru<string, Fault>(MAX_REMEMBERED)
  const write: Log = (level, event, fields) => {
    faults.set(identityOf(event, fields), { writtenAt: now(), held: undefined })
    log(level, event, fields)
  }
  const begin: Log = (level, event, fields) => {
    const fault = faults.get(identityOf(event, fields))
    const remainingMs = fault === undefined ? 0 : fault.writtenAt + SILENCE_MS - now()
    if (fault === undefined || remainingMs <= 0) {
      clearTimeout(fault?.held)
      write(level, event, fields)
    } else if (isCondition(event) && fault.held === undefined) {
      fault.held = setTimeout(() => write(level, event, fields), remainingMs)
      fault.held.unref()
    }
  }
  const end: Log = (level, event, fields) => {
    const condition = conditionOfEnd(event)
    const fault = condition === undefined ? undefined : faults.get(identityOf(condition, fields))
    if (fault?.held === undefined) return log(level, event, fields)
    clearTimeout(fault.held)
    fault.held = undefined
  }
  return (level, event, fields) => (level === 'info' ? end : begin)(level, event, fields)
}
