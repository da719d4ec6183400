import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CHEAP, clockAt, intentOrder, orderIdOf } from '../../../test/test-orders.ts'
import type { Decision } from './decision.ts'
import { createOrderLooks } from './order-looks.ts'
import type { TrackedOrder } from './order-tracker.ts'

const ID = orderIdOf(1)
const MARK = { blockNumber: 90n, timestampSeconds: 100, isFinal: true, noticedAt: 0 }
const LEAVE: Decision = { kind: 'leave' }
const FILLED: Decision = { kind: 'wait', reason: 'already_filled' }
const WAIT: Decision = { kind: 'wait', reason: 'recipient_unreadable' }
const HOUR = 3_600

const tracked = (filled?: TrackedOrder['filled']): TrackedOrder => ({
  orderId: ID,
  order: intentOrder(CHEAP, 1n, 1_800_000_000),
  isTakeover: false,
  opened: MARK,
  filled,
  proven: undefined,
  firstSeenAt: 0,
  destinationFrom: 0n,
})

/** The seconds within three hours at which an order is looked at, each look with the same decision, and whether it was dropped. */
const looksAt = (
  decision: Decision,
  { isAnnounced = false, filled = undefined as TrackedOrder['filled'] } = {},
) => {
  const clock = clockAt(0)
  let isDropped = false
  const looks = createOrderLooks({
    tracker: {
      orders: () => (isDropped ? [] : [tracked(filled)]),
      find: () => tracked(filled),
      drop: () => {
        isDropped = true
      },
    },
    commitments: { isAnnounced: () => isAnnounced },
    steady: clock.now,
  })
  const seconds: number[] = []
  for (let second = 0; second < 3 * HOUR; second += 1) {
    clock.set(second * 1_000)
    if (looks.due().length === 0) continue
    seconds.push(second)
    looks.note(ID, decision)
  }
  return { seconds, isDropped }
}

for (const [name, decision] of [
  ['left', LEAVE],
  ['filled by somebody else', FILLED],
] as const) {
  test(`an unannounced order that is ${name} is looked at once, and forgotten`, () => {
    assert.deepEqual(looksAt(decision), { seconds: [0], isDropped: true })
  })

  test(`an announced order that is ${name} is looked at again after pauses that double up to an hour`, () => {
    assert.deepEqual(looksAt(decision, { isAnnounced: true }), {
      seconds: [0, 60, 180, 420, 900, 1_860, 3_780, 7_380],
      isDropped: false,
    })
  })
}

test('an unannounced order that waits is looked at after pauses that double up to a minute', () => {
  const { seconds, isDropped } = looksAt(WAIT)
  assert.deepEqual(seconds.slice(0, 9), [0, 1, 2, 4, 8, 16, 32, 64, 124])
  assert.equal(seconds.length, 186)
  assert.equal(isDropped, false)
})

test('an announced order that waits is looked at in every round', () => {
  assert.equal(looksAt(WAIT, { isAnnounced: true }).seconds.length, 3 * HOUR)
})

test('a fill of the solver itself is never forgotten', () => {
  assert.equal(looksAt(LEAVE, { filled: MARK }).isDropped, false)
})

test('an order that is announced after it was left is looked at at once', () => {
  let isAnnounced = false
  const looks = createOrderLooks({
    tracker: { orders: () => [tracked()], find: () => tracked(), drop: () => undefined },
    commitments: { isAnnounced: () => isAnnounced },
    steady: () => 0,
  })
  looks.note(ID, LEAVE)
  assert.equal(looks.due().length, 0)
  isAnnounced = true
  assert.equal(looks.due().length, 1)
})
