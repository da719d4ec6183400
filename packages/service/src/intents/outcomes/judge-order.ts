import type { QuoteRecord } from '../../core/quote-record.ts'
import type { SolverOrderEnd } from '../../core/solver-order.ts'
import type { Transfer } from '../../core/transfer.ts'

type Verdict = Pick<SolverOrderEnd, 'outcome' | 'fillSeconds'>

const UNCOUNTED: Verdict = { outcome: 'uncounted', fillSeconds: undefined }

const FADED: Verdict = { outcome: 'faded', fillSeconds: undefined }

const secondsOf = (timestamp: string): number => Date.parse(timestamp) / 1000

/** The outcome of a refunded order; a deposit that was never complete says nothing about the solver. */
const refunded = ({ details }: Transfer): Verdict => {
  const { reasonCode } = details
  if (reasonCode === 'declined') return { outcome: 'declined', fillSeconds: undefined }
  return reasonCode === 'not_filled' ? FADED : UNCOUNTED
}

/**
 * How a solver's order ended, by its transfer, whose moves rest on agreed facts; undefined while it has not. An order
 * counts only if its deposit left the solver at least the time that the quote estimated. `completedAt` is when the last part
 * of the deposit was paid, in seconds, where that may be later than the transfer's source.
 */
export const judgeOrder = (
  { estimatedTimeSeconds, binding }: Pick<QuoteRecord, 'estimatedTimeSeconds' | 'binding'>,
  transfer: Transfer,
  completedAt?: number,
): Verdict | undefined => {
  const { state, source, destination } = transfer
  if (state === 'AWAITING_DEPOSIT' || state === 'PENDING') return undefined
  const depositedAt = source === null ? Number.NaN : (completedAt ?? secondsOf(source.timestamp))
  const left = Number(binding['fillDeadline']) - depositedAt
  if (state === 'FAILED' || !(left >= estimatedTimeSeconds)) return UNCOUNTED
  if (state !== 'DONE') return refunded(transfer)
  if (destination === null) return UNCOUNTED
  // Somebody else delivered, after the solver's time for itself had passed.
  if (transfer.details['filledBy'] !== undefined) return FADED
  // Blocks of different chains may disagree about the time.
  const fillSeconds = Math.max(0, Math.round(secondsOf(destination.timestamp) - depositedAt))
  const isLate = fillSeconds > (left + estimatedTimeSeconds) / 2
  return { outcome: isLate ? 'late' : 'filled', fillSeconds }
}
