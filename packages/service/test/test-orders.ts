import assert from 'node:assert/strict'
import type { OrderType } from '@openrfq/sdk'
import { baseUnits } from '../src/core/amount.ts'
import type { IntentOrder, OrderId } from '../src/core/intent-order.ts'
import { provenTerms } from '../src/intents/settlers/quoted-order.ts'
import type { Solver } from '../src/intents/solver-api/best-offers.ts'
import { type Book, createBook } from '../src/intents/solver-api/book.ts'
import type { StandingQuote } from '../src/intents/solver-api/protocol.ts'
import type { Asker } from '../src/intents/solver-api/quote-reservations.ts'
import { createSolverDirectory } from '../src/intents/solver-api/solver-directory.ts'
import { clockOf } from './test-clock.ts'

/** Tests only: solvers, one pair and orders over it. */
export const CHEAP: Solver = { name: 'cheap', address: '0x00000000000000000000000000000000000000A1' }
export const DEAR: Solver = { name: 'dear', address: '0x00000000000000000000000000000000000000B2' }

export const FROM = { chainId: 'eip155:31337', address: '0x0000000000000000000000000000000000000000' }
export const TO = { chainId: 'eip155:31338', address: '0xABcdEFABcdEFabcdEfAbCdefabcdeFABcDEFabCD' }

/** The key of an asset of the pair, in any case. */
export const assetKey = (chain: string, token: string): string | undefined =>
  [FROM, TO]
    .filter(({ chainId, address }) => chainId === chain && address.toLowerCase() === token.toLowerCase())
    .map(({ chainId, address }) => `${chainId} ${address}`)[0]

export const createTestBook = (now: () => number): Book =>
  createBook({ directory: createSolverDirectory([CHEAP, DEAR]), assetKey, ...clockOf(now) })

type Rungs = readonly (readonly [input: bigint, output: bigint, fee?: bigint])[]

export const standingQuote = (rungs: Rungs, validForMs = 10_000): StandingQuote => ({
  fromChain: FROM.chainId,
  fromToken: FROM.address,
  toChain: TO.chainId,
  toToken: TO.address.toLowerCase(),
  ladder: rungs.map(([input, output, fee = 0n]) => ({
    input: baseUnits(input),
    output: baseUnits(output),
    fee: baseUnits(fee),
  })),
  validForMs,
})

export const inventory = (available: bigint, block = 1): Parameters<Book['setInventory']>[1] => [
  { chain: TO.chainId, token: TO.address, available: baseUnits(available), block },
]

export const pricedOrder = (orderType: OrderType, amount: bigint): Parameters<Book['price']>[0] => ({
  from: { token: FROM },
  to: { token: TO },
  sender: DEPOSITOR,
  orderType,
  amount: baseUnits(amount),
})

export const orderIdOf = (number: number): OrderId =>
  `0x${number.toString(16).padStart(13, '0').padEnd(64, '0')}`

const DEPOSITOR = '0x00000000000000000000000000000000000000D0'

/** Tests only: somebody who holds any input. */
export const RICH: Asker = { client: 'client', held: 2n ** 255n }

/** An order that pays `output`, open until second `openDeadline`, with its fill deadline 600 seconds later. */
export const intentOrder = (solver: Solver, output: bigint, openDeadline: number): IntentOrder => ({
  depositor: DEPOSITOR,
  salt: orderIdOf(1),
  originChain: FROM.chainId,
  originSettler: '0x00000000000000000000000000000000000000E0',
  destinationChain: TO.chainId,
  destinationSettler: '0x00000000000000000000000000000000000000E0',
  openDeadline,
  fillDeadline: openDeadline + 600,
  refundAfter: openDeadline + 1_200,
  inputToken: FROM.address,
  inputAmount: baseUnits(1n),
  outputToken: TO.address,
  outputAmount: baseUnits(output),
  recipient: '0x00000000000000000000000000000000000000F0',
  solver: solver.address,
  filler: solver.address,
  proven: provenTerms('sandbox-b', openDeadline + 300),
})

/** As `intentOrder`, of the answer and the sender of this number. */
export const orderOfSender = (number: number, ...terms: Parameters<typeof intentOrder>): IntentOrder => ({
  ...intentOrder(...terms),
  depositor: `0x${number.toString(16).padStart(40, '0')}`,
  salt: orderIdOf(number),
})

/** A clock that the test sets. */
export const clockAt = (start: number): { now: () => number; set: (at: number) => void } => {
  let at = start
  return {
    now: () => at,
    set: (next) => {
      at = next
    },
  }
}

/** A book in which both solvers have quotes and inventory. */
export const filledBook = (now: () => number = () => 0): Book => {
  const book = createTestBook(now)
  assert.equal(
    book.upsertQuotes(CHEAP, [
      standingQuote([
        [100n, 99n, 1n],
        [1_000n, 980n, 5n],
      ]),
    ]),
    undefined,
  )
  assert.equal(
    book.upsertQuotes(DEAR, [
      standingQuote([
        [50n, 45n],
        [2_000n, 1_900n],
      ]),
    ]),
    undefined,
  )
  assert.equal(book.setInventory(CHEAP, inventory(10_000n)), undefined)
  assert.equal(book.setInventory(DEAR, inventory(10_000n)), undefined)
  return book
}

/** The offers for an order as solver, input, output and fee; or the decline. */
export const offersOf = (book: Book, ...order: Parameters<typeof pricedOrder>): readonly unknown[] => {
  const answer = book.price(pricedOrder(...order), RICH)
  return 'offers' in answer
    ? answer.offers.map(({ solver, input, output, fee }) => [solver.name, input, output, fee])
    : [answer]
}
