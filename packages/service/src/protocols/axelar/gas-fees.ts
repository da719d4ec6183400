import type { BaseUnits } from '../../core/amount.ts'
import type { Instant } from '../../core/instant.ts'
import { createKeptWarm } from '../../lib/kept-warm.ts'
import { type Lifecycle, together } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import { eachRead } from './each-read.ts'
import { type HopFees, transferGasFee } from './gas-fee.ts'
import type { Axelarscan } from './gmp.ts'

const MAX_AGE_MS = 90_000
const REFRESH_MS = 30_000
/** How long after the last order for a pair its fees are kept fresh. */
const WANTED_MS = 300_000
const MOST_KEPT = 5_000
const TOGETHER = 50

/** A chain that sends and receives relayed messages. */
type GasChain = { readonly name: string; readonly executeGasLimit: number }

export type GasFeesDeps = {
  readonly axelarscan: Pick<Axelarscan, 'hopFees'>
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
}

/** Reads gas fees from Axelarscan: the hop to the hub and the hop from it. */
export const createGasFees = (deps: GasFeesDeps): GasFees => {
  const { axelarscan, chains, hubChain, now, log } = deps
  const gasLimits = new Map(chains.map(({ name, executeGasLimit }) => [name, BigInt(executeGasLimit)]))
  const hops = (read: (chain: string) => Promise<HopFees>) =>
    createKeptWarm<string, HopFees>({
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
  const toHub = hops((source) => axelarscan.hopFees(source, hubChain))
  const fromHub = hops((destination) => axelarscan.hopFees(hubChain, destination))
  return {
    ...together([toHub, fromHub]),
    transferFee: async (source, destination) => {
      const gasLimit = gasLimits.get(destination)
      if (gasLimit === undefined) return undefined
      const [first, second] = await Promise.all([toHub.get(source), fromHub.get(destination)])
      if (first === undefined || second === undefined) return undefined
      return transferGasFee({ toHub: first, fromHub: second }, gasLimit, deps.marginBps)
    },
  }
}
