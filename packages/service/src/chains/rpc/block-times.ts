import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import type { Log } from '../../lib/log.ts'
import { RpcError } from './rpc-error.ts'

/** The clock that block times are compared with, and their tolerance. */
export type BlockTimeBound = {
  /** The tolerated lead of a block's time over our clock; 15 seconds by default. */
  readonly maximumClockLeadSeconds?: number | undefined
  /** The clock of deadlines and expiries; `now` by default. */
  readonly wallTime?: () => Instant
}

type Deps = BlockTimeBound & {
  readonly chainId: ChainId
  /** The number of endpoints that decide together. */
  readonly quorum: number
  readonly now: () => Instant
  readonly log: Log
}

/** Compares the block times that a chain's endpoints tell with our clock; endpoints are named by their position. */
export type BlockTimes = {
  /** Throws RpcError AHEAD_OF_CLOCK for a block time, in seconds, that is too far ahead. */
  readonly check: (endpoint: number, timestampSeconds: number) => void
  /** Whether the last time that an endpoint told was too far ahead. */
  readonly isDoubted: (endpoint: number) => boolean
  /** How many such times an endpoint has told. */
  readonly count: (endpoint: number) => number
  /** Whether a quorum of the endpoints told such times a moment ago. */
  readonly isAheadOfClock: () => boolean
}

const DEFAULT_LEAD_SECONDS = 15
/** How long an endpoint counts as ahead after it told such a time. */
const AHEAD_MS = 15_000

type Doubt = { count: number; isDoubted: boolean; at: Instant }

/** Creates the comparison for one chain; an endpoint that tells a plausible time is believed again. */
export const createBlockTimes = (deps: Deps): BlockTimes => {
  const { maximumClockLeadSeconds = DEFAULT_LEAD_SECONDS, chainId, quorum, now, log } = deps
  const { wallTime = now } = deps
  const doubts = new Map<number, Doubt>()
  let wasAhead = false

  const isAheadOfClock = (): boolean =>
    [...doubts.values()].filter(({ isDoubted, at }) => isDoubted && now() - at <= AHEAD_MS).length >= quorum

  const report = (): void => {
    const isAhead = isAheadOfClock()
    if (isAhead && !wasAhead) log('error', 'chain_ahead_of_clock', { chainId })
    if (!isAhead && wasAhead) log('info', 'chain_time_plausible', { chainId })
    wasAhead = isAhead
  }
  const doubt = (endpoint: number, leadSeconds: number): void => {
    const { count = 0, isDoubted = false } = doubts.get(endpoint) ?? {}
    if (!isDoubted) log('warn', 'rpc_endpoint_ahead_of_clock', { chainId, endpoint, leadSeconds })
    doubts.set(endpoint, { count: count + 1, isDoubted: true, at: now() })
  }
  const believe = (endpoint: number): void => {
    const known = doubts.get(endpoint)
    if (known?.isDoubted !== true) return
    known.isDoubted = false
    log('info', 'rpc_endpoint_time_plausible', { chainId, endpoint })
  }
  return {
    check: (endpoint, timestampSeconds) => {
      const leadSeconds = timestampSeconds - Math.floor(wallTime() / 1000)
      const isAhead = leadSeconds > maximumClockLeadSeconds
      if (isAhead) doubt(endpoint, leadSeconds)
      else believe(endpoint)
      report()
      if (isAhead)
        throw new RpcError('AHEAD_OF_CLOCK', `a block's time is ${leadSeconds} seconds ahead of the clock`)
    },
    isDoubted: (endpoint) => doubts.get(endpoint)?.isDoubted === true,
    count: (endpoint) => doubts.get(endpoint)?.count ?? 0,
    isAheadOfClock,
  }
}
