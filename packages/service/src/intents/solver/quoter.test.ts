import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChainId } from '@openrfq/sdk'
import fc from 'fast-check'
import { baseUnits, MAX_BASE_UNITS } from '../../core/amount.ts'
import { usdPrice } from '../../pricing/usd.ts'
import { encodeSolverMessage, PROTOCOL_LIMITS, type StandingQuote } from '../solver-api/protocol.ts'
import type { SolverAsset } from './assets.ts'
import { createCommitments } from './commitments.ts'
import { Strategy } from './config.ts'
import { createQuoter, messagesOf, splitQuotes } from './quoter.ts'

const amount = fc.oneof(fc.bigInt(1n, 10n ** 9n), fc.bigInt(1n, MAX_BASE_UNITS)).map(baseUnits)
const text = (characters: number) => 'f'.repeat(characters)
const anyQuote = fc
  .record({ ladder: fc.array(fc.record({ input: amount, output: amount, fee: amount }), { maxLength: 12 }) })
  .map(
    ({ ladder }): StandingQuote => ({
      fromChain: `solana:${'9'.repeat(32)}`,
      fromToken: text(64),
      toChain: `solana:${'8'.repeat(32)}`,
      toToken: text(64),
      ladder,
      validForMs: 60_000,
    }),
  )

test("splits quotes into messages within the protocol's limits, complete and in order", () => {
  fc.assert(
    fc.property(fc.array(anyQuote, { maxLength: 150 }), (quotes) => {
      const messages = splitQuotes(quotes)
      assert.deepEqual(messages.flat(), quotes)
      for (const pairs of messages) {
        assert.ok(pairs.length > 0 && pairs.length <= PROTOCOL_LIMITS.maxPairsPerMessage)
        const frame = JSON.stringify(
          { type: 'quotes', sequence: Number.MAX_SAFE_INTEGER, pairs, signature: `0x${text(130)}` },
          (_, value) => (typeof value === 'bigint' ? value.toString() : value),
        )
        assert.ok(frame.length <= PROTOCOL_LIMITS.maxFrameBytes, `${frame.length}`)
      }
    }),
    { numRuns: 200 },
  )
})

test('mixes no kinds in a message, leaves out no quote, and sends the longest-published first', () => {
  const kind = fc.constantFrom('intent' as const, 'attested' as const)
  fc.assert(
    fc.property(fc.array(fc.tuple(kind, anyQuote), { maxLength: 150 }), (told) => {
      const kinds = new Map(told.map(([settler, quote]) => [quote, settler]))
      const messages = messagesOf(told.map(([settler, quote]) => [{ settler }, quote]))
      assert.deepEqual(new Set(messages.flat()), new Set(kinds.keys()))
      for (const message of messages) assert.equal(new Set(message.map((one) => kinds.get(one))).size, 1)
      assert.equal(messages[0]?.[0], told[0]?.[1])
    }),
    { numRuns: 100 },
  )
})

test('a withdrawal is a pair without rungs', () => {
  const [message = []] = splitQuotes([
    {
      fromChain: 'eip155:1',
      fromToken: `0x${text(40)}`,
      toChain: 'eip155:2',
      toToken: `0x${text(40)}`,
      ladder: [],
      validForMs: 1_000,
    },
  ])
  const frame = encodeSolverMessage({
    type: 'quotes',
    sequence: 1,
    pairs: [...message],
    signature: `0x${text(130)}`,
  })
  assert.match(frame, /"ladder":\[\]/)
})

const assetOn = (chainId: ChainId): SolverAsset => ({
  key: chainId,
  chainId,
  address: chainId,
  symbol: 'USDC',
  isNative: false,
  isOnPaymentChain: false,
  price: { decimals: 6, usdPrice: usdPrice('1') ?? 1n },
})

type QuoterDeps = Parameters<typeof createQuoter>[0]

const quoterOf = (deps: Pick<QuoterDeps, 'assets' | 'isFit' | 'link'> & Partial<QuoterDeps>) =>
  createQuoter({
    inventory: {
      holding: (asset) => ({ asset, spendable: 10n ** 12n, blockNumber: 1n, readAt: 0 }),
      isAllowed: () => true,
    },
    tracker: { orders: () => [] },
    reservations: { owed: () => 0n },
    commitments: createCommitments(() => 0),
    sides: new Set<ChainId>(),
    costs: { isKnowable: () => true, inUnitsOf: () => 0n },
    strategy: Strategy.parse({}),
    onQuoting: () => undefined,
    now: () => 0,
    log: () => undefined,
    ...deps,
  })

test('pairs whose chains are read only after the login are quoted with what the first round left of the burst', async () => {
  const assets = Array.from({ length: 20 }, (_, index) => assetOn(`eip155:${index + 1}`))
  const read = new Set(['eip155:1', 'eip155:2'])
  let messages = 0
  const sendQuotes = async () => {
    messages += 1
    return true
  }
  const quoter = quoterOf({
    assets,
    isFit: (chainId) => read.has(chainId),
    link: { send: () => true, sendQuotes, isOpen: () => true },
  })
  const sentByRound = async () => {
    messages = 0
    await quoter.round()
    return messages
  }
  assert.equal(await sentByRound(), 1)
  for (const { chainId } of assets) read.add(chainId)
  assert.equal(await sentByRound(), PROTOCOL_LIMITS.messageBurst - 3)
  assert.equal(await sentByRound(), PROTOCOL_LIMITS.messagesPerSecond - 3)
})

test('the solver is ready once it has quoted every pair, also while no moment finds all chains current, and not before its costs are known', async () => {
  const assets = ['eip155:1', 'eip155:2', 'eip155:3'].map(assetOn)
  let [behind, ready, isCosted] = ['', 0, true]
  const quoter = quoterOf({
    assets,
    isFit: (chainId) => chainId !== behind,
    costs: {
      isKnowable: () => true,
      inUnitsOf: (_, { settler }) => (isCosted && settler === 'intent' ? 0n : undefined),
    },
    link: { send: () => true, sendQuotes: async () => true, isOpen: () => true },
    onQuoting: () => {
      ready += 1
    },
  })
  const readyAfter = async (chainIds: readonly string[]): Promise<boolean> => {
    ready = 0
    for (const chainId of chainIds) {
      behind = chainId
      await quoter.round()
    }
    return ready > 0
  }
  assert.equal(await readyAfter(['eip155:1', 'eip155:1', 'eip155:2']), false)
  assert.equal(await readyAfter(['eip155:3']), true)
  quoter.reset()
  assert.equal(await readyAfter(['eip155:3', 'eip155:2']), false)
  assert.equal(await readyAfter(['']), true)
  isCosted = false
  quoter.reset()
  assert.equal(await readyAfter(['']), false)
  isCosted = true
  assert.equal(await readyAfter(['']), true)
})
