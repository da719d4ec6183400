import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstQuoteId } from '../../core/quote-id.ts'
import { awaitingDeposit, type Transfer } from '../../core/transfer.ts'
import { judgeOrder } from './judge-order.ts'

const DEPOSITED = 1_800_000_000
const at = (seconds: number): string => new Date((DEPOSITED + seconds) * 1000).toISOString()

/** A quote of ten seconds whose fill deadline is so many seconds after the deposit. */
const quote = (left: number) => ({
  estimatedTimeSeconds: 10,
  binding: { fillDeadline: DEPOSITED + left },
})

const deposited = (changes: Partial<Transfer>): Transfer => ({
  ...awaitingDeposit(firstQuoteId(0, 0n), ''),
  source: { chain: 'eip155:1', txHash: '0xaa', messageId: null, timestamp: at(0) },
  ...changes,
})
const filledAfter = (seconds: number): Transfer =>
  deposited({ state: 'DONE', destination: { chain: 'eip155:2', txHash: '0xbb', timestamp: at(seconds) } })
const refund = (reasonCode: string): Transfer =>
  deposited({ state: 'REFUND_PENDING', details: { reasonCode } })

const CASES: readonly (readonly [string, number, Transfer, string | undefined])[] = [
  ['no deposit', 100, awaitingDeposit(firstQuoteId(0, 0n), ''), undefined],
  ['a deposit', 100, deposited({ state: 'PENDING' }), undefined],
  ['a fill in the first half', 100, filledAfter(55), 'filled'],
  ['a fill in the second half', 100, filledAfter(56), 'late'],
  ['a fill by a chain whose clock is behind', 100, filledAfter(-3), 'filled'],
  ['a decline', 100, refund('declined'), 'declined'],
  ['no fill by the deadline', 100, refund('not_filled'), 'faded'],
  ['a deposit that was too small', 100, refund('deposit_short'), 'uncounted'],
  ['a deposit in the last second', 9, refund('not_filled'), 'uncounted'],
  ['a failed transfer', 100, deposited({ state: 'FAILED' }), 'uncounted'],
  ['a refund without a source', 100, { ...refund('not_filled'), source: null }, 'uncounted'],
]

for (const [name, left, transfer, expected] of CASES)
  test(`${name} is judged ${expected ?? 'open'}`, () => {
    assert.equal(judgeOrder(quote(left), transfer)?.outcome, expected)
  })

test('the seconds from deposit to fill are told, none for a fill that seems to precede its deposit', () => {
  assert.equal(judgeOrder(quote(100), filledAfter(7))?.fillSeconds, 7)
  assert.equal(judgeOrder(quote(100), filledAfter(-3))?.fillSeconds, 0)
})

test('the time of a solver begins when the last part of a deposit was paid', () => {
  const completedAt = DEPOSITED + 60
  assert.deepEqual(judgeOrder(quote(100), filledAfter(67), completedAt), {
    outcome: 'filled',
    fillSeconds: 7,
  })
  assert.equal(judgeOrder(quote(69), refund('not_filled'), completedAt)?.outcome, 'uncounted')
})
