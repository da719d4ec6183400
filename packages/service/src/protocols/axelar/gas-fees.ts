import { type BaseUnits, baseUnits, mulDivUp } from '../../core/amount.ts'
import type { Instant } from '../../core/instant.ts'
import { inTime } from '../../lib/in-time.ts'
import { createKeptWarm } from '../../lib/kept-warm.ts'
import { type Lifecycle, together } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import { createTokenBucket } from '../../lib/token-bucket.ts'
import { AxelarError } from './axelar-error.ts'
import { eachRead } from './each-read.ts'
import type { RollupCharge } from './execution-data.ts'
import { type HopFees, transferGasFee, withRollupCharge } from './gas-fee.ts'
import type { Axelarscan } from './gmp.ts'

const MAX_AGE_MS = 90_000
const REFRESH_MS = 30_000
/** How long after the last order for a pair its fees are kept fresh. */
const WANTED_MS = 300_000
const MOST_KEPT = 5_000
const TOGETHER = 50
const BPS = 10_000n
/** How long a quote waits for the estimate. */
const ESTIMATE_MS = 500
/** Estimates that Axelarscan is asked for: with 26 chains there are 650 pairs, and one client can ask for all of them. */
const ESTIMATES = { burst: 120, perSecond: 4 }

/** A chain that sends and receives relayed messages. */
type GasChain = {
  readonly name: string
  readonly executeGasLimit: number
  /** What it charges for an execution beside gas; absent for a chain that never does. */
  readonly charge?: () => RollupCharge
  /**
   * The decimals of its native asset, where transactions count another scale: the scale of Axelarscan's estimate is not told, so that fees
   * from there are computed of whole tokens.
   */
  readonly nativeDecimals?: number | undefined
}

export type GasFeesDeps = {
  readonly axelarscan: Pick<Axelarscan, 'hopFees' | 'transferFee'>
  readonly chains: readonly GasChain[]
  readonly hubChain: string
  readonly marginBps: number
  readonly now: () => Instant
  readonly log: Log
}

/** Current relay costs: read when a pair is asked for, and kept fresh for minutes after. */
export type GasFees = Lifecycle & {
  /**
   * The gas fee of an interchain transfer between two chains (by Axelar name), margin included, in base units of the
   * source's native token, rounded up; undefined if it cannot be read.
   */
  readonly transferFee: (source: string, destination: string) => Promise<BaseUnits | undefined>
  /** The same fee, if it is fresh. No network. */
  readonly knownFee: (source: string, destination: string) => BaseUnits | undefined
}

/** Base units with the margin, rounded up. */
const withMargin = (fee: bigint, marginBps: number): BaseUnits =>
  baseUnits(mulDivUp(fee, BigInt(marginBps), BPS))

/**
 * Reads gas fees from Axelarscan: its estimate for the pair, which has what a rollup charges beside gas, or where it has none, or was
 * asked for too many in a time, the sum of the hop to the hub and the hop from it, with what the destination's own oracle says that it charges.
 */
export const createGasFees = (deps: GasFeesDeps): GasFees => {
  const { axelarscan, chains, hubChain, now, log } = deps
  const gasLimits = new Map(chains.map(({ name, executeGasLimit }) => [name, BigInt(executeGasLimit)]))
  const kept = <Value>(read: (key: string) => Promise<Value>) =>
    createKeptWarm<string, Value>({
      name: 'axelar_gas_fee_read',
      read: eachRead(read),
      maxAgeMs: MAX_AGE_MS,
      refreshMs: REFRESH_MS,
      wantedMs: WANTED_MS,
      limit: MOST_KEPT,
      together: TOGETHER,
      now,
      log,
    })
  const toHub = kept((source) => axelarscan.hopFees(source, hubChain))
  const charges = new Map(chains.map((chain) => [chain.name, chain.charge]))
  const fromHub = kept(async (destination) => {
    const hop = await axelarscan.hopFees(hubChain, destination)
    const charge = charges.get(destination)?.()
    const whole = charge === undefined ? hop : withRollupCharge(hop, charge)
    if (whole === undefined) throw new AxelarError('NO_FEES', `no prices for what ${destination} charges`)
    return whole
  })
  const scales = new Map(chains.map(({ name, nativeDecimals }) => [name, nativeDecimals]))
  const budget = createTokenBucket(ESTIMATES, now)
  const estimates = kept<bigint | 'none'>(async (pair) => {
    const [source = '', destination = ''] = pair.split(' ')
    if (scales.get(source) !== undefined || !budget.take()) return 'none'
    return estimateOf(axelarscan, source, destination)
  })
  const computed = (
    source: string,
    destination: string,
    first: HopFees | undefined,
    second: HopFees | undefined,
  ): BaseUnits | undefined => {
    const gasLimit = gasLimits.get(destination)
    return first === undefined || second === undefined || gasLimit === undefined
      ? undefined
      : transferGasFee(
          {
            toHub: { ...first, sourceDecimals: scales.get(source) ?? first.sourceDecimals },
            fromHub: second,
          },
          gasLimit,
          deps.marginBps,
        )
  }
  return {
    ...together([toHub, fromHub, estimates]),
    knownFee: (source, destination) => {
      const estimate = estimates.peek(`${source} ${destination}`)
      if (typeof estimate === 'bigint') return withMargin(estimate, deps.marginBps)
      return estimate === undefined
        ? undefined
        : computed(source, destination, toHub.peek(source), fromHub.peek(destination))
    },
    transferFee: async (source, destination) => {
      if (!gasLimits.has(destination)) return undefined
      const estimate = await inTime(estimates.get(`${source} ${destination}`), ESTIMATE_MS)
      if (typeof estimate === 'bigint') return withMargin(estimate, deps.marginBps)
      return computed(
        source,
        destination,
        ...(await Promise.all([toHub.get(source), fromHub.get(destination)])),
      )
    },
  }
}

/** The estimate for a pair, or that Axelarscan has none: then it is computed, and not asked for again at once. */
const estimateOf = async (
  axelarscan: GasFeesDeps['axelarscan'],
  source: string,
  destination: string,
): Promise<bigint | 'none'> => {
  try {
    return await axelarscan.transferFee(source, destination)
  } catch (error) {
    if (error instanceof AxelarError && error.code === 'NO_FEES') return 'none'
    throw error
  }
}
