import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeAbiParameters, encodeAbiParameters, type Hex, parseAbiParameters } from 'viem'
import { MULTICALL3_CODE } from '../../../test/public-rpc/multicall3-code.ts'
import type { RpcAnswer, RpcCall } from '../rpc/json-rpc.ts'
import type { RpcAsk } from '../rpc/rpc-members.ts'
import { aggregateData, createMulticall, MULTICALL3, parseAggregate } from './multicall.ts'

const CALLS = parseAbiParameters('(address target, bool allowFailure, bytes callData)[] calls')
const RESULTS = parseAbiParameters('(bool success, bytes returnData)[] results')
const hex = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(hex)
const bytes = fc.uint8Array({ maxLength: 100 }).map(hex)

/** The calls in calldata of `aggregate3`, as viem decodes them. */
const callsIn = (data: string) => {
  assert.equal(data.slice(0, 10), '0x82ad56cb')
  return decodeAbiParameters(CALLS, `0x${data.slice(10)}`)[0]
}

test('calldata is what viem decodes to the same calls', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ to: address, data: bytes }), { maxLength: 12 }), (calls) => {
      assert.deepEqual(
        callsIn(aggregateData(calls)).map(({ target, callData, allowFailure }) => [
          target.toLowerCase(),
          callData,
          allowFailure,
        ]),
        calls.map(({ to, data: callData }) => [to, callData, true]),
      )
    }),
  )
})

test('results are what viem encoded, and data that ends early is none', () => {
  const results = fc.array(fc.record({ success: fc.boolean(), returnData: bytes }), {
    minLength: 1,
    maxLength: 12,
  })
  fc.assert(
    fc.property(results, fc.nat(), (given, cut) => {
      const encoded = encodeAbiParameters(RESULTS, [given])
      assert.deepEqual(
        parseAggregate(encoded, given.length),
        given.map(({ success, returnData }) => (success ? returnData : undefined)),
      )
      assert.equal(parseAggregate(encoded, given.length + 1), undefined)
      const short = encoded.slice(0, 2 + (cut % 64))
      assert.equal(parseAggregate(short, given.length), undefined)
    }),
  )
})

test('offsets that point outside the data, or around in it, are refused', () => {
  const words = (...values: readonly bigint[]) =>
    `0x${values.map((value) => value.toString(16).padStart(64, '0')).join('')}`
  const huge = 2n ** 256n - 1n
  assert.equal(parseAggregate(words(32n, 1n, huge), 1), undefined)
  assert.equal(parseAggregate(words(32n, 1n, 32n, 1n, huge), 1), undefined)
  assert.equal(parseAggregate(words(32n, 1n, 32n, 1n, 64n, huge), 1), undefined)
  assert.equal(parseAggregate('0x', 1), undefined)
})

test('results that share their bytes are refused, so that a large answer is not multiplied', () => {
  const words = (values: readonly bigint[]) =>
    values.map((value) => value.toString(16).padStart(64, '0')).join('')
  const head = 32n * 100n
  const shared = `0x${words([32n, 100n, ...Array.from({ length: 100 }, () => head), 1n, 64n, 32_000n])}${'ab'.repeat(32_000)}`
  assert.equal(parseAggregate(shared, 100), undefined)
})

const [GOOD, BAD, ABSENT] = ['0xaa', '0xbb', '0xcc']
const TARGET = `0x${'11'.repeat(20)}`

/** An endpoint whose contract answers GOOD, reverts for BAD, and where BAD fails in an aggregate only if it is starved. */
const endpoint = ({ code = MULTICALL3_CODE, isStarved = false, aggregates = true } = {}) => {
  const asked: RpcCall[] = []
  const run = (data: string): RpcAnswer =>
    data === GOOD || (isStarved && data === BAD)
      ? { ok: true, result: '0x01' }
      : { ok: false, code: 3, message: 'execution reverted' }
  const answer = (call: RpcCall): RpcAnswer => {
    asked.push(call)
    if (call.method === 'eth_getCode') return { ok: true, result: code }
    const { to, data } = Object(Array.isArray(call.params) ? call.params[0] : undefined)
    if (to !== MULTICALL3) return run(data)
    if (!aggregates) return { ok: true, result: '0x' }
    const results = callsIn(data).map(({ callData }) => ({
      success: callData === GOOD,
      returnData: (callData === GOOD ? '0x01' : '0x') as Hex,
    }))
    return { ok: true, result: encodeAbiParameters(RESULTS, [results]) }
  }
  const ask: RpcAsk = Object.assign(async (calls: readonly RpcCall[]) => calls.map(answer), {
    checkTime: () => undefined,
  })
  return { ask, asked }
}

test('several reads are one call where the contract is deployed, and its code is looked up once', async () => {
  const { ask, asked } = endpoint()
  const askContracts = createMulticall(() => 0)
  const reads = [GOOD, GOOD, GOOD].map((data) => ({ to: TARGET, data }))
  for (let round = 0; round < 2; round += 1)
    assert.deepEqual(
      await askContracts(ask, reads, 'latest'),
      reads.map(() => ({ ok: true, result: '0x01' })),
    )
  assert.deepEqual(
    asked.map(({ method }) => method),
    ['eth_getCode', 'eth_call', 'eth_call'],
  )
})

test('a read that fails for lack of gas in the aggregate is asked for by itself', async () => {
  const { ask, asked } = endpoint({ isStarved: true })
  const reads = [GOOD, BAD].map((data) => ({ to: TARGET, data }))
  assert.deepEqual(await createMulticall(() => 0)(ask, reads, 'latest'), [
    { ok: true, result: '0x01' },
    { ok: true, result: '0x01' },
  ])
  assert.equal(asked.length, 3)
})

test('a read that may revert is not asked for twice', async () => {
  const { ask, asked } = endpoint()
  const reads = [{ to: TARGET, data: GOOD }, { to: TARGET, data: ABSENT, mayRevert: true } as const]
  const [, second] = await createMulticall(() => 0)(ask, reads, 'latest')
  assert.deepEqual(second, { ok: false, code: 3, message: 'execution reverted' })
  assert.equal(asked.length, 2)
})

test('without the contract, at a block before it, and with a caller, reads are single calls', async () => {
  const reads = [GOOD, GOOD].map((data) => ({ to: TARGET, data }))
  for (const node of [endpoint({ code: '0x' }), endpoint({ aggregates: false })]) {
    const answers = await createMulticall(() => 0)(node.ask, reads, { blockHash: '0x00' })
    assert.deepEqual(answers, [
      { ok: true, result: '0x01' },
      { ok: true, result: '0x01' },
    ])
  }
  const { ask, asked } = endpoint()
  await createMulticall(() => 0)(
    ask,
    reads.map((read) => ({ ...read, from: TARGET })),
    'latest',
  )
  assert.equal(asked.length, 2)
})

test('other code at the address of Multicall3 is not called', async () => {
  const { ask, asked } = endpoint({ code: `${MULTICALL3_CODE.slice(0, -2)}34` })
  const reads = [GOOD, GOOD].map((data) => ({ to: TARGET, data }))
  await createMulticall(() => 0)(ask, reads, 'latest')
  assert.deepEqual(
    asked.map(({ method, params }) => [method, Object(Array.isArray(params) ? params[0] : undefined).to]),
    [
      ['eth_getCode', undefined],
      ['eth_call', TARGET],
      ['eth_call', TARGET],
    ],
  )
})

test('after one endpoint lied that the contract is there, reads are not asked for twice for ever', async () => {
  const [liar, honest] = [endpoint(), endpoint({ code: '0x', aggregates: false })]
  const askContracts = createMulticall(() => 0)
  const reads = [GOOD, GOOD].map((data) => ({ to: TARGET, data }))
  await askContracts(liar.ask, reads, 'latest')
  for (let round = 0; round < 3; round += 1) await askContracts(honest.ask, reads, 'latest')
  assert.equal(honest.asked.length, 8)
  const createdOnce = createMulticall(() => 0)
  const [steady, hiccup] = [endpoint(), endpoint({ aggregates: false })]
  for (const { ask } of [steady, hiccup, steady, steady]) await createdOnce(ask, reads, 'latest')
  assert.deepEqual(
    steady.asked.map(({ method }) => method),
    ['eth_getCode', 'eth_call', 'eth_getCode', 'eth_call', 'eth_call'],
    'one empty answer does not end aggregates',
  )
})
