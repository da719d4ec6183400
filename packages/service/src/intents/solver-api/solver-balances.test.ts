import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/eventually.ts'
import { clockOf } from '../../../test/test-clock.ts'
import { assetKey, CHEAP, FROM, inventory, offersOf, standingQuote, TO } from '../../../test/test-orders.ts'
import { baseUnits } from '../../core/amount.ts'
import { createBook } from './book.ts'
import { createSolverBalances } from './solver-balances.ts'
import { createSolverDirectory } from './solver-directory.ts'

const SOLANA = 'solana:Bpu1Qr4aSCoq95PsfUXjxLBPQwLpWpqN'
const SOLANA_TOKEN = 'mint'
/** A token beside `FROM` whose balance no endpoint tells. */
const UNREADABLE = 'unreadable'

/** A book with the cheap solver's ladder, on chains whose heads and balances the test sets. */
const createWorld = () => {
  const state = { at: 0, number: 1n, isDown: false, delay: Promise.resolve() }
  /** What the quorum says of a token, where the first endpoint says something else; undefined without a quorum. */
  const sound = new Map<string, bigint | undefined>()
  const confirmed: string[] = []
  const held = new Map<string, bigint>()
  const asked: (readonly string[])[] = []
  const events: (readonly [string, unknown])[] = []
  const read = (owner: string, tokens: readonly string[]): readonly bigint[] => {
    asked.push([owner, ...tokens])
    if (state.isDown) throw new Error('no endpoint answered')
    return tokens.map((token) => held.get(token) ?? 0n)
  }
  const head = () => ({ number: state.number }) as never
  const balancesOfQuorum = async (_owner: string, tokens: readonly string[]) => {
    confirmed.push(...tokens)
    return tokens.map((token) => {
      const amount = sound.has(token) ? sound.get(token) : (held.get(token) ?? 0n)
      return amount === undefined ? undefined : { amount, number: state.number }
    })
  }
  const evm = {
    head,
    balances: async (owner: string, tokens: readonly string[]) => {
      const amounts = read(owner, tokens).map((amount, index) =>
        tokens[index] === UNREADABLE ? undefined : amount,
      )
      const answer = { blockNumber: state.number, amounts }
      await state.delay
      return answer
    },
    balancesOfQuorum,
  }
  const solana = {
    chainType: 'solana' as const,
    head,
    balances: async (owner: string, tokens: readonly string[]) => ({
      number: state.number,
      amounts: read(owner, tokens),
    }),
    balancesOfQuorum,
  }
  const keyOf = (chain: string, token: string): string | undefined =>
    chain === SOLANA || token === UNREADABLE ? `${chain} ${token}` : assetKey(chain, token)
  const clock = clockOf(() => state.at)
  const book = createBook({
    directory: createSolverDirectory([CHEAP]),
    assetKey: keyOf,
    needsBalances: true,
    ...clock,
  })
  book.upsertQuotes(CHEAP, [
    standingQuote(
      [
        [1n, 1n],
        [1_000_000n, 1_000_000n],
      ],
      60_000,
    ),
  ])
  const balances = createSolverBalances({
    evmChains: new Map([
      [TO.chainId, evm],
      [FROM.chainId, evm],
    ]),
    paymentChains: new Map([[SOLANA, solana]]),
    book,
    directory: { accountOn: ({ address }, chainType) => (chainType === 'evm' ? address : 'solana account') },
    steady: () => state.at,
    log: (_level, event, fields) => events.push([event, fields]),
  })
  /** Runs one round. */
  const round = async (): Promise<void> => {
    await balances.start()
    await balances.stop()
  }
  const later = async (ms: number): Promise<void> => {
    state.at += ms
    state.number += 1n
    await round()
  }
  /** The largest output that is quoted. */
  const quoted = (): unknown => {
    const [answer] = offersOf(book, 'EXACT_OUTPUT', 1_000_001n)
    return Object(answer).maximum ?? 0n
  }
  return { state, held, sound, confirmed, asked, events, book, balances, round, later, quoted }
}

test('a declared inventory counts once the balance is read, and no further than the account holds', async () => {
  const { held, book, round, quoted } = createWorld()
  book.setInventory(CHEAP, inventory(2n ** 255n))
  assert.equal(quoted(), 0n)
  held.set(TO.address, 4_000n)
  await round()
  assert.equal(quoted(), 3_000n)
  book.setInventory(CHEAP, inventory(400n))
  assert.equal(quoted(), 300n)
})

test('a solver that holds nothing is not quoted', async () => {
  const { book, round, quoted } = createWorld()
  book.setInventory(CHEAP, inventory(2n ** 255n))
  await round()
  assert.equal(quoted(), 0n)
})

test('the native asset and tokens on payment chains are compared too', async () => {
  const { held, asked, book, round } = createWorld()
  held.set(FROM.address, 5n)
  held.set(SOLANA_TOKEN, 7n)
  const entry = { available: baseUnits(10n), block: 1 }
  book.setInventory(CHEAP, [
    { chain: FROM.chainId, token: FROM.address, ...entry },
    { chain: SOLANA, token: SOLANA_TOKEN, ...entry },
  ])
  await round()
  assert.deepEqual(
    book.declarations().map(({ covered }) => covered),
    [5n, 7n],
  )
  assert.deepEqual(asked, [
    [CHEAP.address, FROM.address],
    ['solana account', SOLANA_TOKEN],
  ])
})

test('a chain that cannot be read keeps the last known balance', async () => {
  const { state, held, book, round, later, quoted } = createWorld()
  book.setInventory(CHEAP, inventory(8_000n))
  held.set(TO.address, 4_000n)
  await round()
  state.isDown = true
  await later(5_000)
  assert.equal(quoted(), 3_000n)
  state.isDown = false
  held.set(TO.address, 8_000n)
  await later(5_000)
  assert.equal(quoted(), 6_000n)
})

test('balances are read once in three seconds while the chain makes blocks, and not per quote', async () => {
  const { state, held, asked, book, round, later, quoted } = createWorld()
  book.setInventory(CHEAP, inventory(4_000n))
  held.set(TO.address, 8_000n)
  await round()
  for (let count = 0; count < 12; count += 1) {
    quoted()
    await later(250)
  }
  assert.equal(asked.length, 2)
  state.at += 60_000
  await round()
  assert.equal(asked.length, 2, 'no new block')
  await later(0)
  assert.equal(asked.length, 3)
})

test('an inventory above the balance is told after ten seconds, shown, and told when it ends', async () => {
  const { held, events, book, balances, round, later } = createWorld()
  book.setInventory(CHEAP, inventory(8_000n))
  held.set(TO.address, 4_000n)
  await round()
  await later(9_999)
  assert.deepEqual([events, balances.exceeded()], [[], []])
  await later(1)
  await later(5_000)
  const asset = { solver: CHEAP.address, chainId: TO.chainId, token: TO.address }
  assert.deepEqual(balances.exceeded(), [{ ...asset, declared: 8_000n, balance: 4_000n }])
  book.setInventory(CHEAP, inventory(4_000n))
  await later(1)
  assert.deepEqual(balances.exceeded(), [])
  assert.deepEqual(events, [
    ['inventory_exceeds_balance', { ...asset, declared: '8000', balance: '4000' }],
    ['inventory_within_balance', asset],
  ])
})

test('an inventory above the balance ends when its solver leaves', async () => {
  const { events, book, round, later } = createWorld()
  book.setInventory(CHEAP, inventory(8_000n))
  await round()
  await later(10_000)
  book.leave(CHEAP)
  await later(1)
  assert.deepEqual(
    events.map(([event]) => event),
    ['inventory_exceeds_balance', 'inventory_within_balance'],
  )
})

test('one endpoint that reports empty balances stops no solver and accuses no solver', async () => {
  const { held, sound, confirmed, events, book, balances, round, later, quoted } = createWorld()
  book.setInventory(CHEAP, inventory(4_000n))
  held.set(TO.address, 0n)
  sound.set(TO.address, 4_000n)
  await round()
  await later(11_000)
  assert.equal(quoted(), 3_000n)
  assert.deepEqual([events, balances.exceeded()], [[], []])
  assert.deepEqual(confirmed, [TO.address, TO.address])
})

test('without a quorum the last known balance stays', async () => {
  const { held, sound, book, round, later, quoted } = createWorld()
  book.setInventory(CHEAP, inventory(4_000n))
  held.set(TO.address, 4_000n)
  await round()
  held.set(TO.address, 400n)
  sound.set(TO.address, undefined)
  await later(3_000)
  assert.equal(quoted(), 3_000n)
  sound.delete(TO.address)
  await later(3_000)
  assert.equal(quoted(), 300n)
})

test('a balance that cannot be read is read again without the others', async () => {
  const { held, asked, book, round, later } = createWorld()
  held.set(FROM.address, 10n)
  const entry = { chain: FROM.chainId, available: baseUnits(10n), block: 1 }
  book.setInventory(CHEAP, [
    { ...entry, token: FROM.address },
    { ...entry, token: UNREADABLE },
  ])
  await round()
  await later(500)
  await later(500)
  assert.deepEqual(asked, [
    [CHEAP.address, FROM.address, UNREADABLE],
    [CHEAP.address, UNREADABLE],
    [CHEAP.address, UNREADABLE],
  ])
})

test('a solver with many assets has three hundred balances read at once and thirty a second', async () => {
  const { asked, held, book, round, later } = createWorld()
  const tokens = Array.from({ length: 1_000 }, (_, index) => `mint${index}`)
  for (const token of tokens) held.set(token, 1n)
  book.setInventory(
    CHEAP,
    tokens.map((token) => ({ chain: SOLANA, token, available: baseUnits(1n), block: 1 })),
  )
  await round()
  const count = (): number => asked.reduce((sum, [, ...some]) => sum + some.length, 0)
  assert.equal(count(), 300)
  for (let second = 0; second < 30; second += 1) await later(1_000)
  assert.equal(count(), 1_200)
  assert.equal(new Set(asked.flat()).size, 1_001, 'every token in turn')
})

test('a read that outlives its round is not repeated beside itself', async () => {
  const { state, held, asked, book, round, later } = createWorld()
  const { promise, resolve } = Promise.withResolvers<void>()
  state.delay = promise
  held.set(TO.address, 4_000n)
  book.setInventory(CHEAP, inventory(4_000n))
  await round()
  await later(10_000)
  assert.equal(asked.length, 1)
  resolve()
  await until(() => book.declarations().every(({ balance }) => balance !== undefined))
  await later(10_000)
  assert.equal(asked.length, 2)
})
