import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/eventually.ts'
import { drop, type Node, quantity, withNodes } from '../../../test/json-rpc-node.ts'
import type { EvmChain } from './evm-chain.ts'

const BASE_FEE = 7
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

test('a usual suggestion is read from one endpoint', () =>
  withNodes([2, 2].map(suggests), async ({ chain, nodes }, first) => {
    const reads = (): number =>
      nodes[1]?.asked.filter(({ method }) => method === 'eth_maxPriorityFeePerGas').length ?? 0
    assert.equal(reads(), 1)
    first.blockNumber += 3
    await until(() => chain.head()?.number === 103n)
    assert.equal(reads(), 1)
  }))
