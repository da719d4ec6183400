import type { PayoutOutcome } from './payment-chain.ts'

/** What one endpoint proves about a payout; `unknown`: it has not seen it, and it may still land there. */
export type OutcomeVote = PayoutOutcome | 'unknown'

/**
 * The end of a payout that a quorum of endpoints prove, otherwise `pending`. A wrong `failed` or `expired` would pay
 * twice: it stays `pending` while an endpoint proves another end, and `expired` also while one has seen the payout.
 */
export const agreedOutcome = (votes: readonly OutcomeVote[], quorum: number): PayoutOutcome => {
  const countOf = (end: OutcomeVote): number => votes.filter((vote) => vote === end).length
  if (countOf('succeeded') >= quorum) return 'succeeded'
  if (countOf('succeeded') > 0) return 'pending'
  if (countOf('failed') >= quorum && countOf('expired') === 0) return 'failed'
  return countOf('expired') >= quorum && countOf('failed') + countOf('pending') === 0 ? 'expired' : 'pending'
}
