import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { baseUnits } from '../core/amount.ts'
import type { IntentOrder, OrderId } from '../core/intent-order.ts'
import type { SettlerEvent } from '../solvers/settler-contract.ts'
import { createOrderLedger, type OrderLedger, type SeenEvent } from './order-ledger.ts'

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
const moved = { token: OTHER, amount: baseUnits(1n) }
const opened: SettlerEvent = { kind: 'open', orderId: ID, order: order() }
const filled: SettlerEvent = { kind: 'filled', orderId: ID, filler: SOLVER, recipient: OTHER, ...moved }
const proved: SettlerEvent = { kind: 'proved', orderId: ID, originChain: ORIGIN, prover: SOLVER }
const released: SettlerEvent = { kind: 'released', orderId: ID, solver: SOLVER, ...moved }

const seen = (chainId: string, event: SettlerEvent, blockNumber: bigint, isFinal = true): SeenEvent => ({
  chainId,
  event,
  blockNumber,
  isFinal,
})
const createLedger = (readUpTo = 100n): OrderLedger =>
  createOrderLedger({
    address: SOLVER.toUpperCase().replace('0X', '0x'),
    now: () => 0,
    readUpTo: () => readUpTo,
  })

const STORY: readonly SeenEvent[] = [
  seen(ORIGIN, opened, 10n, false),
  seen(ORIGIN, opened, 10n),
  seen(DESTINATION, filled, 20n, false),
  seen(DESTINATION, filled, 20n),
  seen(DESTINATION, proved, 21n),
]

test('knows orders that name the solver, and no others', () => {
  const ledger = createLedger()
  ledger.add(seen(ORIGIN, { ...opened, order: order(OTHER) }, 1n))
  ledger.add(seen(DESTINATION, { ...filled, filler: OTHER }, 1n))
  ledger.add(seen(DESTINATION, proved, 1n))
  ledger.add(seen(ORIGIN, released, 1n))
  assert.deepEqual(ledger.orders(), [])
  ledger.add(seen(ORIGIN, opened, 10n))
  assert.equal(ledger.orders().length, 1)
})

test('whatever chain is read first, and however often, the end is the same', () => {
  const summary = (ledger: OrderLedger) => {
    const entry = ledger.find(ID)
    return [entry?.opened?.isFinal, entry?.filled?.isFinal, entry?.order?.solver, (entry?.proofs ?? 0) > 0]
  }
  const origin = STORY.filter(({ chainId }) => chainId === ORIGIN)
  const destination = STORY.filter(({ chainId }) => chainId === DESTINATION)
  fc.assert(
    fc.property(fc.infiniteStream(fc.boolean()), fc.boolean(), (choices, isTwice) => {
      const ledger = createLedger()
      const queues = [
        isTwice ? [...origin, ...origin] : [...origin],
        isTwice ? [...destination, ...destination] : [...destination],
      ]
      while (queues.some(({ length }) => length > 0)) {
        const next =
          queues[choices.next().value === true ? 0 : 1]?.shift() ??
          queues.find(({ length }) => length > 0)?.shift()
        if (next !== undefined) ledger.add(next)
      }
      assert.deepEqual(summary(ledger), [true, true, SOLVER, true])
      assert.equal(ledger.add(seen(ORIGIN, released, 30n))?.order?.solver, SOLVER)
      assert.deepEqual(ledger.orders(), [])
      ledger.add(seen(ORIGIN, opened, 10n))
      assert.deepEqual(ledger.orders(), [], 'an order that is over does not come back')
    }),
  )
})

test('a deposit that leaves the chain is no deposit until it is mined again, and a final one never leaves', () => {
  const ledger = createLedger()
  const tentative = seen(ORIGIN, opened, 10n, false)
  ledger.add(tentative)
  ledger.remove(tentative)
  assert.equal(ledger.find(ID)?.opened, undefined)
  ledger.add(seen(ORIGIN, opened, 12n, false))
  assert.equal(ledger.find(ID)?.opened?.blockNumber, 12n)
  ledger.add(seen(ORIGIN, opened, 12n))
  ledger.remove(seen(ORIGIN, opened, 12n, false))
  assert.equal(ledger.find(ID)?.opened?.isFinal, true)
})

test('an end that is not final ends nothing', () => {
  const ledger = createLedger()
  ledger.add(seen(ORIGIN, opened, 10n))
  assert.equal(ledger.add(seen(ORIGIN, released, 30n, false)), undefined)
  assert.equal(ledger.orders().length, 1)
})

test('a restart reads each chain from before what is unfinished', () => {
  const ledger = createLedger(15n)
  assert.equal(ledger.lowWater(ORIGIN), undefined)
  ledger.add(seen(ORIGIN, opened, 10n))
  assert.equal(ledger.lowWater(ORIGIN), 9n)
  assert.equal(ledger.lowWater(DESTINATION), 15n)
  ledger.add(seen(DESTINATION, filled, 20n))
  assert.equal(ledger.lowWater(DESTINATION), 19n)
  ledger.add(seen(ORIGIN, released, 30n))
  assert.equal(ledger.lowWater(ORIGIN), undefined)
  assert.equal(ledger.lowWater(DESTINATION), undefined)
  ledger.add(seen(DESTINATION, { ...filled, orderId: `0x${'2'.repeat(64)}` }, 40n))
  assert.equal(ledger.lowWater(DESTINATION), 39n, 'a fill whose deposit is yet to be read is unfinished')
})
