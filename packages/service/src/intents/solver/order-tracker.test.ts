import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { baseUnits } from '../../core/amount.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { SettlerEvent } from '../settlers/settler-events.ts'
import { createOrderTracker, type OrderEvent, type OrderTracker } from './order-tracker.ts'

const ORIGIN = 'eip155:1'
const DESTINATION = 'eip155:2'
const SOLVER = `0x${'a'.repeat(40)}`
const OTHER = `0x${'b'.repeat(40)}`
const ID: OrderId = `0x${'1'.repeat(64)}`

const order = (solver = SOLVER): IntentOrder => ({
  depositor: OTHER,
  salt: ID,
  originChain: ORIGIN,
  originSettler: OTHER,
  destinationChain: DESTINATION,
  destinationSettler: OTHER,
  openDeadline: 1,
  fillDeadline: 2,
  refundAfter: 3,
  inputToken: OTHER,
  inputAmount: baseUnits(2n),
  outputToken: OTHER,
  outputAmount: baseUnits(1n),
  recipient: OTHER,
  solver,
  filler: solver,
})
const opened: SettlerEvent = { kind: 'open', orderId: ID, order: order() }
const filled: SettlerEvent = { kind: 'filled', orderId: ID, filler: SOLVER, repayTo: SOLVER }
const proven: SettlerEvent = { kind: 'proven', orderId: ID, payee: SOLVER }
const released: SettlerEvent = { kind: 'released', orderId: ID, payee: SOLVER, amount: baseUnits(1n) }

const seen = (chainId: string, event: SettlerEvent, blockNumber: bigint, isFinal = true): OrderEvent => ({
  chainId,
  event,
  blockNumber,
  timestampSeconds: Number(blockNumber),
  isFinal,
})
const createTracker = (readUpTo = 100n): OrderTracker =>
  createOrderTracker({
    address: SOLVER.toUpperCase().replace('0X', '0x'),
    now: () => 0,
    readUpTo: () => readUpTo,
  })

const STORY: readonly OrderEvent[] = [
  seen(ORIGIN, opened, 10n, false),
  seen(ORIGIN, opened, 10n),
  seen(DESTINATION, filled, 20n, false),
  seen(DESTINATION, filled, 20n),
  seen(ORIGIN, proven, 21n),
]

test('an order that the solver filled is kept, however many orders of others follow', () => {
  const tracker = createTracker()
  for (const event of STORY) tracker.add(event)
  for (let number = 2; number <= 50_001; number++) {
    const orderId: OrderId = `0x${number.toString(16).padStart(64, '0')}`
    tracker.add(seen(ORIGIN, { ...opened, orderId }, 30n))
    tracker.add(seen(DESTINATION, { ...filled, orderId, filler: OTHER }, 31n))
  }
  assert.notEqual(tracker.find(ID)?.filled, undefined)
  assert.equal(tracker.orders().length, 50_000)
})

test('tracks orders that name the solver, and no others', () => {
  const tracker = createTracker()
  tracker.add(seen(ORIGIN, { ...opened, order: order(OTHER) }, 1n))
  tracker.add(seen(DESTINATION, { ...filled, filler: OTHER }, 1n))
  tracker.add(seen(ORIGIN, proven, 1n))
  tracker.add(seen(ORIGIN, released, 1n))
  assert.deepEqual(tracker.orders(), [])
  tracker.add(seen(ORIGIN, opened, 10n))
  assert.equal(tracker.orders().length, 1)
})

test('the result depends neither on which chain is read first nor on how often', () => {
  const summary = (tracker: OrderTracker) => {
    const entry = tracker.find(ID)
    return [entry?.opened?.isFinal, entry?.filled?.isFinal, entry?.order?.solver, entry?.proven?.isFinal]
  }
  const origin = STORY.filter(({ chainId }) => chainId === ORIGIN)
  const destination = STORY.filter(({ chainId }) => chainId === DESTINATION)
  fc.assert(
    fc.property(fc.infiniteStream(fc.boolean()), fc.boolean(), (choices, isTwice) => {
      const tracker = createTracker()
      const queues = [
        isTwice ? [...origin, ...origin] : [...origin],
        isTwice ? [...destination, ...destination] : [...destination],
      ]
      while (queues.some(({ length }) => length > 0)) {
        const next =
          queues[choices.next().value === true ? 0 : 1]?.shift() ??
          queues.find(({ length }) => length > 0)?.shift()
        if (next !== undefined) tracker.add(next)
      }
      assert.deepEqual(summary(tracker), [true, true, SOLVER, true])
      assert.equal(tracker.add(seen(ORIGIN, released, 30n))?.order?.solver, SOLVER)
      assert.deepEqual(tracker.orders(), [])
      tracker.add(seen(ORIGIN, opened, 10n))
      assert.deepEqual(tracker.orders(), [], 'an ended order came back')
    }),
  )
})

test('a deposit that leaves the chain counts again once it is mined again, and a final one never leaves', () => {
  const tracker = createTracker()
  const tentative = seen(ORIGIN, opened, 10n, false)
  tracker.add(tentative)
  tracker.remove(tentative)
  assert.equal(tracker.find(ID)?.opened, undefined)
  tracker.add(seen(ORIGIN, opened, 12n, false))
  assert.equal(tracker.find(ID)?.opened?.blockNumber, 12n)
  tracker.add(seen(ORIGIN, opened, 12n))
  tracker.remove(seen(ORIGIN, opened, 12n, false))
  assert.equal(tracker.find(ID)?.opened?.isFinal, true)
})

test('an end that is not final does not end an order', () => {
  const tracker = createTracker()
  tracker.add(seen(ORIGIN, opened, 10n))
  assert.equal(tracker.add(seen(ORIGIN, released, 30n, false)), undefined)
  assert.equal(tracker.orders().length, 1)
})

test("an order that another account filled ends with that account's repayment", () => {
  const tracker = createTracker()
  tracker.add(seen(ORIGIN, opened, 10n))
  tracker.add(seen(DESTINATION, { ...filled, filler: OTHER, repayTo: OTHER }, 20n))
  tracker.add(seen(ORIGIN, { ...proven, payee: OTHER }, 21n))
  const [entry] = tracker.orders()
  assert.deepEqual([entry?.filled, entry?.proven], [undefined, undefined])
  const end = tracker.add(seen(ORIGIN, { ...released, payee: OTHER }, 30n))
  assert.deepEqual([end?.wasFilled, end?.wasTakenOver], [false, true])
})

test('a restart reads each chain from before its oldest unfinished order', () => {
  const tracker = createTracker(15n)
  assert.equal(tracker.lowWater(ORIGIN), undefined)
  tracker.add(seen(ORIGIN, opened, 10n))
  assert.equal(tracker.lowWater(ORIGIN), 9n)
  assert.equal(tracker.lowWater(DESTINATION), 15n)
  tracker.add(seen(DESTINATION, filled, 20n))
  assert.equal(tracker.lowWater(DESTINATION), 19n)
  tracker.add(seen(ORIGIN, released, 30n))
  assert.equal(tracker.lowWater(ORIGIN), undefined)
  assert.equal(tracker.lowWater(DESTINATION), undefined)
  tracker.add(seen(DESTINATION, { ...filled, orderId: `0x${'2'.repeat(64)}` }, 40n))
  assert.equal(tracker.lowWater(DESTINATION), 39n, 'a fill whose deposit has not been read is unfinished')
})

test('an order that is dropped needs no block, and is not taken up again', () => {
  const tracker = createTracker()
  tracker.add(seen(ORIGIN, opened, 10n))
  assert.equal(tracker.lowWater(ORIGIN), 9n)
  tracker.drop(ID)
  tracker.add(seen(ORIGIN, opened, 10n))
  assert.deepEqual(tracker.orders(), [])
  assert.equal(tracker.lowWater(ORIGIN), undefined)
})
