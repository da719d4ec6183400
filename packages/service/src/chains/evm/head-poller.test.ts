import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/eventually.ts'
import { drop, type Node, type Request, withNodes } from '../../../test/json-rpc-node.ts'
import type { EvmChain } from './evm-chain.ts'

test('skips a lagging endpoint without moving the head back', () =>
  withNodes([{}, { blockNumber: 99 }], async ({ chain }, first, second) => {
    first.exchange = drop
    await until(() => second.asked.length > 20)
    assert.equal(chain.head()?.number, 100n)
    second.blockNumber = 101
    await until(() => chain.head()?.number === 101n)
  }))

test('a node that falls a block behind and catches up is not logged', () =>
  withNodes([{}], async ({ chain, lines }, first) => {
    first.blockNumber = 99
    await until(() => first.asked.length > 30)
    assert.equal(chain.head()?.number, 100n)
    first.blockNumber = 101
    await until(() => chain.head()?.number === 101n)
    assert.deepEqual(lines, [])
  }))

const TIMING = { pollMs: 20, staleMs: 1_000 }

/** Until which age a chain's head is known while its only endpoint is dead; the clock stands otherwise. */
const expectFreshFor = async (freshMs: number, prepare: (chain: EvmChain) => void): Promise<void> => {
  let timeMs = 1_000_000_000
  const [start, clock] = [timeMs, () => timeMs]
  await withNodes(
    [{}],
    async ({ chain }, first) => {
      prepare(chain)
      const before = first.asked.length
      await until(() => first.asked.length > before + 10)
      first.exchange = drop
      const answered = first.asked.length
      await until(() => first.asked.length > answered)
      timeMs = start + freshMs
      assert.equal(chain.head()?.number, 100n)
      timeMs += 1
      assert.equal(chain.head(), undefined)
      first.exchange = undefined
      first.blockNumber = 90
      await until(() => chain.head()?.number === 90n)
    },
    TIMING,
    clock,
  )
}

test('a head that was not confirmed for too long is undefined', () =>
  expectFreshFor(TIMING.staleMs, (chain) => chain.onHead(() => undefined)))

test('the head of a chain that nothing follows has as long for its next read, which comes later', () =>
  expectFreshFor(TIMING.staleMs + 4 * TIMING.pollMs, () => undefined))

test('suggests fees from the base fee and the tip, or from the gas price when either is missing', async () => {
  const noTip = ({ method }: Request): object | undefined =>
    method === 'eth_maxPriorityFeePerGas' ? { error: { code: -32601, message: 'no such method' } } : undefined
  const cases: readonly (readonly [Partial<Node>, bigint, bigint])[] = [
    [{}, 16n, 2n],
    [{ answer: noTip }, 14n, 0n],
    [{ answer: noTip, baseFee: '0x3' }, 8n, 2n],
    [{ baseFee: undefined }, 5n, 5n],
  ]
  for (const [settings, max, tip] of cases)
    await withNodes([settings], async ({ chain }) => {
      assert.equal(chain.head()?.maxFeePerGas, max)
      assert.equal(chain.head()?.maxPriorityFeePerGas, tip)
    })
})
