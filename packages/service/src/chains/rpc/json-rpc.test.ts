import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startLocalServer } from '../../../test/local-server.ts'
import { createContractCalls } from '../../../test/public-rpc/contract-calls.ts'
import {
  BASE_PUBLIC,
  DRPC_FREE,
  OPTIMISM_PUBLIC,
  type ProviderLimits,
} from '../../../test/public-rpc/provider-limits.ts'
import { createPublicChain } from '../../../test/public-rpc/public-chain.ts'
import { type PublicRpc, startPublicRpc } from '../../../test/public-rpc/public-rpc.ts'
import { createRpcEndpoint, type RpcCall } from './json-rpc.ts'
import { OverloadedError } from './rpc-error.ts'

const DEADLINE_MS = 60_000
const chain = {
  ...({ chainId: 'eip155:1', chainLabel: 'Ethereum', chainType: 'evm', finality: 1 } as const),
  rpcUrls: [],
  nativeToken: { symbol: 'ETH', decimals: 18 },
}
const PROVIDERS: Readonly<Record<string, ProviderLimits>> = { DRPC_FREE, OPTIMISM_PUBLIC, BASE_PUBLIC }
let rpc: PublicRpc

before(async () => {
  const contracts = createContractCalls({ chain, tokens: [], hasMulticall: false })
  const blocks = createPublicChain({
    chainNumber: 1,
    blockMs: 1_000,
    finalDepth: 1n,
    contracts,
    now: Date.now,
  })
  rpc = await startPublicRpc([blocks], () =>
    Object.values(PROVIDERS).map((limits) => ({ ...limits, latencyMs: 0, calls: 1_000 })),
  )
})
after(() => rpc.stop())

const call: RpcCall = { method: 'eth_chainId', params: [] }
const calls = (count: number): readonly RpcCall[] => Array.from({ length: count }, () => call)

for (const [position, [name, { maximumBatch }]] of Object.entries(PROVIDERS).entries())
  test(`${name}: every call is answered, and after one refusal batches have the size that it takes`, async () => {
    const served = rpc.endpoints[0]?.[position]
    assert.ok(served !== undefined)
    const endpoint = createRpcEndpoint(served.url, { now: () => 0 })
    try {
      assert.equal((await endpoint.ask(calls(50), DEADLINE_MS)).length, 50)
      const refusedOnce = served.count.refused
      assert.ok(refusedOnce >= 1)
      const requests = served.count.requests
      const answers = await endpoint.ask(calls(30), DEADLINE_MS)
      assert.deepEqual(answers[29], { ok: true, result: '0x1' })
      assert.equal(served.count.refused, refusedOnce)
      assert.equal(served.count.requests - requests, Math.ceil(30 / maximumBatch))
      assert.equal(endpoint.count().calls, served.count.calls)
    } finally {
      endpoint.close()
    }
  })

/** Asks a server that answers every request with the same status, body and headers. */
const askServer = async (status: number, body: string, headers: Readonly<Record<string, string>>) => {
  const server = await startLocalServer((_asked, response) => {
    response.writeHead(status, headers).end(body)
  })
  const endpoint = createRpcEndpoint(server.url, { now: () => 0 })
  try {
    return await endpoint.ask(calls(2), DEADLINE_MS)
  } finally {
    endpoint.close()
    server.stop()
  }
}

test('429 is an error that carries the time to wait, and no smaller batch is tried', async () => {
  const waitOf = async (headers: Readonly<Record<string, string>>): Promise<unknown> => {
    try {
      return await askServer(429, '{"error":{"code":429,"message":"Too Many Requests"}}', headers)
    } catch (error) {
      assert.ok(error instanceof OverloadedError)
      return error.waitMs
    }
  }
  assert.equal(await waitOf({ 'retry-after': '17' }), 17_000)
  assert.equal(await waitOf({}), undefined)
})

test('after a refusal the batches that wait are not sent', async () => {
  const asked: string[] = []
  const server = await startLocalServer(({ body }, response) => {
    asked.push(body)
    response.writeHead(429, { 'retry-after': '1000000000' }).end('{}')
  })
  const endpoint = createRpcEndpoint(server.url, { now: () => 0, maximumBatch: 1 })
  try {
    await assert.rejects(endpoint.ask(calls(100), DEADLINE_MS), OverloadedError)
    assert.ok(asked.length <= 8, `${asked.length} requests`)
  } finally {
    endpoint.close()
    server.stop()
  }
})

test('one error object about the rate is not mistaken for one about the batch', async () => {
  const body = '{"jsonrpc":"2.0","id":null,"error":{"code":-32005,"message":"rate limit exceeded"}}'
  await assert.rejects(askServer(200, body, {}), OverloadedError)
})

test('an endpoint that refuses every batch and every call fails', async () => {
  await assert.rejects(
    askServer(500, '{"error":{"code":31,"message":"Batch is not allowed"}}', {}),
    /HTTP status 500/,
  )
  await assert.rejects(askServer(413, 'too large', {}), /MALFORMED|malformed answer/)
})

test('a batch whose answers are too large together is asked in halves', async () => {
  const sizes: number[] = []
  const mebibyte = 'a'.repeat(2 ** 20)
  const server = await startLocalServer(({ body }, response) => {
    const asked: readonly { readonly id: number }[] = [JSON.parse(body)].flat()
    sizes.push(asked.length)
    const answers = asked.map(({ id }) => ({ jsonrpc: '2.0', id, result: mebibyte }))
    response.end(JSON.stringify(answers.length === 1 ? answers[0] : answers))
  })
  const endpoint = createRpcEndpoint(server.url, { now: () => 0 })
  try {
    const answers = await endpoint.ask(calls(20), DEADLINE_MS)
    assert.equal(answers.length, 20)
    assert.ok(answers.every((answer) => answer.ok && answer.result === mebibyte))
    assert.deepEqual(sizes, [20, 10, 5, 5, 10, 5, 5])
    await endpoint.ask(calls(7), DEADLINE_MS)
    assert.equal(sizes.at(-1), 7)
  } finally {
    endpoint.close()
    server.stop()
  }
})
