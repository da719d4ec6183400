import type { Instant } from '../core/instant.ts'
import type { Clock } from '../lib/clock.ts'

/** How the host's clock differs from the block times of all chains. */
export type ClockFault = 'ahead_of_chains' | 'behind_chains'

/** A chain, as far as its time is concerned. */
type TimedChain = {
  readonly head: () => { readonly timestampSeconds: number } | undefined
  /** Whether its blocks are too far ahead of the clock to be believed. */
  readonly isAheadOfClock: () => boolean
}

type Deps = {
  readonly chains: readonly TimedChain[]
  readonly clock: Clock
  /** How long a difference must last in milliseconds; a sandbox moves the clock before its chains. */
  readonly graceMs: number
}

/** No chain that is alive makes no block for so long, and certainly not all of them at once. */
const MOST_BEHIND_MS = 300_000

const faultNow = ({ chains, clock }: Deps): ClockFault | undefined => {
  const times = chains.flatMap(({ head }) => head()?.timestampSeconds ?? [])
  if (times.length === 0)
    return chains.some(({ isAheadOfClock }) => isAheadOfClock()) ? 'behind_chains' : undefined
  return clock.now() - Math.max(...times) * 1000 > MOST_BEHIND_MS ? 'ahead_of_chains' : undefined
}

/**
 * Creates a comparison of the host's clock with the newest blocks of all chains: no single chain, which may stand still
 * or be lied about, makes the clock wrong. No network.
 */
export const createClockComparison = (deps: Deps): (() => ClockFault | undefined) => {
  const { clock, graceMs } = deps
  let rightAt: Instant = Number.NEGATIVE_INFINITY
  return () => {
    const fault = faultNow(deps)
    if (fault === undefined) rightAt = clock.steady()
    return clock.steady() - rightAt >= graceMs ? fault : undefined
  }
}
