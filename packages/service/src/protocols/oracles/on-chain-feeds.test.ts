import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeFunctionData, encodeFunctionResult, getAddress, parseAbi } from 'viem'
import { eventually } from '../../../test/eventually.ts'
import { type Request, startNode } from '../../../test/json-rpc-node.ts'
import { createEvmChain } from '../../chains/evm/index.ts'
import { NetworkToken } from '../../core/network.ts'
import { onChainFeeds } from './on-chain-feeds.ts'

const ABI = parseAbi([
  'function latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)',
  'function decimals() view returns (uint8)',
  'struct Price { int64 price; uint64 conf; int32 expo; uint256 publishTime; }',
  'function getPriceUnsafe(bytes32 id) view returns (Price)',
])
const [CHAINLINK, PYTH] = [`0x${'c1'.repeat(20)}`, `0x${'71'.repeat(20)}`] as const
const ID = `0x${'ab'.repeat(32)}` as const
const SECONDS = 1_764_000_000n

const told = { answer: 300_012_000_000n, price: 2_999_500n, confidence: 500n, exponent: -3 }

/** Contracts of both oracles in their published shapes, answering what `told` says. */
const answer = ({ method, params: [call] }: Request): object | undefined => {
  if (method !== 'eth_call') return undefined
  const { to, data } = Object(call)
  const asked = decodeFunctionData({ abi: ABI, data })
  if (asked.functionName === 'getPriceUnsafe') {
    assert.deepEqual([getAddress(to), asked.args], [getAddress(PYTH), [ID]])
    const { price, confidence: conf, exponent: expo } = told
    const result = { price, conf, expo, publishTime: SECONDS }
    return { result: encodeFunctionResult({ abi: ABI, functionName: 'getPriceUnsafe', result }) }
  }
  assert.equal(getAddress(to), getAddress(CHAINLINK))
  if (asked.functionName === 'decimals')
    return { result: encodeFunctionResult({ abi: ABI, functionName: 'decimals', result: 8 }) }
  const result = [7n, told.answer, SECONDS - 1n, SECONDS, 7n] as const
  return { result: encodeFunctionResult({ abi: ABI, functionName: 'latestRoundData', result }) }
}

const TOKEN = NetworkToken.parse({
  ...{ chainId: 'eip155:9', address: `0x${'0'.repeat(40)}`, symbol: 'ETH', name: 'Ether', decimals: 18 },
  verified: true,
  priceFeeds: [
    { kind: 'chainlink', chainId: 'eip155:5', address: CHAINLINK, maxAgeSeconds: 3_600 },
    { kind: 'pyth', chainId: 'eip155:5', address: PYTH, id: ID, maxAgeSeconds: 60 },
  ],
})

/** What both oracles say of the token, by feed. */
const readings = async (changes: Partial<typeof told> = {}) => {
  const before = { ...told }
  Object.assign(told, changes)
  const node = await startNode({ answer })
  const timing = { pollMs: 20, observeMs: 60_000, readMs: 60_000, staleMs: 60_000 }
  const network = {
    chainId: 'eip155:5',
    rpcUrls: [node.url],
    finality: 10,
    l1Fee: undefined,
    gasScale: undefined,
  }
  const chain = createEvmChain({ ...network, now: Date.now, log: () => undefined, timing })
  try {
    await chain.start()
    await eventually('the head is read', chain.head)
    const feeds = onChainFeeds([TOKEN], new Map([['eip155:5', chain]]))
    const read = await Promise.all(feeds.map(async (feed) => [feed.name, await feed.read()] as const))
    return Object.fromEntries(read.map(([name, [first]]) => [name, first?.reading]))
  } finally {
    await chain.stop()
    node.stop()
    Object.assign(told, before)
  }
}

test('Chainlink and Pyth price a token on another chain than its own, with their own ages', async () => {
  const at = Number(SECONDS) * 1000
  assert.deepEqual(await readings(), {
    'chainlink eip155:5': { price: 3_000_120_000_000_000_000_000n, at, until: at + 3_600_000 },
    'pyth eip155:5': { price: 2_999_500_000_000_000_000_000n, at, until: at + 60_000 },
  })
})

test('an oracle that answers nothing, less than nothing or what it doubts itself is no source', async () => {
  for (const wrong of [0n, -300_012_000_000n])
    assert.deepEqual(await readings({ answer: wrong, price: wrong / 100_000n }), {
      'chainlink eip155:5': undefined,
      'pyth eip155:5': undefined,
    })
  const doubtful = await readings({ confidence: 60_000n })
  assert.equal(doubtful['pyth eip155:5'], undefined)
  assert.equal((await readings({ exponent: -100 }))['pyth eip155:5'], undefined)
})
