import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Request, withNodes } from '../../../test/json-rpc-node.ts'
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

/** Searches on nodes that answer `eth_getLogs` with an error in these words, beside a clock of the test. */
const searching = (
  says: readonly ((blocks: number) => string | undefined)[],
  work: (world: {
    readonly find: (blocks: bigint) => Promise<readonly unknown[]>
    /** The blocks of each log query that was sent to a node since the last call. */
    readonly widths: (position: number) => readonly number[]
    readonly pass: (ms: number) => void
    readonly lines: readonly string[]
  }) => Promise<void>,
): Promise<void> => {
  let passedMs = 0
  const widthOf = ({ params: [filter] }: Request): number => {
    const { fromBlock, toBlock } = Object(filter)
    return Number(toBlock) - Number(fromBlock) + 1
  }
  return withNodes(
    says.map((say) => ({
      blockNumber: 50_000,
      answer: (request) => {
        const message = request.method === 'eth_getLogs' ? say(widthOf(request)) : undefined
        return message === undefined ? undefined : { error: { code: -32_000, message } }
      },
    })),
    async ({ chain, nodes, lines }) => {
      const seen = nodes.map(() => 0)
      await work({
        find: (blocks) =>
          chain.findLogs({ address: `0x${'a'.repeat(40)}`, topics: [], fromBlock: 1n, toBlock: blocks }),
        widths: (position) => {
          const queries = nodes[position]?.asked.filter(({ method }) => method === 'eth_getLogs') ?? []
          const fresh = queries.slice(seen[position])
          seen[position] = queries.length
          return fresh.map(widthOf)
        },
        pass: (ms) => {
          passedMs += ms
        },
        lines,
      })
    },
    { observeMs: 60_000, hurryMs: 60_000, staleMs: 86_400_000 },
    () => Date.now() + passedMs,
  )
}

const honest = (): undefined => undefined
const atMost = (most: number) => (blocks: number) =>
  blocks > most ? `query exceeds max block range ${most}` : undefined

test('an endpoint that takes log queries of no block is passed over, and not put aside for it', () =>
  searching([atMost(0), honest], async ({ find, widths, pass, lines }) => {
    assert.deepEqual(await find(10n), [])
    assert.equal(widths(0).length, 3)
    pass(1_000)
    await find(10n)
    assert.deepEqual([widths(0), widths(1)], [[], [10, 10]])
    pass(3_600_000)
    await find(10n)
    assert.deepEqual(widths(0), [10])
    assert.ok(!lines.join().includes('put_aside'))
  }))

test('an endpoint that would have to be asked more than 200 times is passed over', () =>
  searching([atMost(10), honest], async ({ find, widths, pass }) => {
    await find(20_000n)
    assert.ok(widths(0).length <= 220)
    assert.equal(widths(1).length, 20)
    pass(1_000)
    await find(2_000n)
    assert.equal(widths(0).length, 200)
  }))

test('searches beside each other that are all refused teach one limit, and a wider range is tried after an hour', async () => {
  let most = 100
  await searching([(blocks) => atMost(most)(blocks)], async ({ find, widths, pass }) => {
    await Promise.all([find(1_000n), find(1_000n), find(1_000n)])
    widths(0)
    await find(200n)
    assert.deepEqual(widths(0), [100, 100])
    most = 1_000
    pass(3_600_000)
    await find(1_000n)
    await find(1_000n)
    assert.deepEqual(widths(0), [1_000, 1_000])
  })
})

for (const refusal of ['rate limit exceeded', 'Too many requests, limit is 10', 'block 7 not found'])
  test(`the refusal "${refusal}" does not narrow the ranges`, async () => {
    let isRefusing = true
    await searching([() => (isRefusing ? refusal : undefined)], async ({ find, widths }) => {
      await assert.rejects(find(1_000n))
      widths(0)
      isRefusing = false
      await find(1_000n)
      assert.deepEqual(widths(0), [1_000])
    })
  })
