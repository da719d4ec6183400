import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/eventually.ts'
import { drop, type Node, quantity, withNodes } from '../../../test/json-rpc-node.ts'
import type { EvmChain } from './evm-chain.ts'

const BASE_FEE = 7
const GWEI = 10 ** 9
const suggests = (tip: number): Partial<Node> => ({
  answer: ({ method }) => {
    if (method === 'eth_maxPriorityFeePerGas') return { result: quantity(tip) }
    return method === 'eth_gasPrice' ? { result: quantity(BASE_FEE + tip) } : undefined
  },
})
const tipOf = (chain: EvmChain): bigint | undefined => chain.head()?.maxPriorityFeePerGas

for (const [tips, expected, name] of [
  [[1_000_000, 2, 3], 3n, 'the first of three endpoints suggests a fortune'],
  [[2, 1_000_000, 3], 2n, 'another endpoint suggests a fortune'],
  [[1_000_000, 2], 2n, 'one of two endpoints suggests a fortune'],
  [[4, 2, 3], 4n, 'endpoints differ a little'],
  [[9], 9n, 'there is one endpoint'],
] as const)
  test(`the suggested tip is that of sound endpoints when ${name}`, () =>
    withNodes(tips.map(suggests), async ({ chain }) => assert.equal(tipOf(chain), expected)))

test('an endpoint cannot raise its suggestion step by step, but all endpoints can', () =>
  withNodes([2, 2, 2].map(suggests), async ({ chain, nodes }, first) => {
    for (let tip = 3; tip < 1_000; tip *= 2) {
      first.answer = suggests(tip).answer
      first.blockNumber += 1
      await until(() => chain.head()?.number === BigInt(first.blockNumber))
      assert.ok((tipOf(chain) ?? 0n) <= 4n)
    }
    for (const node of nodes) node.answer = suggests(500).answer
    await until(() => tipOf(chain) === 500n)
  }))

test('the only endpoint that answers cannot raise its suggestion', () =>
  withNodes([2, 2, 2].map(suggests), async ({ chain, nodes }, first) => {
    for (const node of nodes) if (node !== first) node.exchange = drop
    first.answer = suggests(1_000_000).answer
    first.blockNumber += 1
    await until(() => chain.head()?.number === 101n)
    assert.equal(tipOf(chain), 2n)
    for (const node of nodes) node.exchange = undefined
    for (const node of nodes) node.answer = suggests(500).answer
    await until(() => tipOf(chain) === 500n)
  }))

const withoutOthers = (tip: number): Partial<Node>[] => [
  suggests(tip),
  { ...suggests(2), exchange: drop },
  { ...suggests(3), exchange: drop },
]

const feesOf = (chain: EvmChain): bigint | undefined => chain.head()?.maxFeePerGas

test('one endpoint cannot raise the base fee that transactions are signed at, but all endpoints can', () =>
  withNodes([2, 2, 2].map(suggests), async ({ chain, nodes }, first) => {
    const next = async (baseFee: string): Promise<void> => {
      first.baseFee = baseFee
      first.blockNumber += 1
      await until(() => chain.head()?.number === BigInt(first.blockNumber))
    }
    await next(`0x${(10n ** 21n).toString(16)}`)
    assert.equal(feesOf(chain), BigInt(2 * BASE_FEE + 2))
    for (const node of nodes) node.baseFee = quantity(1_000)
    await next(quantity(1_000))
    await until(() => feesOf(chain) === 2_002n)
  }))

test('a base fee that one endpoint tells at the start ends when the others answer', () =>
  withNodes(
    withoutOthers(2).map((node) => ({ ...node, baseFee: quantity(7) })),
    async ({ chain, nodes }, first) => {
      first.baseFee = `0x${(10n ** 21n).toString(16)}`
      first.blockNumber += 1
      await until(() => chain.head()?.number === 101n)
      assert.ok((feesOf(chain) ?? 10n ** 21n) <= BigInt(2 * 50 * GWEI + 2))
      for (const node of nodes) node.exchange = undefined
      await until(() => feesOf(chain) === BigInt(2 * BASE_FEE + 2))
    },
  ))

test('a usual suggestion is read from one endpoint', () =>
  withNodes([2, 2].map(suggests), async ({ chain, nodes }, first) => {
    const reads = (): number =>
      nodes[1]?.asked.filter(({ method }) => method === 'eth_maxPriorityFeePerGas').length ?? 0
    assert.equal(reads(), 1)
    first.blockNumber += 3
    await until(() => chain.head()?.number === 103n)
    assert.equal(reads(), 1)
  }))

const MINUTE_MS = 60_000
/** Nodes under a clock that the test moves. */
const withClock = (
  tips: readonly number[],
  work: (world: {
    readonly chain: EvmChain
    readonly nodes: readonly Node[]
    readonly pass: (ms: number) => Promise<void>
  }) => Promise<void>,
): Promise<void> => {
  let skippedMs = 0
  return withNodes(
    tips.map(suggests),
    async ({ chain, nodes }) => {
      /** Waits until a head was read, and its suggestion judged, some time later. */
      const pass = async (ms: number): Promise<void> => {
        skippedMs += ms
        for (let read = 0; read < 3; read += 1) {
          const from = chain.head()?.readAt ?? 0
          await until(() => (chain.head()?.readAt ?? 0) > from)
        }
      }
      await work({ chain, nodes, pass })
    },
    {},
    () => Date.now() + skippedMs,
  )
}
test('what the only endpoint that answers at the start suggests ends when the others answer', () =>
  withNodes(withoutOthers(1_000_000), async ({ chain, nodes }) => {
    assert.equal(tipOf(chain), 1_000_000n)
    for (const node of nodes) node.exchange = undefined
    await until(() => tipOf(chain) === 3n)
  }))

test('the only endpoint that answers at the start cannot suggest a fortune', async () => {
  await withNodes(withoutOthers(5_000 * GWEI), async ({ chain }) =>
    assert.equal(tipOf(chain), BigInt(50 * GWEI)),
  )
  const withoutTip: Partial<Node> = {
    answer: ({ method }) => {
      if (method === 'eth_maxPriorityFeePerGas') return { error: { code: -32_601, message: 'no method' } }
      return method === 'eth_gasPrice' ? { result: quantity(5_000 * GWEI) } : undefined
    },
  }
  await withNodes([withoutTip, ...withoutOthers(0).slice(1)], async ({ chain }) =>
    assert.equal(tipOf(chain), BigInt(50 * GWEI)),
  )
})

test('one endpoint cannot suggest a tip for the others, which suggest none', () => {
  const withoutTip: Partial<Node> = {
    answer: ({ method }) =>
      method === 'eth_maxPriorityFeePerGas' ? { error: { code: -32_601, message: 'no method' } } : undefined,
  }
  return withNodes([suggests(1_000_000), withoutTip, withoutTip], async ({ chain }) =>
    assert.ok((tipOf(chain) ?? 10n) <= 5n),
  )
})

test('an endpoint cannot suggest again what all suggested during a spike', () =>
  withClock([500, 500, 500], async ({ chain, nodes, pass }) => {
    assert.equal(tipOf(chain), 500n)
    for (const node of nodes) node.answer = suggests(2).answer
    await pass(MINUTE_MS)
    const [first] = nodes
    assert.ok(first)
    first.answer = suggests(1_000).answer
    await pass(0)
    await until(() => tipOf(chain) === 2n)
  }))

test('an honest rise is followed step by step while the other endpoint is silent', () =>
  withClock([2, 2], async ({ chain, nodes, pass }) => {
    const [first, second] = nodes
    assert.ok(first && second)
    second.exchange = drop
    first.answer = suggests(500).answer
    await pass(0)
    assert.equal(tipOf(chain), 2n)
    await pass(2 * MINUTE_MS)
    const tip = tipOf(chain) ?? 0n
    assert.ok(tip >= 8n && tip < 500n, String(tip))
    await pass(5 * MINUTE_MS)
    assert.equal(tipOf(chain), 500n)
    first.answer = suggests(5_000 * GWEI).answer
    await pass(24 * 60 * MINUTE_MS)
    assert.equal(tipOf(chain), BigInt(50 * GWEI))
    second.exchange = undefined
    await until(() => tipOf(chain) === 2n)
  }))
