import type { PayoutOutcome } from './payment-chain.ts'

/** What one endpoint proves about a payout; `unknown`: it has not seen it, and it may still land there. */
export type OutcomeVote = PayoutOutcome | 'unknown'

/**
 * The end of a payout that a quorum of endpoints prove, otherwise `pending`. A wrong `failed` or `expired` would pay
 * twice: it stays `pending` while an endpoint that answers says anything else.
 */
export const agreedOutcome = (votes: readonly OutcomeVote[], quorum: number): PayoutOutcome => {
  const isProven = (end: OutcomeVote): boolean => votes.filter((vote) => vote === end).length >= quorum
  if (isProven('succeeded')) return 'succeeded'
  const [first] = votes
  const areAlike = votes.every((vote) => vote === first)
  return areAlike && (first === 'failed' || first === 'expired') && isProven(first) ? first : 'pending'
}
