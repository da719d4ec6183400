import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CHEAP,
  clockAt,
  createTestBook,
  DEAR,
  inventory,
  standingQuote,
  TO,
} from '../../../test/test-orders.ts'
import { createSilentSolvers } from './silent-solvers.ts'

const LEDGER = 'stellar:sandbox'
const QUOTE = standingQuote([[100n, 99n]], 60_000)

const world = (chainsOf: (address: string) => readonly string[] = () => []) => {
  const clock = clockAt(1_000)
  const book = createTestBook(clock.now)
  const silent = createSilentSolvers({
    solvers: [CHEAP, DEAR],
    book,
    chainsOf: ({ address }) => chainsOf(address),
    steady: clock.now,
  })
  const balance = (amount: bigint): void =>
    book.setBalance({ solver: CHEAP.address, asset: `${TO.chainId} ${TO.address}` }, { amount, block: 1 })
  return { clock, book, balance, names: () => silent().map(({ name }) => name) }
}

test('a solver is silent until it quotes, and again once its quotes have lapsed or it has left', () => {
  const { clock, book, names } = world()
  assert.deepEqual(names(), ['cheap', 'dear'])
  book.upsertQuotes(CHEAP, [QUOTE])
  book.upsertQuotes(DEAR, [QUOTE])
  assert.deepEqual(names(), [])
  book.leave(CHEAP)
  assert.deepEqual(names(), ['cheap'])
  clock.set(61_000)
  assert.deepEqual(names(), ['cheap', 'dear'])
})

test('a solver is silent until the balances are read of what it declares', () => {
  const { book, balance, names } = world()
  book.setInventory(CHEAP, inventory(1_000n))
  book.upsertQuotes(CHEAP, [QUOTE])
  assert.deepEqual(names(), ['cheap', 'dear'])
  balance(1_000n)
  assert.deepEqual(names(), ['dear'])
})

test('a solver that quotes into some of the chains on which it has accounts counts after fifteen seconds', () => {
  const { clock, book, names } = world((address) => (address === CHEAP.address ? [TO.chainId, LEDGER] : []))
  book.upsertQuotes(CHEAP, [QUOTE])
  book.upsertQuotes(DEAR, [QUOTE])
  assert.deepEqual(names(), ['cheap'])
  clock.set(15_999)
  assert.deepEqual(names(), ['cheap'])
  clock.set(16_000)
  assert.deepEqual(names(), [])
})
