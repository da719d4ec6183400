import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { baseUnits } from '../../core/amount.ts'
import { firstQuoteId } from '../../core/quote-id.ts'
import type { EndedSolverOrder } from '../../core/solver-order.ts'
import { createSolverRecords } from './solver-records.ts'

const NOW = 1_800_000_000_000
const MINUTE = 60_000
const PAIR = 'eip155:1 0x00 eip155:2 0x00'

let count = 0
/** An order that ended so many milliseconds after NOW, quoted a second before unless told otherwise. */
const ended = (
  outcome: EndedSolverOrder['outcome'],
  afterMs: number,
  changes: Partial<EndedSolverOrder> = {},
): EndedSolverOrder => {
  count += 1
  return {
    orderId: `0x${count.toString(16).padStart(64, '0')}`,
    quoteId: firstQuoteId(NOW, BigInt(count)),
    solver: 'solver',
    pair: PAIR,
    depositor: `depositor ${count}`,
    input: baseUnits(100n),
    quotedAt: NOW + afterMs - 1000,
    outcome,
    endedAt: NOW + afterMs,
    fillSeconds: outcome === 'filled' || outcome === 'late' ? 7 : undefined,
    ...changes,
  }
}
const recordsOf = (orders: readonly EndedSolverOrder[]) => {
  const records = createSolverRecords()
  orders.forEach(records.add)
  return records
}
const times = (
  count: number,
  outcome: EndedSolverOrder['outcome'],
  changes: Partial<EndedSolverOrder> = {},
): EndedSolverOrder[] => Array.from({ length: count }, (_, index) => ended(outcome, index, changes))

test('a solver that filled every order has the whole rate, as has one without orders on a pair without solvers', () => {
  assert.equal(recordsOf(times(30, 'filled')).fillRate('solver', PAIR), 1_000_000)
  assert.equal(recordsOf([]).fillRate('solver', PAIR), 1_000_000)
})

test('a newcomer has the median rate of its pair', () => {
  const records = recordsOf([
    ...times(40, 'filled', { solver: 'good' }),
    ...times(40, 'faded', { solver: 'bad' }),
    ...times(20, 'filled', { solver: 'fair' }),
    ...times(20, 'faded', { solver: 'fair' }),
  ])
  assert.equal(records.fillRate('new', PAIR), records.fillRate('fair', PAIR))
  assert(records.fillRate('bad', PAIR) < records.fillRate('fair', PAIR))
})

test('one depositor is at most 5 % of the weight, however many orders it opens and however large', () => {
  for (const input of [1n, 100n, 10n ** 30n]) {
    const hostile = times(200, 'faded', { depositor: 'ONE', input: baseUnits(input) })
    assert(recordsOf([...times(40, 'filled'), ...hostile]).fillRate('solver', PAIR) >= 950_000)
  }
})

test('of few depositors, one that has all its orders missed leaves most of the rate', () => {
  const hostile = times(200, 'faded', { depositor: 'ONE', input: baseUnits(10n ** 30n) })
  assert(recordsOf([...times(2, 'filled'), ...hostile]).fillRate('solver', PAIR) >= 850_000)
})

test('a solver that misses the orders of many depositors loses its rate', () => {
  assert(recordsOf([...times(10, 'filled'), ...times(40, 'faded')]).fillRate('solver', PAIR) < 250_000)
})

test('uncounted orders leave a record as it was', () => {
  const orders = [...times(10, 'filled'), ...times(2, 'faded')]
  const before = recordsOf(orders).of('solver', PAIR)
  assert.deepEqual(recordsOf([...orders, ...times(50, 'uncounted')]).of('solver', PAIR), before)
})

test('counts an order once, for every sequence in which the ends are read', () => {
  const orders = [...times(5, 'filled'), ...times(3, 'declined'), ...times(4, 'late')]
  fc.assert(
    fc.property(fc.shuffledSubarray([...orders, ...orders], { minLength: 24, maxLength: 24 }), (shuffled) => {
      assert.deepEqual(recordsOf(shuffled).of('solver', PAIR), recordsOf(orders).of('solver', PAIR))
    }),
  )
})

test('the third order in a row that is not filled blocks a solver for ten minutes, then for twice as long', () => {
  const records = recordsOf([ended('faded', 0), ended('declined', 1)])
  assert.equal(records.standing('solver', PAIR, NOW + 1), 'trusted')
  records.add(ended('faded', 2))
  assert.equal(records.standing('solver', PAIR, NOW + 10 * MINUTE), 'blocked')
  assert.equal(records.standing('solver', PAIR, NOW + 10 * MINUTE + 2), 'probed')
  records.add(ended('faded', 11 * MINUTE))
  assert.equal(records.standing('solver', PAIR, NOW + 31 * MINUTE - 1), 'blocked')
  assert.equal(records.standing('solver', PAIR, NOW + 31 * MINUTE), 'probed')
})

test('a fill between two fades starts the count again', () => {
  const orders = ['faded', 'faded', 'filled', 'faded', 'faded'] as const
  const records = recordsOf(orders.map((outcome, index) => ended(outcome, index)))
  assert.equal(records.standing('solver', PAIR, NOW + 10), 'trusted')
})

test('many small orders do not push large failed ones out of a record', () => {
  const records = recordsOf([
    ...times(40, 'faded'),
    ...times(600, 'filled', { input: baseUnits(1n) }).map((order) => ({ ...order, endedAt: NOW + MINUTE })),
  ])
  assert(records.fillRate('solver', PAIR) < 250_000)
  assert.equal(records.of('solver', PAIR)?.faded, 40)
})

test('fills end a row of failed orders only once they are worth its largest order', () => {
  const dust = { input: baseUnits(1n) }
  const records = recordsOf([
    ended('faded', 0),
    ended('filled', 1, dust),
    ended('faded', 2),
    ...Array.from({ length: 50 }, () => ended('filled', 3, dust)),
  ])
  assert.equal(records.standing('solver', PAIR, NOW + 4), 'trusted')
  records.add(ended('faded', 5))
  assert.equal(records.standing('solver', PAIR, NOW + 6), 'blocked')
  const worthIt = recordsOf([
    ...times(2, 'faded'),
    ...Array.from({ length: 100 }, () => ended('filled', 3, dust)),
    ended('faded', 5),
  ])
  assert.equal(worthIt.standing('solver', PAIR, NOW + 6), 'trusted')
})

test('twenty fills of dust do not make the next block the shortest again', () => {
  const records = recordsOf([
    ...times(3, 'faded'),
    ...Array.from({ length: 20 }, (_, index) =>
      ended('filled', 11 * MINUTE + index, { quotedAt: NOW + 11 * MINUTE, input: baseUnits(1n) }),
    ),
    ...Array.from({ length: 3 }, (_, index) => ended('faded', 60 * MINUTE + index)),
  ])
  assert.equal(records.standing('solver', PAIR, NOW + 75 * MINUTE), 'blocked')
})

test('fades of orders quoted before a block do not lengthen it, and fills of them do not end it', () => {
  const records = recordsOf(times(3, 'faded'))
  records.add(ended('faded', 9 * MINUTE, { quotedAt: NOW }))
  records.add(ended('filled', 9 * MINUTE, { quotedAt: NOW }))
  assert.equal(records.standing('solver', PAIR, NOW + 9 * MINUTE), 'blocked')
  assert.equal(records.standing('solver', PAIR, NOW + 10 * MINUTE + 2), 'probed')
})

test('after a block a solver gets one order, and is trusted again once it is filled', () => {
  const records = recordsOf(times(3, 'faded'))
  const probe = ended('filled', 12 * MINUTE, { quotedAt: NOW + 11 * MINUTE })
  records.open(probe)
  assert.equal(records.standing('solver', PAIR, NOW + 11 * MINUTE), 'blocked')
  records.add(probe)
  assert.equal(records.standing('solver', PAIR, NOW + 12 * MINUTE), 'trusted')
})

test('twenty fills in a row make the next block the shortest again', () => {
  const calm = (fills: number) => [
    ...times(3, 'faded'),
    ...Array.from({ length: fills }, (_, index) =>
      ended('filled', 11 * MINUTE + index, { quotedAt: NOW + 11 * MINUTE }),
    ),
    ...Array.from({ length: 3 }, (_, index) => ended('faded', 60 * MINUTE + index)),
  ]
  const later = NOW + 75 * MINUTE
  assert.equal(recordsOf(calm(19)).standing('solver', PAIR, later), 'blocked')
  assert.equal(recordsOf(calm(20)).standing('solver', PAIR, later), 'probed')
})

test('the time of a solver is the median of its fills, once it has five', () => {
  const fills = [3, 5, 4, 300, 9].map((fillSeconds, index) => ended('filled', index, { fillSeconds }))
  assert.equal(recordsOf(fills.slice(0, 4)).of('solver', PAIR)?.fillSeconds, undefined)
  assert.equal(recordsOf(fills).of('solver', PAIR)?.fillSeconds, 5)
})

test('quick fills of dust, and those of one depositor, do not hide that a solver is slow', () => {
  const slow = times(20, 'filled', { fillSeconds: 300 })
  const dust = times(200, 'filled', { fillSeconds: 1, input: baseUnits(1n) })
  const own = times(200, 'filled', { fillSeconds: 1, depositor: 'ONE', input: baseUnits(10n ** 12n) })
  for (const quick of [dust, own])
    assert.equal(recordsOf([...slow, ...quick]).of('solver', PAIR)?.fillSeconds, 300)
})

test('one order of dust does not change which order is usual', () => {
  const records = recordsOf([...times(4, 'filled'), ended('filled', 9, { input: baseUnits(1n) })])
  assert.equal(records.of('solver', PAIR)?.usualInput, 100n)
})
