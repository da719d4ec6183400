import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CHEAP,
  clockAt,
  createTestBook,
  DEAR,
  FROM,
  filledBook,
  inventory,
  offersOf,
  pricedOrder,
  RICH,
  standingQuote,
  TO,
} from '../../../test/test-orders.ts'

test('offers the better price first, and one more of another solver', () => {
  const book = filledBook()
  assert.deepEqual(offersOf(book, 'EXACT_INPUT', 1_000n), [
    ['cheap', 1_000n, 980n, 5n],
    ['dear', 1_000n, 948n, 0n],
  ])
  assert.deepEqual(offersOf(book, 'EXACT_OUTPUT', 980n), [
    ['cheap', 1_000n, 980n, 5n],
    ['dear', 1_033n, 980n, 0n],
  ])
  assert.deepEqual(offersOf(book, 'EXACT_INPUT', 1_500n), [['dear', 1_500n, 1_424n, 0n]])
})

test('leaves out the second offer when its price is the same', () => {
  const book = filledBook()
  book.upsertQuotes(DEAR, [
    standingQuote([
      [100n, 99n, 3n],
      [1_000n, 980n, 3n],
    ]),
  ])
  assert.deepEqual(offersOf(book, 'EXACT_INPUT', 100n), [['cheap', 100n, 99n, 1n]])
})

test('declines an amount outside every ladder with bounds that are quoted', () => {
  const book = filledBook()
  assert.deepEqual(offersOf(book, 'EXACT_INPUT', 49n), [
    { declined: 'out_of_range', minimum: 50n, maximum: 2_000n },
  ])
  assert.deepEqual(offersOf(book, 'EXACT_OUTPUT', 1_901n), [
    { declined: 'out_of_range', minimum: 45n, maximum: 1_900n },
  ])
})

test('declines an amount between two ladders with the bounds below it', () => {
  const book = filledBook()
  book.upsertQuotes(DEAR, [
    standingQuote([
      [5_000n, 4_500n],
      [6_000n, 5_000n],
    ]),
  ])
  assert.deepEqual(offersOf(book, 'EXACT_INPUT', 3_000n), [
    { declined: 'out_of_range', minimum: 100n, maximum: 1_000n },
  ])
  assert.deepEqual(offersOf(book, 'EXACT_INPUT', 7_000n), [
    { declined: 'out_of_range', minimum: 100n, maximum: 6_000n },
  ])
})

test('a pair without a standing quote, or without inventory, is not quoted', () => {
  const book = createTestBook(() => 0)
  assert.deepEqual(offersOf(book, 'EXACT_INPUT', 100n), [{ declined: 'no_quotes' }])
  book.upsertQuotes(CHEAP, [standingQuote([[100n, 99n]])])
  assert.deepEqual(offersOf(book, 'EXACT_INPUT', 100n), [{ declined: 'no_quotes' }])
  book.setInventory(CHEAP, inventory(131n))
  assert.deepEqual(offersOf(book, 'EXACT_INPUT', 100n), [{ declined: 'no_quotes' }])
  book.setInventory(CHEAP, inventory(132n))
  assert.deepEqual(offersOf(book, 'EXACT_INPUT', 100n), [['cheap', 100n, 99n, 0n]])
})

test('offers from the next solver what the best cannot pay, with bounds of the remaining inventory', () => {
  const book = filledBook()
  book.setInventory(CHEAP, inventory(500n))
  book.setInventory(DEAR, inventory(1_334n))
  assert.deepEqual(offersOf(book, 'EXACT_INPUT', 1_000n), [['dear', 1_000n, 948n, 0n]])
  assert.deepEqual(offersOf(book, 'EXACT_OUTPUT', 1_001n), [
    { declined: 'out_of_range', minimum: 45n, maximum: 1_000n },
  ])
})

test('standing quotes end at their expiry, by an empty ladder, and when the solver leaves', () => {
  const clock = clockAt(0)
  const book = filledBook(clock.now)
  clock.set(9_999)
  assert.equal(offersOf(book, 'EXACT_INPUT', 100n).length, 2)
  clock.set(10_000)
  assert.deepEqual(offersOf(book, 'EXACT_INPUT', 100n), [{ declined: 'no_quotes' }])
  clock.set(0)
  book.upsertQuotes(CHEAP, [standingQuote([])])
  assert.deepEqual(offersOf(book, 'EXACT_INPUT', 1_000n), [['dear', 1_000n, 948n, 0n]])
  book.leave(DEAR)
  assert.deepEqual(offersOf(book, 'EXACT_INPUT', 1_000n), [{ declined: 'no_quotes' }])
})

test('rejects messages with unknown assets, one chain on both sides, or duplicates as a whole', () => {
  const book = createTestBook(() => 0)
  const good = standingQuote([[100n, 99n]])
  for (const [quotes, reason] of [
    [[good, { ...good, toChain: 'eip155:1' }], 'unknown_asset'],
    [[good, { ...good, fromToken: '0x01' }], 'unknown_asset'],
    [[good, { ...good, toChain: FROM.chainId, toToken: FROM.address }], 'unknown_asset'],
    [[good, { ...good, toToken: TO.address }], 'duplicate'],
  ] as const) {
    assert.equal(book.upsertQuotes(CHEAP, quotes)?.reason, reason)
  }
  const [entry] = inventory(1_000n)
  assert.ok(entry)
  assert.equal(book.setInventory(CHEAP, [entry, { ...entry, token: '0x02' }])?.reason, 'unknown_asset')
  assert.equal(
    book.setInventory(CHEAP, [entry, { ...entry, token: TO.address.toLowerCase() }])?.reason,
    'duplicate',
  )
  book.setInventory(CHEAP, inventory(1_000n))
  assert.deepEqual(offersOf(book, 'EXACT_INPUT', 100n), [{ declined: 'no_quotes' }])
  assert.equal(book.upsertQuotes({ name: 'stranger', address: '0x01' }, [good])?.reason, 'unknown_asset')
})

test('a pair that no solver has quoted is never quoted once all solvers began a quarter of a minute ago', () => {
  const clock = clockAt(0)
  const book = createTestBook(clock.now)
  const turned = { ...pricedOrder('EXACT_INPUT', 1n), from: { token: TO }, to: { token: FROM } }
  const declined = () => {
    const answer = book.price(turned, RICH)
    return 'declined' in answer ? answer.declined : undefined
  }
  book.upsertQuotes(CHEAP, [standingQuote([[100n, 99n]])])
  clock.set(16_000)
  assert.equal(declined(), 'no_quotes', 'the other solver may still quote it')
  book.upsertQuotes(DEAR, [standingQuote([[100n, 99n]])])
  clock.set(30_000)
  assert.equal(declined(), 'no_quotes')
  clock.set(31_000)
  assert.equal(declined(), 'never_quoted')
})
