import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../../test/eventually.ts'
import { drop, type Node, type Request, withNodes } from '../../../test/json-rpc-node.ts'

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

test('a head that was not confirmed for too long is undefined', () => {
  let skippedMs = 0
  return withNodes(
    [{}],
    async ({ chain }, first) => {
      assert.equal(chain.head()?.number, 100n)
      first.exchange = drop
      await sleep(50)
      skippedMs = 3_000
      assert.equal(chain.head()?.number, 100n)
      skippedMs = 6_000
      assert.equal(chain.head(), undefined)
      first.exchange = undefined
      first.blockNumber = 90
      await until(() => chain.head()?.number === 90n)
    },
    {},
    () => Date.now() + skippedMs,
  )
})

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
