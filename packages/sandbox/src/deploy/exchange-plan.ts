/** A pool to deploy; `depthUsd` is the whole dollars of each token if liquidity were even over all prices. */
type PoolPlan = {
  /** Symbols of the pool's tokens; `native` is the wrapped native asset. */
  readonly pair: readonly [string, string]
  /** The pool's fee in millionths of the input. */
  readonly fee: 500 | 3000
  readonly depthUsd: bigint
}

/** A range of a pool's liquidity: its bounds in tick spacings below and above the price, and its weight. */
export type RangePlan = {
  readonly belowSteps: number
  readonly aboveSteps: number
  /** Liquidity as a multiple of the pool's even depth. */
  readonly weight: bigint
}

/** Overlapping positions around the price, two of them one-sided, so that trades cross many ticks. */
export const RANGE_PLANS: readonly RangePlan[] = [
  { belowSteps: 2_000, aboveSteps: 2_000, weight: 1n },
  { belowSteps: 120, aboveSteps: 120, weight: 3n },
  { belowSteps: 25, aboveSteps: 40, weight: 8n },
  { belowSteps: 4, aboveSteps: 4, weight: 16n },
  { belowSteps: 60, aboveSteps: -2, weight: 4n },
  { belowSteps: -3, aboveSteps: 75, weight: 4n },
]

const HOME_POOLS: readonly PoolPlan[] = [
  { pair: ['USDC', 'WETH'], fee: 500, depthUsd: 5_000_000n },
  { pair: ['USDC', 'WETH'], fee: 3000, depthUsd: 2_000_000n },
  { pair: ['USDT', 'USDC'], fee: 500, depthUsd: 5_000_000n },
  { pair: ['USDT', 'WETH'], fee: 3000, depthUsd: 1_000_000n },
  { pair: ['HBR', 'WETH'], fee: 3000, depthUsd: 1_000_000n },
]

const REMOTE_POOLS: readonly PoolPlan[] = [
  { pair: ['axlUSDC', 'native'], fee: 500, depthUsd: 5_000_000n },
  { pair: ['axlUSDC', 'native'], fee: 3000, depthUsd: 2_000_000n },
  { pair: ['axlUSDC', 'axlWETH'], fee: 500, depthUsd: 5_000_000n },
  { pair: ['axlUSDC', 'axlWETH'], fee: 3000, depthUsd: 2_000_000n },
  { pair: ['axlWETH', 'native'], fee: 500, depthUsd: 5_000_000n },
  { pair: ['USDT', 'axlUSDC'], fee: 500, depthUsd: 5_000_000n },
  { pair: ['HBR', 'native'], fee: 3000, depthUsd: 1_000_000n },
]

/** The pools of each chain, by Axelar name. */
export const POOL_PLANS: Readonly<Record<string, readonly PoolPlan[]>> = {
  'sandbox-a': HOME_POOLS,
  'sandbox-b': REMOTE_POOLS,
  'sandbox-c': REMOTE_POOLS,
}
