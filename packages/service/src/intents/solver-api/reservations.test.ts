import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { clockOf } from '../../../test/test-clock.ts'
import {
  assetKey,
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
  orderOfSender,
  pricedOrder,
  RICH,
  standingQuote,
  TO,
} from '../../../test/test-orders.ts'
import { baseUnits } from '../../core/amount.ts'
import type { IntentOrder } from '../../core/intent-order.ts'
import { type Book, createBook } from './book.ts'
import type { Asker } from './quote-reservations.ts'
import { createSolverDirectory } from './solver-directory.ts'

/** Somebody with means of their own, asking through a client of their own. */
const asker = (number: number, held = 2n ** 255n): Asker => ({ client: `client ${number}`, held })

/** Reserves a quote of the cheap solver for the sender of the number; its input is 1. */
const reserve = (book: Book, number: number, output: bigint, until: number, who = asker(number)): boolean =>
  book.reserve(orderIdOf(number), orderOfSender(number, CHEAP, output, until), who)

test('a quote is reserved until its open deadline has passed', () => {
  const clock = clockAt(1_000_000)
  const book = filledBook(clock.now)
  book.setInventory(CHEAP, inventory(1_000n))
  assert.equal(reserve(book, 1, 600n, 1_060), true)
  assert.equal(reserve(book, 2, 501n, 1_060), false)
  assert.equal(reserve(book, 3, 400n, 1_060), true)
  assert.equal(reserve(filledBook(clock.now), 1, 1n, 999), false)
  clock.set(1_060_999)
  assert.equal(reserve(book, 4, 501n, 1_060), false)
  clock.set(1_061_000)
  assert.equal(reserve(book, 4, 750n, 1_121), true)
})

test('any number of senders without the input leave inventory to senders with it', () => {
  const book = filledBook(() => 1_000_000)
  book.setInventory(CHEAP, inventory(1_000_000n))
  const poor = (client: number): Asker => ({ client: `client ${client}`, held: 0n })
  let taken = 0n
  for (const [round, output] of [1_000n, 100n, 10n, 1n].entries())
    for (let number = 0; number < 4_000; number += 1)
      if (reserve(book, 10_000 * round + number, output, 1_060, poor(number % 400))) taken += output
  assert.ok(taken > 700_000n, `${taken} are taken`)
  assert.equal(reserve(book, 50_000, 1_953n, 1_060, { client: 'honest', held: 0n }), true)
  assert.equal(reserve(book, 50_001, 1n, 1_060, { client: 'honest', held: 0n }), false)
  assert.equal(reserve(book, 50_002, 750_000n, 1_060, { client: 'rich', held: 1n }), true)
})

test('a balance that is an input short backs nothing', () => {
  const book = filledBook(() => 1_000_000)
  assert.equal(reserve(book, 1, 5_000n, 1_060, asker(1, 0n)), false)
  assert.equal(reserve(book, 1, 5_000n, 1_060, asker(1, 1n)), true)
})

test('one client reserves three quarters of a position at most', () => {
  const book = filledBook(() => 1_000_000)
  const client = asker(0)
  assert.deepEqual(
    [1, 2, 3, 4].map((number) => reserve(book, number, 2_500n, 1_060, client)),
    [true, true, true, false],
  )
  assert.equal(reserve(book, 5, 1_000n, 1_060), true)
  const quiet = filledBook(() => 1_000_000)
  assert.equal(reserve(quiet, 1, 7_501n, 1_060), false)
  assert.equal(reserve(quiet, 1, 7_500n, 1_060), true)
})

/** Reserves as much as the book lets the asker, in ever smaller quotes, each of another sender. */
const takeAll = (book: Book, firstSender: number, who: Asker): void => {
  for (const [index, output] of [10_000n, 7_500n, 5_000n, 2_500n, 1_000n, 100n, 10n, 1n].entries())
    reserve(book, firstSender + index, output, 1_060, who)
}

for (const strangers of [1, 2, 20, 2_000])
  test(`${strangers} clients that name rich accounts leave a tenth of a position and small quotes to anybody else`, () => {
    const book = filledBook(() => 1_000_000)
    for (let number = 0; number < strangers; number += 1) takeAll(book, 1_000 + number * 10, asker(number))
    assert.equal(reserve(book, 1, 1_000n, 1_060, { client: 'honest', held: 1n }), true)
    assert.equal(reserve(book, 2, 10n, 1_060, { client: 'honest', held: 1n }), true)
    assert.equal(reserve(book, 3, 10n, 1_060, { client: 'other', held: 0n }), true)
    assert.equal(reserve(book, 4, 5_000n, 1_060, { client: 'third', held: 1n }), true)
    assert.equal(reserve(book, 5, 5_001n, 1_060, { client: 'fourth', held: 1n }), false)
  })

test('clients that name the account of a person leave the person its quotes', () => {
  const book = filledBook(() => 1_000_000)
  for (let number = 0; number < 20; number += 1)
    assert.ok(reserve(book, 1, number === 0 ? 7_500n : 2_500n, 1_060, asker(number)))
  assert.equal(reserve(book, 1, 1_000n, 1_060, { client: 'honest', held: 1n }), true)
})

test('of quotes beyond a position the first deposits count as reserved, the others do not', () => {
  for (const [isLate, more, expected] of [
    [true, 0n, false],
    [true, 5_000n, true],
    [false, 0n, true],
  ] as const) {
    const book = filledBook(() => 1_000_000)
    assert.ok(reserve(book, 1, 7_500n, 1_060))
    assert.ok(reserve(book, 2, 5_000n, 1_060))
    if (isLate) book.commit(orderIdOf(2), orderOfSender(2, CHEAP, 5_000n, 1_060))
    book.setInventory(CHEAP, inventory(10_000n + more, 2))
    book.commit(orderIdOf(1), orderOfSender(1, CHEAP, 7_500n, 1_060))
    assert.deepEqual([book.wasReserved(orderIdOf(1)), book.wasReserved(orderIdOf(2))], [expected, true])
  }
})

test('in any order of deposits those that count as reserved never exceed the inventory', () => {
  const quotes = fc.array(fc.record({ output: fc.integer({ min: 1, max: 7_500 }), at: fc.nat() }), {
    minLength: 1,
    maxLength: 12,
  })
  fc.assert(
    fc.property(quotes, (asked) => {
      const book = filledBook(() => 1_000_000)
      const given = asked
        .map(({ output, at }, number) => ({ output: BigInt(output), at, number }))
        .filter(({ output, number }) => reserve(book, number, output, 1_060))
      for (const { output, number } of given.toSorted((one, other) => one.at - other.at))
        book.commit(orderIdOf(number), orderOfSender(number, CHEAP, output, 1_060))
      let owed = 0n
      for (const { output, number } of given) if (book.wasReserved(orderIdOf(number))) owed += output
      assert.ok(owed <= 10_000n, `${owed} count as reserved`)
    }),
  )
})

test('a deposit counts as reserved although its solver declared less since the quote', () => {
  const book = filledBook(() => 1_000_000)
  assert.ok(reserve(book, 1, 5_000n, 1_060))
  book.setInventory(CHEAP, inventory(1n, 2))
  book.commit(orderIdOf(1), orderOfSender(1, CHEAP, 5_000n, 1_060))
  assert.equal(book.wasReserved(orderIdOf(1)), true)
})

test('the newest quote of a sender for a pair replaces its older one', () => {
  const book = filledBook(() => 1_000_000)
  for (const output of [7_000n, 1_000n, 7_500n, 500n]) assert.ok(reserve(book, 1, output, 1_060))
  assert.equal(reserve(book, 2, 7_500n, 1_060), true)
  assert.equal(reserve(book, 3, 5_001n, 1_060), false)
  assert.equal(reserve(book, 3, 5_000n, 1_060), true)
})

test('a client that names the sender of another client ends none of its reservations', () => {
  const book = filledBook(() => 1_000_000)
  assert.ok(reserve(book, 1, 4_000n, 1_060, asker(1, 1n)))
  assert.ok(reserve(book, 1, 1n, 1_060, asker(2, 1n)))
  assert.equal(reserve(book, 3, 6_000n, 1_060), false)
  assert.equal(reserve(book, 3, 5_999n, 1_060), true)
})

/** As `orderOfSender`, of the answer of this number. */
const orderOfAnswer = (number: number, sender: number): IntentOrder => ({
  ...orderOfSender(sender, CHEAP, 700n, 1_060),
  salt: orderIdOf(number),
})

test('of four quotes of a sender that are all deposited, only the last was reserved', () => {
  const book = filledBook(() => 1_000_000)
  const numbers = [1, 2, 3, 4]
  for (const number of numbers) assert.ok(book.reserve(orderIdOf(number), orderOfAnswer(number, 9), asker(9)))
  for (const number of numbers) book.commit(orderIdOf(number), orderOfAnswer(number, 9))
  assert.deepEqual(
    numbers.map((number) => book.wasReserved(orderIdOf(number))),
    [false, false, false, true],
  )
})

test('a deposit that lowers the balance first was reserved, one long after the balance fell was not', () => {
  const clock = clockAt(1_000_000)
  const book = filledBook(clock.now)
  for (const sender of [1, 2]) {
    const order = orderOfAnswer(sender, sender)
    assert.ok(book.reserve(orderIdOf(sender), order, asker(sender)))
    book.setHeld({ chainId: FROM.chainId, token: FROM.address, sender: order.depositor }, 0n)
    clock.set(clock.now() + (sender === 1 ? 14_000 : 16_000))
    book.commit(orderIdOf(sender), order)
  }
  assert.deepEqual([book.wasReserved(orderIdOf(1)), book.wasReserved(orderIdOf(2))], [true, false])
})

test('reservations end, oldest first, when the balance no longer covers their sum', () => {
  const book = filledBook(() => 1_000_000)
  const source = { chainId: FROM.chainId, token: FROM.address, sender: `0x${'1'.padStart(40, '0')}` }
  assert.ok(reserve(book, 1, 7_500n, 1_060))
  assert.deepEqual(book.sources(), [source])
  book.setHeld(source, 1n)
  assert.equal(reserve(book, 2, 7_500n, 1_060), false)
  book.setHeld(source, 0n)
  assert.equal(reserve(book, 2, 7_500n, 1_060), true)
  assert.deepEqual(
    book.sources().map(({ sender }) => sender),
    [`0x${'2'.padStart(40, '0')}`],
  )
})

test('one sender on twenty pairs reserves what its balance pays for, newest first', () => {
  const outputs = Array.from({ length: 20 }, (_, index) => `0x${(index + 1).toString(16).padStart(40, '0')}`)
  const book = createBook({
    directory: createSolverDirectory([CHEAP]),
    assetKey: (chain, token) => `${chain} ${token}`,
    ...clockOf(() => 1_000_000),
  })
  const of = (token: string): IntentOrder => ({
    ...intentOrder(CHEAP, 7_000n, 1_060),
    inputAmount: baseUnits(40n),
    outputToken: token,
  })
  for (const token of outputs)
    book.setInventory(CHEAP, [{ chain: TO.chainId, token, available: baseUnits(10_000n), block: 1 }])
  for (const [index, token] of outputs.entries())
    assert.equal(book.reserve(orderIdOf(index), of(token), { client: 'one', held: 100n }), true)
  const isFree = (token: string, index: number): boolean =>
    book.reserve(
      orderIdOf(100 + index),
      { ...of(token), depositor: `0x${'ab'.repeat(20)}`, inputAmount: baseUnits(1n) },
      asker(7),
    )
  assert.deepEqual(
    outputs.map(isFree),
    outputs.map((_, index) => index < 18),
  )
})

test('announced bounds stay quotable for some seconds, unless the sender has a quote', () => {
  const clock = clockAt(1_000_000)
  const book = filledBook(clock.now)
  book.leave(DEAR)
  book.setInventory(CHEAP, inventory(1_000n))
  const asked = pricedOrder('EXACT_OUTPUT', 5_000n)
  const answer = book.price(asked, RICH)
  assert.ok('declined' in answer && answer.declined === 'out_of_range')
  assert.equal(answer.maximum, 750n)
  book.hold({ ...asked, amount: answer.maximum }, RICH)
  assert.equal(reserve(book, 1, 501n, 1_060), false)
  assert.ok('offers' in book.price({ ...asked, amount: answer.maximum }, RICH))
  clock.set(1_006_000)
  assert.equal(reserve(book, 1, 700n, 1_060), true)
  const { depositor: sender } = orderOfSender(1, CHEAP, 1n, 1_060)
  book.hold({ ...asked, sender, amount: baseUnits(100n) }, asker(1))
  assert.equal(reserve(book, 2, 501n, 1_060), false)
})

test('a deposited order is committed once, until it is filled and declared, released, or past its fill deadline', () => {
  const clock = clockAt(1_000_000)
  const book = filledBook(clock.now)
  book.setInventory(CHEAP, inventory(1_000n, 5))
  const covers = (output: bigint): boolean => {
    book.upsertQuotes(CHEAP, [standingQuote([[1n, output]])])
    book.upsertQuotes(DEAR, [standingQuote([])])
    return 'offers' in book.price(pricedOrder('EXACT_INPUT', 1n), RICH)
  }
  const order = intentOrder(CHEAP, 600n, 1_060)
  book.reserve(orderIdOf(1), order, RICH)
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
  assert.deepEqual([covers(300n), covers(301n)], [true, false])

  book.setInventory(CHEAP, inventory(1_000n, 9))
  book.commit(orderIdOf(2), order)
  assert.equal(covers(401n), false)
  book.filled(orderIdOf(2), 8)
  assert.equal(covers(750n), true)
  book.commit(orderIdOf(3), order)
  book.release(orderIdOf(3))
  assert.equal(covers(750n), true)
  book.commit(orderIdOf(4), order)
  clock.set(1_661_000 + 10_000)
  assert.equal(covers(750n), true)
})

test('reservations outlive a session, and quotes of an earlier run are restored', () => {
  const book = filledBook(() => 1_000_000)
  book.restore(orderIdOf(1), orderOfSender(1, CHEAP, 9_000n, 1_060))
  book.restore(orderIdOf(2), orderOfSender(2, CHEAP, 9_000n, 999))
  book.leave(CHEAP)
  book.setInventory(CHEAP, inventory(10_000n))
  assert.equal(reserve(book, 3, 5_001n, 1_060), false)
  assert.equal(reserve(book, 3, 5_000n, 1_060), true)
})

test('orders of unknown solvers and unknown assets reserve nothing', () => {
  const book = filledBook(() => 1_000_000)
  const stranger = { ...CHEAP, address: '0x00000000000000000000000000000000000000C3' }
  assert.equal(book.reserve(orderIdOf(1), intentOrder(stranger, 1n, 1_060), RICH), false)
  assert.equal(
    book.reserve(orderIdOf(1), { ...intentOrder(CHEAP, 1n, 1_060), outputToken: FROM.address }, RICH),
    false,
  )
})

test('1,000 concurrent requests of a client are never quoted more than the declared inventory', async () => {
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
  const client = asker(0)
  const ask = async (number: number): Promise<void> => {
    const { depositor: sender } = orderOfSender(number, CHEAP, 1n, 1_060)
    const asked = pricedOrder('EXACT_INPUT', 1n + BigInt((number * 7_919) % 1_000))
    const answer = book.price({ ...asked, sender }, client)
    await new Promise((resolve) => setImmediate(resolve))
    if (!('offers' in answer)) return
    const [{ solver, output }] = answer.offers
    const order = orderOfSender(number, solver, output, 1_060)
    if (book.reserve(orderIdOf(number), order, client))
      given.set(solver.name, (given.get(solver.name) ?? 0n) + output)
  }
  await Promise.all(Array.from({ length: 1_000 }, (_, number) => ask(number)))
  assert.ok((given.get('cheap') ?? 0n) <= 123_456n)
  assert.ok((given.get('dear') ?? 0n) <= 65_432n)
  assert.ok((given.get('cheap') ?? 0n) > 91_500n, `only ${given.get('cheap')} was promised`)
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

test('in any history a quote is within the inventory that no quote takes, or half of what no deposit takes', () => {
  fc.assert(
    fc.property(steps, (history) => {
      const clock = clockAt(1_000_000)
      const book = createTestBook(clock.now)
      type Debt = { output: bigint; quotedUntil: number; until: number; filledAt?: number }
      const owed = new Map<number, Debt>()
      const live = (): bigint =>
        [...owed.values()].reduce((sum, { output, until }) => (until >= clock.now() ? sum + output : sum), 0n)
      const committed = (): bigint =>
        [...owed.values()]
          .filter(({ quotedUntil, until }) => until > quotedUntil && until >= clock.now())
          .reduce((sum, { output }) => sum + output, 0n)
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
          const fits = reserve(book, order, BigInt(size), seconds)
          if (fits)
            assert.ok(live() + BigInt(size) <= declared || 2n * BigInt(size) <= declared - committed())
          const until = seconds * 1000 + 999
          if (fits) owed.set(order, { output: BigInt(size), quotedUntil: until, until })
        }
        if (kind === 'commit' && known !== undefined && known.until >= clock.now()) {
          const openDeadline = Math.floor(known.quotedUntil / 1000)
          book.commit(orderIdOf(order), orderOfSender(order, CHEAP, known.output, openDeadline))
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
      assert.equal(reserve(book, 99, rest - 750_000n, last), true)
      assert.equal(reserve(book, 98, 750_001n, last), false)
      assert.equal(reserve(book, 98, 750_000n, last), true)
    }),
    { numRuns: 500 },
  )
})

test('a fill that the balance reflects and the declaration does not is subtracted once', () => {
  const book = filledBook(() => 1_000_000)
  book.setInventory(CHEAP, inventory(1_000n, 5))
  const covered = (): unknown => book.declarations().find(({ solver }) => solver === CHEAP.address)?.covered
  book.setBalance(
    { solver: CHEAP.address, asset: `${TO.chainId} ${TO.address}` },
    { amount: 1_000n, block: 5 },
  )
  book.commit(orderIdOf(1), orderOfSender(1, CHEAP, 600n, 1_060))
  book.setBalance({ solver: CHEAP.address, asset: `${TO.chainId} ${TO.address}` }, { amount: 400n, block: 6 })
  assert.equal(covered(), 400n)
  book.filled(orderIdOf(1), 6)
  assert.equal(covered(), 1_000n)
  book.setInventory(CHEAP, inventory(400n, 6))
  assert.equal(covered(), 400n)
})

/** A book whose cheap solver holds 1,000 at block 10 and owes 500, and what it can still promise. */
const halfOwed = () => {
  const clock = clockAt(1_000_000)
  const book = createBook({
    directory: createSolverDirectory([CHEAP]),
    assetKey,
    needsBalances: true,
    ...clockOf(clock.now),
  })
  const asset = { solver: CHEAP.address, asset: `${TO.chainId} ${TO.address}` }
  book.setInventory(CHEAP, inventory(1_000n, 10))
  book.setBalance(asset, { amount: 1_000n, block: 10 })
  book.commit(orderIdOf(1), orderOfSender(1, CHEAP, 500n, 1_060))
  book.upsertQuotes(CHEAP, [
    standingQuote(
      [
        [1n, 1n],
        [10_000n, 10_000n],
      ],
      3_600_000,
    ),
  ])
  /** The largest output that is quoted: three quarters of what counts at most. */
  const quoted = (): bigint => {
    const [answer] = offersOf(book, 'EXACT_OUTPUT', 10_001n)
    return Object(answer).maximum ?? 0n
  }
  return { clock, book, asset, quoted }
}

test('a seen fill that lowered the balance is subtracted once, also before it is final', () => {
  const { book, asset, quoted } = halfOwed()
  assert.equal(quoted(), 500n)
  book.setBalance(asset, { amount: 500n, block: 12 })
  assert.equal(quoted(), 0n)
  book.seenFilled(orderIdOf(1), 12)
  assert.equal(quoted(), 500n)
  book.filled(orderIdOf(1), 12)
  assert.equal(quoted(), 500n)
})

test('subtracts a seen fill that the declaration reflects once, in either sequence', () => {
  for (const isDeclaredFirst of [true, false]) {
    const { book, asset, quoted } = halfOwed()
    const steps = [
      () => book.setInventory(CHEAP, inventory(500n, 12)),
      () => book.seenFilled(orderIdOf(1), 12),
    ]
    for (const step of isDeclaredFirst ? steps : steps.toReversed()) step()
    book.setBalance(asset, { amount: 500n, block: 12 })
    assert.equal(quoted(), 500n)
    book.filled(orderIdOf(1), 12)
    assert.equal(quoted(), 375n, 'three quarters of what is left')
  }
})

test('an invented fill frees nothing', () => {
  const { book, asset, quoted } = halfOwed()
  book.seenFilled(orderIdOf(1), 11)
  book.setInventory(CHEAP, inventory(1_000n, 12))
  book.setBalance(asset, { amount: 1_000n, block: 12 })
  assert.equal(quoted(), 500n)
})

test('a fill that is undone is owed again', () => {
  const { book, asset, quoted } = halfOwed()
  book.seenFilled(orderIdOf(1), 12)
  book.setInventory(CHEAP, inventory(500n, 12))
  book.setBalance(asset, { amount: 500n, block: 12 })
  assert.equal(quoted(), 500n)
  book.setInventory(CHEAP, inventory(1_000n, 13))
  book.setBalance(asset, { amount: 1_000n, block: 13 })
  assert.equal(quoted(), 500n)
})

test('a balance of an older block counts only when no newer one came for ten seconds', () => {
  const { clock, book, asset, quoted } = halfOwed()
  book.release(orderIdOf(1))
  book.setBalance(asset, { amount: 0n, block: 20 })
  book.setBalance(asset, { amount: 1_000n, block: 11 })
  assert.equal(quoted(), 0n)
  clock.set(clock.now() + 9_999)
  book.setBalance(asset, { amount: 1_000n, block: 12 })
  assert.equal(quoted(), 0n)
  clock.set(clock.now() + 1)
  book.setBalance(asset, { amount: 1_000n, block: 12 })
  assert.equal(quoted(), 750n)
})

/** A step of a random history of an account: what happens, to which order. */
const accountSteps = fc.array(
  fc.record({
    kind: fc.constantFrom('reserve', 'commit', 'fill', 'undo', 'see', 'final', 'declare', 'read', 'receive'),
    order: fc.integer({ min: 0, max: 3 }),
    size: fc.integer({ min: 1, max: 700 }),
  }),
  { minLength: 1, maxLength: 60, size: 'max' },
)

test('an honest solver is never promised beyond its account, but for half of it, however fills are seen, undone and declared', () => {
  fc.assert(
    fc.property(accountSteps, (history) => {
      const book = createBook({
        directory: createSolverDirectory([CHEAP]),
        assetKey,
        needsBalances: true,
        ...clockOf(() => 1_000_000),
      })
      const asset = { solver: CHEAP.address, asset: `${TO.chainId} ${TO.address}` }
      type Owed = {
        readonly output: bigint
        isOpen: boolean
        filledAt?: number | undefined
        isFinal: boolean
      }
      const owed = new Map<number, Owed>()
      let account = 1_000n
      let block = 1
      const declare = () => book.setInventory(CHEAP, inventory(account, block))
      const read = () => book.setBalance(asset, { amount: account, block })
      declare()
      read()
      for (const { kind, order: chosen, size } of history) {
        const order = kind === 'reserve' ? owed.size : chosen % Math.max(1, owed.size)
        const known = owed.get(order)
        block += 1
        if (kind === 'declare') declare()
        if (kind === 'read') read()
        if (kind === 'receive') account += BigInt(size)
        if (kind === 'reserve' && reserve(book, order, BigInt(size), 1_060)) {
          owed.set(order, { output: BigInt(size), isOpen: false, isFinal: false })
          let [promised, open] = [0n, 0n]
          for (const { output, isOpen, filledAt } of owed.values()) {
            if (filledAt === undefined) promised += output
            if (filledAt === undefined && isOpen) open += output
          }
          assert.ok(promised <= account || 2n * BigInt(size) <= account - open, `${promised} of ${account}`)
        }
        if (kind === 'commit' && known?.isOpen === false) {
          book.commit(orderIdOf(order), orderOfSender(order, CHEAP, known.output, 1_060))
          known.isOpen = true
        }
        const canFill = known?.isOpen === true && known.filledAt === undefined && known.output <= account
        if (kind === 'fill' && canFill) {
          known.filledAt = block
          account -= known.output
        }
        if (kind === 'see' && known?.filledAt !== undefined) book.seenFilled(orderIdOf(order), known.filledAt)
        if (kind === 'final' && known?.filledAt !== undefined) {
          known.isFinal = true
          book.filled(orderIdOf(order), known.filledAt)
        }
        if (kind === 'undo' && known?.filledAt !== undefined && !known.isFinal) {
          known.filledAt = undefined
          account += known.output
          declare()
          read()
        }
      }
    }),
    { numRuns: 2_000 },
  )
})
