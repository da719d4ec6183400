import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  CHEAP,
  clockAt,
  createTestBook,
  DEAR,
  FROM,
  filledBook,
  intentOrder,
  inventory,
  offersOf,
  orderIdOf,
  pricedOrder,
  standingQuote,
} from '../../../test/test-orders.ts'

test('a quote is reserved until its open deadline has passed', () => {
  const clock = clockAt(1_000_000)
  const book = filledBook(clock.now)
  book.setInventory(CHEAP, inventory(1_000n))
  assert.equal(book.reserve(orderIdOf(1), intentOrder(CHEAP, 600n, 1_060)), true)
  assert.equal(book.reserve(orderIdOf(2), intentOrder(CHEAP, 401n, 1_060)), false)
  assert.equal(book.reserve(orderIdOf(3), intentOrder(CHEAP, 400n, 1_060)), true)
  assert.equal(filledBook(clock.now).reserve(orderIdOf(1), intentOrder(CHEAP, 1n, 999)), false)
  clock.set(1_060_999)
  assert.equal(book.reserve(orderIdOf(4), intentOrder(CHEAP, 1n, 1_060)), false)
  clock.set(1_061_000)
  assert.equal(book.reserve(orderIdOf(4), intentOrder(CHEAP, 1_000n, 1_121)), true)
})

test('a deposited order is committed once, until it is filled and declared, released, or past its fill deadline', () => {
  const clock = clockAt(1_000_000)
  const book = filledBook(clock.now)
  book.setInventory(CHEAP, inventory(1_000n, 5))
  const covers = (output: bigint): boolean => {
    book.upsertQuotes(CHEAP, [standingQuote([[1n, output]])])
    book.upsertQuotes(DEAR, [standingQuote([])])
    return 'offers' in book.price(pricedOrder('EXACT_INPUT', 1n))
  }
  const order = intentOrder(CHEAP, 600n, 1_060)
  book.reserve(orderIdOf(1), order)
  book.commit(orderIdOf(1), order)
  book.commit(orderIdOf(1), order)
  assert.deepEqual([covers(400n), covers(401n)], [true, false])
  clock.set(1_100_000)
  assert.deepEqual([covers(400n), covers(401n)], [true, false])
  book.filled(orderIdOf(1), 7)
  assert.equal(covers(401n), false)
  book.setInventory(CHEAP, inventory(1_000n, 6))
  assert.equal(covers(401n), false)
  book.setInventory(CHEAP, inventory(400n, 7))
  assert.deepEqual([covers(400n), covers(401n)], [true, false])

  book.setInventory(CHEAP, inventory(1_000n, 9))
  book.commit(orderIdOf(2), order)
  assert.equal(covers(401n), false)
  book.filled(orderIdOf(2), 8)
  assert.equal(covers(1_000n), true)
  book.commit(orderIdOf(3), order)
  book.release(orderIdOf(3))
  assert.equal(covers(1_000n), true)
  book.commit(orderIdOf(4), order)
  clock.set(1_661_000 + 10_000)
  assert.equal(covers(1_000n), true)
})

test('reservations outlive a session, and quotes of an earlier run are restored', () => {
  const book = filledBook(() => 1_000_000)
  book.restore(orderIdOf(1), intentOrder(CHEAP, 9_000n, 1_060))
  book.restore(orderIdOf(2), intentOrder(CHEAP, 9_000n, 999))
  book.leave(CHEAP)
  book.setInventory(CHEAP, inventory(10_000n))
  assert.equal(book.reserve(orderIdOf(3), intentOrder(CHEAP, 1_001n, 1_060)), false)
  assert.equal(book.reserve(orderIdOf(3), intentOrder(CHEAP, 1_000n, 1_060)), true)
})

test('orders of unknown solvers and unknown assets reserve nothing', () => {
  const book = filledBook(() => 1_000_000)
  const stranger = { ...CHEAP, address: '0x00000000000000000000000000000000000000C3' }
  assert.equal(book.reserve(orderIdOf(1), intentOrder(stranger, 1n, 1_060)), false)
  assert.equal(
    book.reserve(orderIdOf(1), { ...intentOrder(CHEAP, 1n, 1_060), outputToken: FROM.address }),
    false,
  )
})

test('1,000 concurrent requests are never quoted more than the declared inventory', async () => {
  const book = createTestBook(() => 1_000_000)
  book.upsertQuotes(CHEAP, [
    standingQuote([
      [1n, 1n],
      [1_000n, 990n],
    ]),
  ])
  book.upsertQuotes(DEAR, [
    standingQuote([
      [1n, 1n],
      [1_000n, 980n],
    ]),
  ])
  book.setInventory(CHEAP, inventory(123_456n))
  book.setInventory(DEAR, inventory(65_432n))
  const given = new Map<string, bigint>()
  const ask = async (number: number): Promise<void> => {
    const answer = book.price(pricedOrder('EXACT_INPUT', 1n + BigInt((number * 7_919) % 1_000)))
    await new Promise((resolve) => setImmediate(resolve))
    if (!('offers' in answer)) return
    for (const [index, { solver, output }] of answer.offers.entries()) {
      const reserved = book.reserve(orderIdOf(2 * number + index), intentOrder(solver, output, 1_060))
      if (reserved) given.set(solver.name, (given.get(solver.name) ?? 0n) + output)
    }
  }
  await Promise.all(Array.from({ length: 1_000 }, (_, number) => ask(number)))
  assert.ok((given.get('cheap') ?? 0n) <= 123_456n)
  assert.ok((given.get('dear') ?? 0n) <= 65_432n)
  assert.ok((given.get('cheap') ?? 0n) > 122_000n, `only ${given.get('cheap')} was promised`)
  assert.deepEqual(offersOf(book, 'EXACT_INPUT', 1_000n).length, 1)
})

/** A step of a random history: kind, order and size. */
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('reserve', 'commit', 'filled', 'release', 'declare', 'wait'),
    order: fc.integer({ min: 0, max: 15 }),
    size: fc.integer({ min: 1, max: 400 }),
  }),
  { minLength: 1, maxLength: 60 },
)

test('in any history the promised sum stays within the inventory declared at the time', () => {
  fc.assert(
    fc.property(steps, (history) => {
      const clock = clockAt(1_000_000)
      const book = createTestBook(clock.now)
      type Debt = { output: bigint; quotedUntil: number; until: number; filledAt?: number }
      const owed = new Map<number, Debt>()
      const live = (): bigint =>
        [...owed.values()].reduce((sum, { output, until }) => (until >= clock.now() ? sum + output : sum), 0n)
      let declared = 1_000n
      let block = 1
      book.setInventory(CHEAP, inventory(declared, block))
      for (const { kind, order, size } of history) {
        const known = owed.get(order)
        const seconds = Math.floor(clock.now() / 1000) + 30
        if (kind === 'wait') clock.set(clock.now() + size * 500)
        if (kind === 'declare') {
          declared = BigInt(size * 4)
          block += 1
          book.setInventory(CHEAP, inventory(declared, block))
          for (const [paid, { filledAt = Number.POSITIVE_INFINITY }] of owed)
            if (filledAt <= block) owed.delete(paid)
        }
        if (kind === 'reserve' && known === undefined) {
          const fits = book.reserve(orderIdOf(order), intentOrder(CHEAP, BigInt(size), seconds))
          if (fits) assert.ok(live() + BigInt(size) <= declared)
          const until = seconds * 1000 + 999
          if (fits) owed.set(order, { output: BigInt(size), quotedUntil: until, until })
        }
        if (kind === 'commit' && known !== undefined && known.until >= clock.now()) {
          const openDeadline = Math.floor(known.quotedUntil / 1000)
          book.commit(orderIdOf(order), intentOrder(CHEAP, known.output, openDeadline))
          owed.set(order, { ...known, until: known.quotedUntil + 600_000 })
        }
        if (kind === 'filled' && known !== undefined && known.until > known.quotedUntil) {
          book.filled(orderIdOf(order), block + 1)
          owed.set(order, { ...known, filledAt: block + 1 })
        }
        if (kind === 'release' && known !== undefined && known.until > known.quotedUntil) {
          book.release(orderIdOf(order))
          owed.delete(order)
        }
      }
      book.setInventory(CHEAP, inventory(1_000_000n, block))
      const rest = 1_000_000n - live()
      const last = Math.floor(clock.now() / 1000) + 30
      assert.equal(book.reserve(orderIdOf(99), intentOrder(CHEAP, rest + 1n, last)), false)
    }),
    { numRuns: 500 },
  )
})
