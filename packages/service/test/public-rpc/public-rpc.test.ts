import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { decodeFunctionResult, encodeFunctionData, multicall3Abi } from 'viem'
import { createContractCalls, MULTICALL3 } from './contract-calls.ts'
import { BASE_PUBLIC, DRPC_FREE, OPTIMISM_PUBLIC, type ProviderLimits, UNLIMITED } from './provider-limits.ts'
import { createPublicChain } from './public-chain.ts'
import { type PublicRpc, startPublicRpc } from './public-rpc.ts'

const TOKEN = `0x${'ab'.repeat(20)}` as const
const prompt = (limits: ProviderLimits): ProviderLimits => ({ ...limits, latencyMs: 0 })
const LIMITS = [DRPC_FREE, OPTIMISM_PUBLIC, BASE_PUBLIC, { ...UNLIMITED, calls: 2, windowMs: 30_000 }].map(
  prompt,
)
let rpc: PublicRpc

before(async () => {
  const chain = {
    ...({ chainId: 'eip155:1', chainLabel: 'Ethereum', finality: 1 } as const),
    rpcUrls: [],
    ...({ chainType: 'evm', nativeToken: { symbol: 'ETH', decimals: 18 } } as const),
  }
  const named = { chainId: 'eip155:1', address: TOKEN, symbol: 'AB', name: 'AB', decimals: 8 }
  const token = { ...named, verified: true, resetsAllowance: false, intent: false }
  const contracts = createContractCalls({ chain, tokens: [token], hasMulticall: true })
  const options = { chainNumber: 1, blockMs: 1_000, finalDepth: 64n, contracts, now: Date.now }
  rpc = await startPublicRpc([createPublicChain(options)], () => LIMITS)
})
after(() => rpc.stop())

const ask = async (place: number, calls: readonly object[], isBatch = true) => {
  const url = rpc.endpoints[0]?.[place]?.url ?? ''
  const requests = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))
  const body = JSON.stringify(isBatch ? requests : requests[0])
  const response = await fetch(url, { method: 'POST', body })
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
}
const chainId = { method: 'eth_chainId', params: [] }
const times = (count: number) => Array.from({ length: count }, () => chainId)

test('each provider refuses a batch above its limit in its own way', async () => {
  for (const [place, most, status, code] of [
    [0, 3, 500, 31],
    [1, 10, 413, -32_014],
    [2, 10, 200, -32_014],
  ] as const) {
    assert.equal((await ask(place, times(most))).body.length, most)
    const refused = await ask(place, times(most + 1))
    assert.deepEqual([refused.status, refused.body.error.code], [status, code])
  }
})

test('calls above the rate are refused with 429 and the seconds to wait', async () => {
  assert.equal((await ask(3, times(2))).status, 200)
  const refused = await ask(3, [chainId], false)
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) >= 1)
})

test('logs of more blocks than a provider allows are refused', async () => {
  const over = (blocks: number) => {
    const filter = { fromBlock: '0x1', toBlock: `0x${blocks.toString(16)}` }
    return ask(0, [{ method: 'eth_getLogs', params: [filter] }], false)
  }
  assert.deepEqual((await over(100)).body.result, [])
  assert.match((await over(101)).body.error.message, /max block range 100/)
})

test('blocks follow each other, and Multicall3 reads several contracts in one call', async () => {
  const newest = await ask(0, [{ method: 'eth_getBlockByNumber', params: ['latest', false] }], false)
  const { number, parentHash } = newest.body.result
  const before = `0x${(BigInt(number) - 1n).toString(16)}`
  const parent = await ask(0, [{ method: 'eth_getBlockByNumber', params: [before, false] }], false)
  assert.equal(parent.body.result.hash, parentHash)
  const call = { target: TOKEN, allowFailure: true }
  const reads = [
    { ...call, callData: '0x313ce567' },
    { ...call, callData: '0xffffffff' },
  ] as const
  const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [reads] })
  const { body } = await ask(0, [{ method: 'eth_call', params: [{ to: MULTICALL3, data }, 'latest'] }], false)
  const results = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data: body.result })
  assert.deepEqual(
    results.map(({ success, returnData }) => [success, BigInt(returnData === '0x' ? 0 : returnData)]),
    [
      [true, 8n],
      [false, 0n],
    ],
  )
})

test('a dead endpoint answers nothing, and requests and calls are counted', async () => {
  const endpoint = rpc.endpoints[0]?.[1]
  assert.ok(endpoint !== undefined)
  const { requests, calls } = endpoint.count
  await ask(1, times(4))
  assert.deepEqual([endpoint.count.requests - requests, endpoint.count.calls - calls], [1, 4])
  endpoint.isDead = true
  await assert.rejects(ask(1, [chainId], false))
})
