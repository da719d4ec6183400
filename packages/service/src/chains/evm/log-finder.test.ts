import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createContractCalls } from '../../../test/public-rpc/contract-calls.ts'
import { UNLIMITED } from '../../../test/public-rpc/provider-limits.ts'
import { createPublicChain } from '../../../test/public-rpc/public-chain.ts'
import { startPublicRpc } from '../../../test/public-rpc/public-rpc.ts'
import { createEvmChain } from './index.ts'

const chain = {
  ...({ chainId: 'eip155:1', chainLabel: 'Ethereum', chainType: 'evm', finality: 1 } as const),
  rpcUrls: [],
  nativeToken: { symbol: 'ETH', decimals: 18 },
}

test('logs are found on an endpoint that allows a hundred blocks a query, whose limit is learnt once', async () => {
  const contracts = createContractCalls({ chain, tokens: [], hasMulticall: false })
  const node = createPublicChain({
    chainNumber: 1,
    blockMs: 60_000,
    finalDepth: 1n,
    contracts,
    now: Date.now,
  })
  const rpc = await startPublicRpc([node], () => [{ ...UNLIMITED, logBlocks: 100 }])
  const [endpoint] = rpc.endpoints[0] ?? []
  assert.ok(endpoint !== undefined)
  const timing = { readMs: 60_000, observeMs: 60_000 }
  const rpcUrls = [endpoint.url]
  const evm = createEvmChain({
    chainId: 'eip155:1',
    rpcUrls,
    finality: 1,
    now: Date.now,
    log: () => undefined,
    timing,
  })
  try {
    await evm.start()
    const toBlock = node.blockNumber()
    const query = { address: `0x${'a'.repeat(40)}`, topics: [], fromBlock: toBlock - 999n, toBlock }
    const asked = () => endpoint.count.methods['eth_getLogs'] ?? 0
    assert.deepEqual(await evm.findLogs(query), [])
    assert.equal(asked(), 11)
    assert.deepEqual(await evm.findLogs(query), [])
    assert.equal(asked(), 21)
  } finally {
    await evm.stop()
    rpc.stop()
  }
})
