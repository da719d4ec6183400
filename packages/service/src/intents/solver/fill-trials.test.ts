import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Request, withNodes } from '../../../test/json-rpc-node.ts'
import { CHEAP, clockAt, intentOrder, orderIdOf } from '../../../test/test-orders.ts'
import { EVM_NATIVE_TOKEN } from '../../chains/evm/address.ts'
import { type L1Cost, l1Gas } from '../../chains/evm/l1-fee.ts'
import type { IntentOrder } from '../../core/intent-order.ts'
import { fillCall } from '../settlers/settler-contract.ts'
import { createFillTrials, type FillTrial } from './fill-trials.ts'

const SETTLER = `0x${'b'.repeat(40)}`
const GRACE_MS = 5_000
const TOKEN_ORDER = intentOrder(CHEAP, 1n, 1_800_000_000)
const NATIVE_ORDER: IntentOrder = { ...TOKEN_ORDER, outputToken: EVM_NATIVE_TOKEN }
const REVERTED = { error: { code: 3, message: 'execution reverted' } }

/** An endpoint at which fills revert or succeed. */
const node = (reverts: boolean) => ({
  answer: ({ method, params }: Request) => {
    const isFill = method === 'eth_call' && JSON.stringify(params).includes(SETTLER)
    return isFill ? (reverts ? REVERTED : { result: '0x' }) : undefined
  },
})

/** Tries an order twice, with time between; the calls that the first endpoint was asked for. */
const attempt = async (nodes: readonly ReturnType<typeof node>[], order: IntentOrder, l1Cost?: L1Cost) => {
  const clock = clockAt(0)
  const trials = createFillTrials({ account: CHEAP.address, steady: clock.now, log: () => undefined })
  const found: FillTrial[] = []
  let calls: readonly unknown[] = []
  await withNodes(nodes, async ({ chain, nodes: started }) => {
    const head = () => {
      const newest = chain.head()
      return newest && { ...newest, l1Cost }
    }
    const destination = { evm: { ...chain, head }, settler: SETTLER }
    found.push(await trials.attempt(orderIdOf(1), order, destination))
    clock.set(GRACE_MS)
    found.push(await trials.attempt(orderIdOf(1), order, destination))
    calls = started.flatMap(({ asked }) =>
      asked.filter(({ method, params }) => method === 'eth_call' && JSON.stringify(params).includes(SETTLER)),
    )
  })
  return { found, calls }
}

test('a fill that succeeds is tried from the solver’s account, with its value and the gas it will have', async () => {
  const { found, calls } = await attempt([node(false), node(false), node(false)], NATIVE_ORDER)
  assert.deepEqual(found, Array(2).fill({ isPayable: true, gasLimit: 150_000n }))
  assert.match(
    JSON.stringify(calls[0]),
    new RegExp(`"from":"${CHEAP.address}","value":"0x1","gas":"0x249f0"`),
  )
})

test('a fill that reverts is not payable after some seconds, and not before', async () => {
  const { found } = await attempt([node(true), node(true), node(true)], TOKEN_ORDER)
  assert.deepEqual(
    found.map(({ isPayable }) => isPayable),
    [undefined, false],
  )
})

test('one endpoint that says a fill reverts stops none', async () => {
  const { found } = await attempt([node(true), node(false), node(false)], TOKEN_ORDER)
  assert.deepEqual(
    found.map(({ isPayable }) => isPayable),
    [true, true],
  )
})

test('native value goes to every account with 150,000 gas, a token with 400,000', async () => {
  const nodes = Array(3).fill(node(false))
  assert.equal((await attempt(nodes, NATIVE_ORDER)).found[0]?.gasLimit, 150_000n)
  assert.equal((await attempt(nodes, TOKEN_ORDER)).found[0]?.gasLimit, 400_000n)
})

test('a fill is tried with what a rollup takes for its data beside the gas of its execution', async () => {
  const cost = { unit: 'gas', ofSample: 60_000n } as const
  const { found, calls } = await attempt(Array(3).fill(node(false)), NATIVE_ORDER, cost)
  assert.equal(found[0]?.gasLimit, 150_000n)
  const gas = 150_000n + l1Gas(cost, fillCall(NATIVE_ORDER).data)
  assert.ok(gas > 200_000n)
  assert.match(JSON.stringify(calls[0]), new RegExp(`"gas":"0x${gas.toString(16)}"`))
})

test('after a fill reverted, native value for its recipient waits a minute, then twice as long', async () => {
  const GRACE = 2 * GRACE_MS
  const clock = clockAt(0)
  const trials = createFillTrials({ account: CHEAP.address, steady: clock.now, log: () => undefined })
  await withNodes([node(false)], async ({ chain }) => {
    const isPayable = async (order: IntentOrder): Promise<boolean | undefined> => {
      await trials.attempt(orderIdOf(2), order, { evm: chain, settler: SETTLER })
      clock.set(clock.now() + GRACE)
      return (await trials.attempt(orderIdOf(2), order, { evm: chain, settler: SETTLER })).isPayable
    }
    for (const [number, minutes] of [1, 2, 4].entries()) {
      const at = clock.now()
      // The same order counts once.
      for (let repeat = 0; repeat < 2; repeat++) trials.reverted(orderIdOf(10 + number), NATIVE_ORDER)
      clock.set(at + minutes * 60_000 - 2 * GRACE)
      assert.equal(await isPayable(NATIVE_ORDER), false)
      assert.equal(await isPayable(TOKEN_ORDER), true)
      clock.set(at + minutes * 60_000)
      assert.equal(await isPayable(NATIVE_ORDER), true)
    }
  })
})
