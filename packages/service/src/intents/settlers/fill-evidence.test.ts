import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashOf, type Node, withNodes } from '../../../test/json-rpc-node.ts'
import { testOrderId } from '../../../test/test-deposits.ts'
import { uintWord } from '../../chains/evm/abi-words.ts'
import { createFillEvidence } from './fill-evidence.ts'

const FILL_DEADLINE = 1_000
const ORDER = {
  destinationChain: 'eip155:5',
  destinationSettler: `0x${'a'.repeat(40)}`,
  fillDeadline: FILL_DEADLINE,
}
const FINAL = { number: 90n, hash: hashOf(90), parentHash: hashOf(89), timestampSeconds: FILL_DEADLINE + 1 }

const NONE = 0n
const FILLED = 3n
const says = (status: bigint): Partial<Node> => ({
  answer: ({ method }) =>
    method === 'eth_call' ? { result: `0x${uintWord(status)}${uintWord(0n)}` } : undefined,
})
const reverts: Partial<Node> = {
  answer: ({ method }) =>
    method === 'eth_call' ? { error: { code: 3, message: 'execution reverted' } } : undefined,
}
const elsewhere = (status: bigint): Partial<Node> => ({
  answer: (request) =>
    request.method === 'eth_getBlockByNumber' && request.params[0] === '0x5a'
      ? { result: { number: '0x5a', hash: hashOf(7), parentHash: hashOf(6), timestamp: '0xffff' } }
      : says(status).answer?.(request),
})

/** Whether the order is proven unfilled, or the code of the error. */
const judge = (nodes: readonly Partial<Node>[], final: typeof FINAL | undefined = FINAL) => {
  let result: boolean | string | undefined
  return withNodes(nodes, async ({ chain }) => {
    const evmChains = new Map([[chain.chainId, chain]])
    const { isUnfilled } = createFillEvidence({ evmChains, orders: { finalBlock: () => final } })
    result = await isUnfilled(testOrderId(1), ORDER).catch(({ code }: { code: string }) => code)
  }).then(() => result)
}

for (const [nodes, expected, name] of [
  [[NONE, NONE, NONE], true, 'all endpoints know no fill'],
  [[NONE, FILLED, FILLED], false, 'the first endpoint hides the fill'],
  [[FILLED, NONE, NONE], true, 'the first endpoint invents a fill'],
  [[NONE, FILLED], 'NO_AGREEMENT', 'two endpoints contradict each other'],
  [[FILLED, FILLED, NONE], false, 'the last endpoint hides the fill'],
] as const)
  test(`an order is ${expected === true ? '' : 'not '}proven unfilled when ${name}`, async () => {
    assert.equal(await judge(nodes.map(says)), expected)
  })

test('makes no request before a final block is past the fill deadline', async () => {
  const early = { ...FINAL, timestampSeconds: FILL_DEADLINE }
  assert.equal(await judge([says(NONE), says(NONE)], early), false)
})

test('an endpoint on another chain than the final block gives no evidence', async () => {
  assert.equal(await judge([elsewhere(NONE), says(NONE)]), 'NO_AGREEMENT')
  assert.equal(await judge([elsewhere(NONE), says(FILLED), says(FILLED)]), false)
})

test('a reverted call is no evidence', async () => {
  assert.equal(await judge([reverts, reverts]), false)
})
