import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChainId } from '@openrfq/sdk'
import { clockAt } from '../../../test/test-orders.ts'
import type { EvmHead } from '../../chains/evm/evm-chain.ts'
import { AxelarError } from '../../protocols/axelar/axelar-error.ts'
import { Settlement } from './config.ts'
import { createOrderCosts, type Direction } from './order-costs.ts'
import type { PricedToken } from './pricing.ts'

const [A, B, LEDGER] = ['eip155:1', 'eip155:2', 'stellar:ledger'] as const
const GWEI = 10n ** 9n
const ETHER: PricedToken = { decimals: 18, usdPrice: 3_000n * 10n ** 18n }
const DOLLAR: PricedToken = { decimals: 6, usdPrice: 10n ** 18n }
const SCALE = 10n ** 36n
const THERE: Direction = { originChain: A, destinationChain: B, settler: 'intent' }
const ATTESTED: Direction = { originChain: A, destinationChain: LEDGER, settler: 'attested' }

const headOf = (gasPrice: bigint): EvmHead => ({
  number: 1n,
  hash: '0x',
  timestampSeconds: 0,
  finalNumber: 0n,
  maxFeePerGas: gasPrice,
  maxPriorityFeePerGas: gasPrice,
  readAt: 0,
})

/** Costs with gas at a price on both chains, and a proof's relay at 20 gwei for 300,000 gas. */
const open = (
  natives: ReadonlyMap<ChainId, PricedToken> = new Map([A, B].map((one) => [one, ETHER])),
  costsBps = 10_000,
) => {
  const clock = clockAt(1_000_000)
  const state = { gasPrice: GWEI, isUp: true, reads: 0 }
  const evm = { head: () => headOf(state.gasPrice) }
  const chainOf = (chainId: ChainId) => ({ chainId, axelarName: 'x', executeGasLimit: 300_000, evm })
  const costs = createOrderCosts({
    chains: new Map([A, B].map((one) => [one, chainOf(one)])),
    natives,
    axelarscan: {
      hopFees: async () => {
        state.reads += 1
        if (!state.isUp) throw new AxelarError('NO_FEES', 'down')
        const gasPrice = (20n * GWEI * SCALE) / 10n ** 18n
        return {
          baseFee: 0n,
          gasPrice,
          multiplier: SCALE,
          sourceUsd: undefined,
          sourceDecimals: 18,
          destination: undefined,
        }
      },
    },
    gasMarginBps: 10_000,
    settlement: Settlement.parse({}),
    strategy: { costsBps },
    steady: clock.now,
    log: () => undefined,
  })
  return { clock, state, costs, cost: (direction = THERE) => costs.inUnitsOf(DOLLAR, direction) }
}

/** 300,000 gas of fill, proof and claim, and the relay, which costs at least its gas, at 3,000 dollars an ether, with a tenth more. */
const costAt = (gwei: bigint): bigint =>
  ((300_000n * gwei + 300_000n * (gwei > 20n ? gwei : 20n)) * 3_000n * 11n) / 10n / 1_000n

test('an order costs fill, proof, relay and claim at the gas prices of the moment', async () => {
  const { costs, cost, state } = open()
  assert.equal(cost(), undefined)
  await costs.look([THERE])
  assert.equal(cost(), costAt(1n))
  state.gasPrice = 50n * GWEI
  assert.equal(cost(), costAt(50n))
})

test('small changes of the gas price change no cost, and it is never below the present one', async () => {
  const { costs, cost, state } = open()
  await costs.look([THERE])
  state.gasPrice = 10n * GWEI
  const before = cost()
  for (const tenths of [109, 91, 100, 80]) {
    state.gasPrice = (BigInt(tenths) * GWEI) / 10n
    assert.equal(cost(), before)
  }
  for (const gwei of [1n, 200n, 2n, 30n, 31n, 29n, 45n]) {
    state.gasPrice = gwei * GWEI
    assert.ok((cost() ?? 0n) >= (costAt(gwei) * 10n) / 11n)
    assert.ok((cost() ?? 0n) <= (costAt(gwei) * 4n) / 3n + 1n)
  }
})

test('a relay fee is read once a minute, and unknown after five without an answer', async () => {
  const { costs, cost, state, clock } = open()
  await costs.look([THERE, THERE])
  await costs.look([THERE])
  assert.equal(state.reads, 1)
  state.isUp = false
  clock.set(clock.now() + 299_000)
  await costs.look([THERE])
  assert.equal(state.reads, 2)
  assert.equal(cost(), costAt(1n))
  clock.set(clock.now() + 2_000)
  assert.equal(cost(), undefined)
})

test('an attested order costs its release on an EVM chain, and needs no relay', () => {
  const { cost } = open()
  assert.equal(cost(ATTESTED), (120_000n * 3_000n * 11n) / 10n / 1_000n)
})

test('without the price of a native asset the costs cannot be known', async () => {
  const { costs, cost } = open(new Map([[A, ETHER]]))
  await costs.look([THERE])
  assert.equal(costs.isKnowable(THERE), false)
  assert.equal(cost(), undefined)
  assert.equal(costs.isKnowable(ATTESTED), true)
})

test('the solver may charge a share of its costs, or none, which needs no price', async () => {
  const half = open(undefined, 5_000)
  await half.costs.look([THERE])
  assert.equal(half.cost(), costAt(1n) / 2n)
  const none = open(new Map(), 0)
  assert.equal(none.cost(), 0n)
  assert.equal(none.costs.isKnowable(THERE), true)
})

test('a proof of many costs little more than one of one, and so does a claim', async () => {
  const { costs } = open()
  assert.equal(costs.ofProof(THERE, 1), undefined)
  await costs.look([THERE])
  const usd = (gas: bigint): bigint => gas * GWEI * 3_000n
  assert.equal(costs.ofProof(THERE, 1), usd(90_000n + 20n * 300_000n))
  assert.equal(costs.ofProof(THERE, 16), usd(90_000n + 15n * 5_000n + 20n * 300_000n))
  assert.equal(costs.ofClaim(A, 1), usd(60_000n))
  assert.equal(costs.ofClaim(A, 32), usd(60_000n + 31n * 14_000n))
})
