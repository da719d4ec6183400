import type { BaseUnits } from '../../core/amount.ts'
import type { Instant } from '../../core/instant.ts'
import type { Lifecycle } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import { createPoller } from '../../lib/poller.ts'
import { createTtlCache } from '../../lib/ttl-cache.ts'
import { type HopFees, transferGasFee } from './gas-fee.ts'
import type { Axelarscan } from './gmp.ts'
import { refreshAll } from './refresh-all.ts'

const PERIOD_MS = 15_000
const RETRY_MS = 1_000
const MAX_AGE_MS = 90_000

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

/** Current relay costs. */
export type GasFees = Lifecycle & {
  /**
   * The gas fee of an interchain transfer between two chains (by Axelar name), margin included, in base units of the
   * source's native token, rounded up; undefined if unknown or stale. No network.
   */
  readonly transferFee: (source: string, destination: string) => BaseUnits | undefined
}

type Hop = { readonly from: string; readonly to: string }

/** Refreshes gas fees from Axelarscan: for every chain the hop to the hub and the hop from it. */
export const createGasFees = (deps: GasFeesDeps): GasFees => {
  const { axelarscan, chains, hubChain } = deps
  const toHub = createTtlCache<string, HopFees>({ now: deps.now, maxAgeMs: MAX_AGE_MS })
  const fromHub = createTtlCache<string, HopFees>({ now: deps.now, maxAgeMs: MAX_AGE_MS })
  const gasLimits = new Map(chains.map(({ name, executeGasLimit }) => [name, BigInt(executeGasLimit)]))
  const hops: readonly Hop[] = chains.flatMap(({ name }) => [
    { from: name, to: hubChain },
    { from: hubChain, to: name },
  ])
  const refreshHop = async ({ from, to }: Hop): Promise<void> => {
    const fees = await axelarscan.hopFees(from, to)
    if (from === hubChain) fromHub.set(to, fees)
    else toHub.set(from, fees)
  }
  const loop = createPoller({
    name: 'axelar_gas_fee_read',
    periodMs: PERIOD_MS,
    retryMs: () => RETRY_MS,
    failureLevel: 'warn',
    run: () => refreshAll(hops, refreshHop),
    log: deps.log,
  })
  return {
    ...loop,
    transferFee: (source, destination) => {
      const first = toHub.get(source)
      const second = fromHub.get(destination)
      const gasLimit = gasLimits.get(destination)
      if (first === undefined || second === undefined || gasLimit === undefined) return undefined
      return transferGasFee({ toHub: first, fromHub: second }, gasLimit, deps.marginBps)
    },
  }
}
