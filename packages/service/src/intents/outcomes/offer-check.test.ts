import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clockOf } from '../../../test/test-clock.ts'
import {
  assetKey,
  CHEAP,
  clockAt,
  DEAR,
  FROM,
  inventory,
  offersOf,
  orderIdOf,
  orderOfSender,
  RICH,
  standingQuote,
  TO,
} from '../../../test/test-orders.ts'
import { NetworkToken } from '../../core/network.ts'
import type { Solver } from '../solver-api/best-offers.ts'
import { createBook } from '../solver-api/book.ts'
import { createSolverDirectory } from '../solver-api/solver-directory.ts'
import { createOfferCheck } from './offer-check.ts'

const THIRD: Solver = { name: 'third', address: '0x00000000000000000000000000000000000000C3' }
const SOLVERS = [CHEAP, DEAR, THIRD]
const PAIR = `${FROM.chainId} ${FROM.address} ${TO.chainId} ${TO.address}`
const MINUTE = 60_000
/** Of a source asset with six decimals, worth 2 USD, and a destination asset with eight, worth 1 USD. */
const FAIR = 200n

/** A book of three solvers that takes quotes up to 3 % above the reference prices; without some of the world by `changes`. */
const createWorld = ({
  boundBps = 300,
  prices = { [FROM.chainId]: 2n, [TO.chainId]: 1n },
}: {
  readonly boundBps?: number | null
  readonly prices?: Readonly<Record<string, bigint>>
} = {}) => {
  const clock = clockAt(0)
  const told: unknown[] = []
  const lines: string[] = []
  const tokenOf = (asset: typeof FROM, decimals: number): NetworkToken =>
    NetworkToken.parse({ ...asset, symbol: 'T', name: 'Token', decimals, verified: true })
  const tokens = [tokenOf(FROM, 6), tokenOf(TO, 8)]
  const check = createOfferCheck({
    solvers: SOLVERS,
    prices: ({ chainId }) => prices[chainId],
    catalog: { token: (chainId) => tokens.find((token) => token.chainId === chainId) },
    boundBps: boundBps ?? undefined,
    clock: clockOf(clock.now),
    log: (_level, event) => lines.push(event),
  })
  check.onWithdrawn(({ solver, pair, until }) => told.push([solver, pair, until]))
  const book = createBook({
    directory: createSolverDirectory(SOLVERS),
    assetKey,
    admits: check.admits,
    needsBalances: false,
    ...clockOf(clock.now),
  })
  for (const solver of SOLVERS) book.setInventory(solver, inventory(10_000_000n))
  /** Quotes an output in percent of the fair one, for inputs from 1,000 to 10,000. */
  const quote = (solver: Solver, percent: bigint): void => {
    const rungs = [1_000n, 10_000n].map((input) => [input, input * percent * (FAIR / 100n)] as const)
    assert.equal(book.upsertQuotes(solver, [standingQuote(rungs, MINUTE)]), undefined)
  }
  /** The names of the solvers whose offers are shown. */
  const shown = (): readonly unknown[] =>
    offersOf(book, 'EXACT_INPUT', 2_000n).map((offer) => (Array.isArray(offer) ? offer[0] : offer))
  return { clock, told, lines, check, book, quote, shown }
}

test('a quote that beats the reference prices by more than the bound is not shown, one at the bound is', () => {
  const { quote, shown, check } = createWorld()
  quote(CHEAP, 103n)
  assert.deepEqual(shown(), ['cheap'])
  quote(CHEAP, 104n)
  assert.deepEqual(shown(), [{ declined: 'no_quotes' }])
  assert.deepEqual(check.counts()[0], { solver: 'cheap', count: 1 })
})

test('one rung beyond the bound suffices, the least output of a small input does not', () => {
  const { book, shown } = createWorld()
  const fair = [10_000n, 10_000n * FAIR] as const
  book.upsertQuotes(CHEAP, [standingQuote([[1_000n, 1_000n * FAIR], fair, [20_000n, 40_000n * FAIR]])])
  assert.deepEqual(shown(), [{ declined: 'no_quotes' }])
  book.upsertQuotes(DEAR, [standingQuote([[1n, FAIR + 7n], fair])])
  assert.deepEqual(shown(), ['dear'])
})

test('every quote is shown without a bound, and where either asset has no reference price', () => {
  const worlds = [
    createWorld({ boundBps: null }),
    createWorld({ prices: {} }),
    createWorld({ prices: { [FROM.chainId]: 2n } }),
    createWorld({ prices: { [TO.chainId]: 1n } }),
  ]
  for (const { quote, shown, told } of worlds) {
    quote(CHEAP, 1_000n)
    assert.deepEqual(shown(), ['cheap'])
    assert.deepEqual(told, [])
  }
})

test('two solvers that quote absurd prices again and again never hide an honest one', () => {
  const { quote, shown } = createWorld()
  quote(THIRD, 99n)
  for (let time = 0; time < 50; time += 1) {
    quote(CHEAP, 150n)
    quote(DEAR, 140n)
    assert.deepEqual(shown(), ['third'])
  }
})

test('an absurd quote leaves the honest offer its reservation when the client asks again', () => {
  const { book, quote } = createWorld()
  quote(THIRD, 99n)
  const honest = orderOfSender(1, THIRD, 198_000n, 60)
  assert.equal(book.reserve(orderIdOf(1), honest, RICH), true)
  quote(CHEAP, 150n)
  assert.deepEqual(offersOf(book, 'EXACT_INPUT', 1_000n), [['third', 1_000n, 198_000n, 0n]])
  const again = { ...orderOfSender(2, THIRD, 198_000n, 60), depositor: honest.depositor }
  assert.equal(book.reserve(orderIdOf(2), again, RICH), true)
  book.commit(orderIdOf(2), again)
  assert.equal(book.wasReserved(orderIdOf(2)), true)
})

test('a mended quote counts at once, a repeated mistake is refused for five minutes, and the solver is told', () => {
  const { clock, told, lines, quote, shown } = createWorld()
  quote(CHEAP, 200n)
  quote(CHEAP, 99n)
  assert.deepEqual(shown(), ['cheap'])
  quote(CHEAP, 200n)
  for (const at of [1, 2 * MINUTE, 5 * MINUTE - 1]) {
    clock.set(at)
    quote(CHEAP, 99n)
    quote(CHEAP, 200n)
    assert.deepEqual(shown(), [{ declined: 'no_quotes' }])
  }
  clock.set(5 * MINUTE)
  quote(CHEAP, 99n)
  assert.deepEqual(shown(), ['cheap'])
  assert.deepEqual(told, [
    [CHEAP.address, PAIR, 0],
    [CHEAP.address, PAIR, 5 * MINUTE],
  ])
  assert.deepEqual(lines, ['offer_too_good', 'offer_plausible', 'offer_too_good', 'offer_plausible'])
})

test('a mistake is forgotten after ten minutes', () => {
  const { clock, quote, shown } = createWorld()
  quote(CHEAP, 200n)
  clock.set(10 * MINUTE)
  quote(CHEAP, 200n)
  quote(CHEAP, 99n)
  assert.deepEqual(shown(), ['cheap'])
})

test('a refused solver may still withdraw, and other solvers are taken', () => {
  const { book, quote, shown } = createWorld()
  quote(CHEAP, 200n)
  quote(CHEAP, 200n)
  quote(DEAR, 99n)
  assert.equal(book.upsertQuotes(CHEAP, [standingQuote([])]), undefined)
  assert.deepEqual(shown(), ['dear'])
})
