import type { ExchangePool } from '../../core/network.ts'

/** One pool of a path, and its direction: `zeroForOne` sells token0. */
export type Leg<Pool> = { readonly pool: Pool; readonly zeroForOne: boolean }

/** A route from one token to another over one or two pools. */
export type Path<Pool> = readonly [Leg<Pool>] | readonly [Leg<Pool>, Leg<Pool>]

const legFrom = <Pool>(pool: Pool, { token0, token1 }: ExchangePool, token: string) => {
  if (token0.toLowerCase() === token) return { leg: { pool, zeroForOne: true }, next: token1.toLowerCase() }
  if (token1.toLowerCase() === token) return { leg: { pool, zeroForOne: false }, next: token0.toLowerCase() }
  return undefined
}

/**
 * All paths over one or two of the given pools from one token to another, shorter ones first. Addresses are
 * case-insensitive. Equal tokens have no path.
 */
export const findPaths = <Pool>(
  pools: readonly Pool[],
  poolOf: (pool: Pool) => ExchangePool,
  tokenIn: string,
  tokenOut: string,
): readonly Path<Pool>[] => {
  const [start, end] = [tokenIn.toLowerCase(), tokenOut.toLowerCase()]
  if (start === end) return []
  const legsFrom = (token: string) => pools.flatMap((pool) => legFrom(pool, poolOf(pool), token) ?? [])
  const firsts = legsFrom(start)
  const direct = firsts.filter(({ next }) => next === end).map(({ leg }): Path<Pool> => [leg])
  const indirect = firsts
    .filter(({ next }) => next !== end)
    .flatMap(({ leg, next }) =>
      legsFrom(next)
        .filter((second) => second.next === end)
        .map((second): Path<Pool> => [leg, second.leg]),
    )
  return [...direct, ...indirect]
}
