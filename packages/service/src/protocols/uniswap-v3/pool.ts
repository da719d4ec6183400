import type { ExchangePool } from '../../core/network.ts'
import { MAX_TICK, MIN_TICK, sqrtPriceAtTick } from './tick-math.ts'

/** A tick at which positions begin or end: a rising price adds `liquidityNet` there. */
export type InitializedTick = { readonly tick: number; readonly liquidityNet: bigint }

/** Where a trade's segment of constant liquidity ends: at an initialized tick, or at the last tick of a bitmap word. */
export type Stop = InitializedTick & { readonly sqrtPrice: bigint }

/** The stops of a falling price, highest first, and those of a rising one, lowest first. */
export type PoolDepth = { readonly falling: readonly Stop[]; readonly rising: readonly Stop[] }

/** A pool at one block. `sqrtPrice` is of token0 in token1, base units, with 96 fraction bits. */
export type PoolState = {
  readonly pool: ExchangePool
  readonly sqrtPrice: bigint
  readonly tick: number
  readonly liquidity: bigint
  readonly depth: PoolDepth
}

/** The known liquidity of a pool: all initialized ticks of the bitmap words from the first to the last. */
export type KnownTicks = {
  readonly tickSpacing: number
  readonly firstWord: number
  readonly lastWord: number
  readonly ticks: readonly InitializedTick[]
}

const TICKS_PER_WORD = 256

/** The bitmap word that contains a tick's bit. Source: Uniswap v3 whitepaper 6.2.2. */
export const wordOfTick = (tick: number, tickSpacing: number): number =>
  Math.floor(Math.floor(tick / tickSpacing) / TICKS_PER_WORD)

const isTick = (tick: number): boolean => tick >= MIN_TICK && tick <= MAX_TICK

/** The stops at which pools round amounts: also at the ends of words, though no liquidity begins there. */
const stopsOf = (ticks: readonly InitializedTick[], wordEnds: readonly number[]): readonly Stop[] => {
  const nets = new Map(wordEnds.filter(isTick).map((tick) => [tick, 0n]))
  for (const { tick, liquidityNet } of ticks) nets.set(tick, liquidityNet)
  return [...nets]
    .sort(([one], [other]) => one - other)
    .map(([tick, liquidityNet]) => ({ tick, liquidityNet, sqrtPrice: sqrtPriceAtTick(tick) }))
}

/** The stops within the known words; beyond them nothing is priced. */
export const createDepth = ({ tickSpacing, firstWord, lastWord, ticks }: KnownTicks): PoolDepth => {
  const words = Array.from({ length: lastWord - firstWord + 1 }, (_, index) => firstWord + index)
  const firsts = words.map((word) => word * TICKS_PER_WORD * tickSpacing)
  const lasts = words.map((word) => ((word + 1) * TICKS_PER_WORD - 1) * tickSpacing)
  return { falling: stopsOf(ticks, firsts).toReversed(), rising: stopsOf(ticks, lasts) }
}
