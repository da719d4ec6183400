import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agreedOutcome, type OutcomeVote } from './agreed-outcome.ts'
import type { PayoutOutcome } from './payment-chain.ts'

const CASES: readonly (readonly [votes: readonly OutcomeVote[], outcome: PayoutOutcome])[] = [
  [['unknown', 'unknown', 'unknown'], 'pending'],
  [['succeeded', 'pending', 'unknown'], 'pending'],
  [['failed', 'pending', 'unknown'], 'pending'],
  [['expired', 'unknown', 'unknown'], 'pending'],
  [['succeeded', 'succeeded', 'unknown'], 'succeeded'],
  [['failed', 'failed', 'failed'], 'failed'],
  [['expired', 'expired', 'expired'], 'expired'],
  [['failed', 'failed', 'pending'], 'pending'],
  [['failed', 'failed', 'unknown'], 'pending'],
  [['expired', 'expired', 'unknown'], 'pending'],
  [['expired', 'expired', 'pending'], 'pending'],
  [['failed', 'failed', 'succeeded'], 'pending'],
  [['expired', 'expired', 'succeeded'], 'pending'],
  [['succeeded', 'succeeded', 'expired'], 'succeeded'],
  [['failed', 'failed', 'expired'], 'pending'],
  [['failed', 'failed'], 'failed'],
  [['expired', 'expired'], 'expired'],
  [['failed'], 'pending'],
]

for (const [votes, outcome] of CASES)
  test(`endpoints of three that say ${votes.join(', ')} prove that a payout is ${outcome}`, () => {
    assert.equal(agreedOutcome(votes, 2), outcome)
  })

test('the only endpoint of a chain decides alone', () => {
  assert.equal(agreedOutcome(['failed'], 1), 'failed')
})
