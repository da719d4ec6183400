import type { ExchangePool } from '../../core/network.ts'
import { MAX_TICK, MIN_TICK, sqrtPriceAtTick } from './tick-math.ts'

/** A tick at which positions begin or end: `liquidityNet` is what a rising price adds there. */
export type InitializedTick = { readonly tick: number; readonly liquidityNet: bigint }

/** Where a trade's stretch of constant liquidity ends: at an initialized tick, or at the last of a bitmap's word. */
export type Stop = InitializedTick & { readonly sqrtPrice: bigint }

/** The stops that a falling price meets, highest first, and those that a rising one meets, lowest first. */
export type PoolDepth = { readonly falling: readonly Stop[]; readonly rising: readonly Stop[] }

/** A pool at one block. `sqrtPrice` is of token0 in token1, base units, with 96 fraction bits. */
export type PoolState = {
  readonly pool: ExchangePool
  readonly sqrtPrice: bigint
  readonly tick: number
  readonly liquidity: bigint
  readonly depth: PoolDepth
}

/** What is known of a pool's liquidity: all initialized ticks of the bitmap's words from the first to the last. */
export type KnownTicks = {
  readonly tickSpacing: number
  readonly firstWord: number
  readonly lastWord: number
  readonly ticks: readonly InitializedTick[]
}

const TICKS_PER_WORD = 256

/** The word of the tick bitmap that a tick's bit stands in. Source: Uniswap v3 whitepaper 6.2.2. */
export const wordOfTick = (tick: number, tickSpacing: number): number =>
  Math.floor(Math.floor(tick / tickSpacing) / TICKS_PER_WORD)

const isTick = (tick: number): boolean => tick >= MIN_TICK && tick <= MAX_TICK

/** The stops, where the pools round the amounts: also at the ends of words, though no liquidity begins there. */
const stopsOf = (ticks: readonly InitializedTick[], wordEnds: readonly number[]): readonly Stop[] => {
  const nets = new Map(wordEnds.filter(isTick).map((tick) => [tick, 0n]))
  for (const { tick, liquidityNet } of ticks) nets.set(tick, liquidityNet)
  return [...nets]
    .sort(([one], [other]) => one - other)
    .map(([tick, liquidityNet]) => ({ tick, liquidityNet, sqrtPrice: sqrtPriceAtTick(tick) }))
}

/** What trades can meet in the known words; outside them nothing is known, and nothing is priced. */
export const createDepth = ({ tickSpacing, firstWord, lastWord, ticks }: KnownTicks): PoolDepth => {
  const words = Array.from({ length: lastWord - firstWord + 1 }, (_, index) => firstWord + index)
  const firsts = words.map((word) => word * TICKS_PER_WORD * tickSpacing)
  const lasts = words.map((word) => ((word + 1) * TICKS_PER_WORD - 1) * tickSpacing)
  return { falling: stopsOf(ticks, firsts).toReversed(), rising: stopsOf(ticks, lasts) }
}
