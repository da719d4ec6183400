import { createSteadyClock } from '../client/steady-clock.ts'
import type { Quote } from '../wire/quote.ts'
import type { Execution } from './execution.ts'
import { ExecutionError } from './execution-error.ts'

/** The time since the execution began, added to the time at which it began: milliseconds since 1970. */
export const createClock = ({ now = Date.now() }: Pick<Execution, 'now'>): (() => number) => {
  const clock = createSteadyClock()
  const startedAt = clock()
  return () => now + (clock() - startedAt)
}

/** Throws ExecutionError `expired` from the quote's expiry on. */
export const checkUnexpired = ({ quoteId, validity }: Quote, now: number, actionId?: string): void => {
  // An invalid expiry or clock must not keep a quote valid forever.
  if (now < Date.parse(validity.quoteExpiresAt)) return
  const message = `quote ${quoteId} expired at ${validity.quoteExpiresAt}; ask for a fresh one`
  throw new ExecutionError('expired', message, actionId === undefined ? {} : { actionId })
}
