import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { RfqError } from '@openrfq/sdk'
import { Network, type NetworkChain } from 'openrfq/src/core/network.ts'
import { squareRoot } from 'openrfq/src/protocols/uniswap-v3/tick-math.ts'
import { parseAbi, zeroAddress } from 'viem'
import { Address, clientOf } from '../test/sandbox-fixture.ts'
import { type Sandbox, startSandbox } from './index.ts'

const POOL_ABI = parseAbi([
  'function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16 observationIndex, uint16 observationCardinality, uint16 observationCardinalityNext, uint8 feeProtocol, bool unlocked)',
  'function tickSpacing() view returns (int24)',
  'function factory() view returns (address)',
])
const ROUTER_ABI = parseAbi([
  'function WETH9() view returns (address)',
  'function factory() view returns (address)',
])
const LENS_ABI = parseAbi([
  'struct Tick { int24 tick; int128 liquidityNet; uint128 liquidityGross; }',
  'function getPopulatedTicksInWord(address pool, int16 word) view returns (Tick[] ticks)',
])

let sandbox: Sandbox
let network: Network
before(async () => {
  sandbox = await startSandbox({
    log: () => undefined,
    now: Date.now,
    withPaymentChains: false,
    endpointSeed: undefined,
  })
  network = Network.parse(sandbox.network)
})
after(() => sandbox.stop())

const move = (body: unknown): Promise<unknown> => {
  const endpoint = sandbox.endpoints.find(({ path }) => path === '/sandbox/pool')
  assert.ok(endpoint !== undefined)
  return endpoint.handle(body)
}

const exchangeOf = ({ exchange }: NetworkChain) => {
  assert.ok(exchange !== undefined)
  return exchange
}
const reader = ({ rpcUrls }: NetworkChain) => clientOf({ rpcUrl: rpcUrls[0] ?? '' })
const chainAt = (position: number): NetworkChain => {
  const chain = network.chains[position]
  assert.ok(chain !== undefined)
  return chain
}

const slot0 = (chain: NetworkChain, pool: string) =>
  reader(chain).readContract({ address: Address.parse(pool), abi: POOL_ABI, functionName: 'slot0' })

const symbolOf = (chain: NetworkChain, address: string): string =>
  network.tokens.find((token) => token.chainId === chain.chainId && token.address === address)?.symbol ??
  'native'

const poolsOf = (chain: NetworkChain, one: string, other: string) =>
  exchangeOf(chain).pools.filter(({ token0, token1 }) => {
    const symbols = [symbolOf(chain, token0), symbolOf(chain, token1)]
    return symbols.includes(one) && symbols.includes(other)
  })

const tokenOf = (chain: NetworkChain, symbol: string): string =>
  network.tokens.find((token) => token.chainId === chain.chainId && token.symbol === symbol)?.address ?? ''

test('every chain has an exchange with linked contracts and pools of two fee tiers', async () => {
  for (const chain of network.chains) {
    const exchange = exchangeOf(chain)
    const router = { address: Address.parse(exchange.router), abi: ROUTER_ABI } as const
    const client = reader(chain)
    assert.equal(await client.readContract({ ...router, functionName: 'WETH9' }), exchange.wrappedNative)
    assert.equal(await client.readContract({ ...router, functionName: 'factory' }), exchange.factory)
    assert.ok(exchange.pools.length >= 5)
    assert.deepEqual(new Set(exchange.pools.map(({ fee }) => fee)), new Set([500, 3000]))
    for (const { address, tickSpacing } of exchange.pools) {
      const pool = { address: Address.parse(address), abi: POOL_ABI } as const
      assert.equal(await client.readContract({ ...pool, functionName: 'tickSpacing' }), tickSpacing)
      assert.equal(await client.readContract({ ...pool, functionName: 'factory' }), exchange.factory)
    }
  }
})

test("every pool trades at the ratio of its tokens' prices and has several initialized ticks", async () => {
  for (const chain of network.chains) {
    const exchange = exchangeOf(chain)
    const unitPrice = (address: string): number => {
      const wanted = address === exchange.wrappedNative ? zeroAddress : address
      const token = network.tokens.find((one) => one.chainId === chain.chainId && one.address === wanted)
      return Number(token?.usdPrice ?? 'NaN') / 10 ** (token?.decimals ?? 0)
    }
    for (const { address, token0, token1, tickSpacing } of exchange.pools) {
      const [sqrtPrice, tick] = await slot0(chain, address)
      const ratio = (Number(sqrtPrice) / 2 ** 96) ** 2 / (unitPrice(token0) / unitPrice(token1))
      assert.ok(Math.abs(ratio - 1) < 1e-4, `${address} is off by ${ratio}`)
      const ticks = await Promise.all(
        [-1, 0, 1].map((word) =>
          reader(chain).readContract({
            address: Address.parse(exchange.tickLens),
            abi: LENS_ABI,
            functionName: 'getPopulatedTicksInWord',
            args: [Address.parse(address), Math.floor(Math.floor(tick / tickSpacing) / 256) + word],
          }),
        ),
      )
      assert.ok(ticks.flat().length >= 8, `${address} has ${ticks.flat().length} ticks`)
    }
  }
})

test('POST /sandbox/pool moves the price in every pool of the pair by exactly the given bps', async () => {
  const chain = chainAt(0)
  const { chainId } = chain
  const pools = poolsOf(chain, 'USDC', 'WETH')
  assert.equal(pools.length, 2)
  for (const [symbolA, symbolB, moveBps] of [
    ['WETH', 'USDC', 300],
    ['WETH', 'USDC', -1_250],
    ['USDC', 'WETH', 42],
    ['USDC', 'WETH', -5_000],
    ['USDC', 'WETH', 10_000],
  ] as const) {
    const before = await Promise.all(pools.map(({ address }) => slot0(chain, address)))
    const [tokenA, tokenB] = [tokenOf(chain, symbolA), tokenOf(chain, symbolB)]
    assert.deepEqual(await move({ chainId, tokenA, tokenB, moveBps }), {})
    for (const [position, { address, token0 }] of pools.entries()) {
      const [price] = await slot0(chain, address)
      const [old = 0n] = before[position] ?? []
      const factor = 10_000n + BigInt(moveBps)
      const square = token0 === tokenA ? (old * old * factor) / 10_000n : (old * old * 10_000n) / factor
      assert.equal(price, squareRoot(square))
    }
  }
})

test('POST /sandbox/pool takes the zero address for the wrapped native asset', async () => {
  const chain = chainAt(1)
  const pools = poolsOf(chain, 'axlUSDC', 'native')
  const before = await Promise.all(pools.map(({ address }) => slot0(chain, address)))
  await move({
    chainId: chain.chainId,
    tokenA: zeroAddress,
    tokenB: tokenOf(chain, 'axlUSDC'),
    moveBps: -700,
  })
  for (const [position, { address }] of pools.entries())
    assert.notEqual((await slot0(chain, address))[0], before[position]?.[0])
})

test('POST /sandbox/pool answers an error of the closed list for an impossible move', async () => {
  const chain = chainAt(2)
  const body = {
    chainId: chain.chainId,
    tokenA: tokenOf(chain, 'axlUSDC'),
    tokenB: tokenOf(chain, 'axlWETH'),
    moveBps: 100,
  }
  const bad: readonly (readonly [unknown, string])[] = [
    [{ ...body, moveBps: -5_001 }, 'INVALID_REQUEST'],
    [{ ...body, moveBps: 10_001 }, 'INVALID_REQUEST'],
    [{ ...body, moveBps: '100' }, 'INVALID_REQUEST'],
    [{ ...body, moveBps: 0.5 }, 'INVALID_REQUEST'],
    [{ ...body, chainId: 'eip155:1' }, 'UNSUPPORTED_CHAIN'],
    [{ ...body, tokenB: tokenOf(chain, 'BCN') }, 'UNSUPPORTED_ROUTE'],
    [{ ...body, tokenB: body.tokenA }, 'UNSUPPORTED_ROUTE'],
  ]
  for (const [wrong, code] of bad)
    await assert.rejects(move(wrong), (error) => error instanceof RfqError && error.code === code)
})
