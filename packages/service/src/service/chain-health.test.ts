import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { until } from '../../test/eventually.ts'
import { testBackend } from '../../test/test-backend.ts'
import { Network } from '../core/network.ts'
import type { Asset, Order } from '../core/order.ts'
import { type ChainFault, createChainHealth } from './chain-health.ts'
import type { ClockFault } from './clock-comparison.ts'

const [A, B, C] = ['eip155:1', 'eip155:2', 'eip155:3'] as const

const network = Network.parse({
  chains: [A, B, C].map((chainId) => ({
    chainId,
    chainLabel: 'Chain',
    chainType: 'evm',
    nativeToken: { symbol: 'ETH', decimals: 18 },
    finality: 1,
    rpcUrls: ['https://one.example'],
  })),
  tokens: [
    { chainId: A, address: `0x${'a'.repeat(40)}`, symbol: 'USDC', name: 'USDC', decimals: 6, verified: true },
  ],
})
const assetOn = (chainId: string): Asset => {
  const chain = network.chains.find((one) => one.chainId === chainId)
  assert.ok(chain)
  const [token] = network.tokens
  assert.ok(token)
  return { chain, token: { ...token, chainId } }
}
// CAST: the guard reads the chains of an order alone.
const order = (from: string, to: string): Order => ({ from: assetOn(from), to: assetOn(to) }) as Order

const backend = testBackend({ quote: async () => [] })

type World = {
  readonly faults: Map<string, ChainFault>
  readonly lines: string[]
  readonly setClock: (fault: ClockFault | undefined) => void
  /** Waits until the health has looked again. */
  readonly looked: () => Promise<void>
  readonly declined: (from: string, to: string) => Promise<string | undefined>
  readonly missing: () => readonly string[]
  readonly isAnyReadable: () => boolean
}

const withHealth = async (work: (world: World) => Promise<void>): Promise<void> => {
  const faults = new Map<string, ChainFault>()
  const lines: string[] = []
  let clock: ClockFault | undefined
  let looks = 0
  const health = createChainHealth({
    chainIds: [A, B, C],
    faultOf: (chainId) => faults.get(chainId),
    clockFault: () => {
      looks += 1
      return clock
    },
    log: (level, event, fields = {}) =>
      lines.push([level, event, fields['chainId'], fields['fault']].filter(Boolean).join(' ')),
  })
  const guarded = health.guard(backend)
  await health.start()
  try {
    await work({
      faults,
      lines,
      setClock: (fault) => {
        clock = fault
      },
      looked: async () => {
        const before = looks
        await until(async () => looks > before)
        await turn()
      },
      declined: async (from, to) => {
        const answer = await guarded.quote(order(from, to), { ...order(from, to), backend: 'its' })
        return 'declined' in answer && answer.declined === 'unpriced' ? answer.reason : undefined
      },
      missing: health.missing,
      isAnyReadable: health.isAnyReadable,
    })
  } finally {
    await health.stop()
  }
}

for (const fault of ['no_answer', 'ahead_of_clock', 'chain_reset', 'history_lost'] as const)
  test(`a chain with ${fault} is quoted neither from nor to, named, and quoted again afterwards`, () =>
    withHealth(async ({ faults, lines, looked, declined, missing, isAnyReadable }) => {
      faults.set(A, fault)
      await looked()
      assert.match((await declined(A, B)) ?? '', /eip155:1 cannot be read/)
      assert.match((await declined(B, A)) ?? '', /eip155:1 cannot be read/)
      assert.equal(await declined(B, C), undefined)
      assert.deepEqual([missing(), isAnyReadable()], [[A], true])
      await looked()
      faults.clear()
      await looked()
      assert.equal(await declined(A, B), undefined)
      assert.deepEqual(missing(), [])
      assert.deepEqual(lines, [`warn chain_unreadable ${A} ${fault}`, `info chain_readable ${A}`])
    }))

test('a chain whose orders are not read to its head is named and quoted by backends without orders', () =>
  withHealth(async ({ faults, looked, declined, missing }) => {
    faults.set(A, 'not_indexed')
    await looked()
    assert.equal(await declined(A, B), undefined)
    assert.deepEqual(missing(), [A])
  }))

test('nothing is readable when no chain is', () =>
  withHealth(async ({ faults, looked, isAnyReadable }) => {
    for (const chainId of [A, B, C]) faults.set(chainId, 'no_answer')
    await looked()
    assert.equal(isAnyReadable(), false)
  }))

test('nothing is quoted by a wrong clock, which is named and one event until it is right', () =>
  withHealth(async ({ setClock, lines, looked, declined, missing, isAnyReadable }) => {
    setClock('ahead_of_chains')
    await looked()
    assert.match((await declined(B, C)) ?? '', /clock/)
    assert.deepEqual([missing(), isAnyReadable()], [['clock'], false])
    await looked()
    setClock(undefined)
    await looked()
    assert.equal(await declined(B, C), undefined)
    assert.deepEqual(lines, [
      'error clock_differs_from_chains ahead_of_chains',
      'info clock_agrees_with_chains',
    ])
  }))
