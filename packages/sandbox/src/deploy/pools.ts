import { parseUnitsFloor } from 'openrfq/decimal'
import type { ExchangePool } from 'openrfq/network'
import { amount0Up, amount1Up } from 'openrfq/uniswap-v3/price-range'
import { sqrtPriceAtTick, squareRoot } from 'openrfq/uniswap-v3/tick-math'
import { encodeFunctionData, maxUint256, parseAbi } from 'viem'
import type { Hex } from '../deployment-types.ts'
import { RANGE_PLANS, type RangePlan } from './exchange-plan.ts'
import type { Site } from './site.ts'

/** A token of a pool; `usdPrice` is the price of one whole token as decimal text. */
export type PoolToken = { readonly address: Hex; readonly decimals: number; readonly usdPrice: string }

type Contracts = { readonly factory: Hex; readonly positionManager: Hex }

/** A pool to deploy; `depthUsd` is the whole dollars of each token if liquidity were even over all prices. */
type PoolOrder = {
  readonly tokens: readonly [PoolToken, PoolToken]
  readonly fee: 500 | 3000
  readonly depthUsd: bigint
}

const FACTORY_ABI = parseAbi([
  'function createPool(address tokenA, address tokenB, uint24 fee) returns (address)',
  'function getPool(address tokenA, address tokenB, uint24 fee) view returns (address)',
])
const POOL_ABI = parseAbi([
  'function initialize(uint160 sqrtPriceX96)',
  'function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16 observationIndex, uint16 observationCardinality, uint16 observationCardinalityNext, uint8 feeProtocol, bool unlocked)',
])
const POSITIONS_ABI = parseAbi([
  'struct MintParams { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'function mint(MintParams params) payable returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)',
])

const TICK_SPACINGS = { 500: 10, 3000: 60 } as const
const PRICE_DIGITS = 6

/** Base units of a token worth the given whole dollars. */
const worthOf = (token: PoolToken, usd: bigint): bigint => {
  const price = parseUnitsFloor(token.usdPrice, PRICE_DIGITS)
  if (price === undefined || price === 0n) throw new Error(`no price for ${token.address}`)
  return (usd * 10n ** BigInt(token.decimals + PRICE_DIGITS)) / price
}

const createEmptyPool = async (
  { client, liquidityProvider }: Site,
  factory: Hex,
  [token0, token1]: readonly [PoolToken, PoolToken],
  fee: PoolOrder['fee'],
): Promise<ExchangePool & { readonly address: Hex }> => {
  const args = [token0.address, token1.address, fee] as const
  await liquidityProvider.send(
    factory,
    encodeFunctionData({ abi: FACTORY_ABI, functionName: 'createPool', args }),
  )
  const address = await client.readContract({
    address: factory,
    abi: FACTORY_ABI,
    functionName: 'getPool',
    args,
  })
  return { address, token0: token0.address, token1: token1.address, fee, tickSpacing: TICK_SPACINGS[fee] }
}

/** The amounts of token0 and token1 that a position of the given liquidity needs at the current price. */
const contentOf = (
  sqrtPrice: bigint,
  lower: number,
  upper: number,
  liquidity: bigint,
): readonly [bigint, bigint] => {
  const [bottom, top] = [sqrtPriceAtTick(lower), sqrtPriceAtTick(upper)]
  const inside = sqrtPrice < bottom ? bottom : sqrtPrice > top ? top : sqrtPrice
  return [amount0Up(inside, top, liquidity), amount1Up(bottom, inside, liquidity)]
}

/** Creates a pool at its tokens' USD price ratio and adds the liquidity provider's positions in all planned ranges. */
export const buildPool = async (
  site: Site,
  { factory, positionManager }: Contracts,
  { tokens: [one, other], fee, depthUsd }: PoolOrder,
): Promise<ExchangePool> => {
  const { client, liquidityProvider } = site
  const inOrder = BigInt(one.address) < BigInt(other.address)
  const [token0, token1] = inOrder ? ([one, other] as const) : ([other, one] as const)
  const pool = await createEmptyPool(site, factory, [token0, token1], fee)
  const [reserve0, reserve1] = [worthOf(token0, depthUsd), worthOf(token1, depthUsd)]
  const sqrtPrice = squareRoot((reserve1 << 192n) / reserve0)
  await liquidityProvider.send(
    pool.address,
    encodeFunctionData({ abi: POOL_ABI, functionName: 'initialize', args: [sqrtPrice] }),
  )
  const [, tick] = await client.readContract({ address: pool.address, abi: POOL_ABI, functionName: 'slot0' })
  const middle = Math.round(tick / pool.tickSpacing)
  const mint = async ({ belowSteps, aboveSteps, weight }: RangePlan): Promise<void> => {
    const tickLower = (middle - belowSteps) * pool.tickSpacing
    const tickUpper = (middle + aboveSteps) * pool.tickSpacing
    const liquidity = squareRoot(reserve0 * reserve1) * weight
    const [amount0Desired, amount1Desired] = contentOf(sqrtPrice, tickLower, tickUpper, liquidity)
    const params = {
      token0: token0.address,
      token1: token1.address,
      fee,
      tickLower,
      tickUpper,
      amount0Desired,
      amount1Desired,
      amount0Min: 0n,
      amount1Min: 0n,
      recipient: liquidityProvider.address,
      deadline: maxUint256,
    }
    await liquidityProvider.send(
      positionManager,
      encodeFunctionData({ abi: POSITIONS_ABI, functionName: 'mint', args: [params] }),
    )
  }
  for (const range of RANGE_PLANS) await mint(range)
  return pool
}
