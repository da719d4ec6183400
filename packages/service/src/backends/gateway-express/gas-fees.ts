import type { BaseUnits } from '../../core/amount.ts'
import type { Instant } from '../../core/instant.ts'
import type { Lifecycle } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import { createPoller } from '../../lib/poller.ts'
import { createTtlCache } from '../../lib/ttl-cache.ts'
import { type HopFees, messageGasFee } from '../../protocols/axelar/gas-fee.ts'
import type { Axelarscan } from '../../protocols/axelar/gmp.ts'
import { refreshAll } from '../../protocols/axelar/refresh-all.ts'
import type { BridgeSide } from './routes.ts'

const PERIOD_MS = 15_000
const RETRY_MS = 1_000
const MAX_AGE_MS = 90_000
/** Gas that a router needs besides the delivery: proof, payment and return. Source: docs/decisions/0011. */
const OVERHEAD_GAS = 400_000

/** Gas fees of messages with a token, refreshed in the background. */
export type MessageFees = Lifecycle & {
  /**
   * Gas fee of a message between two chains whose delivery may use `deliveryGas`, plus the express fee where executors
   * serve the route; base units of the source's native token, rounded up. Undefined if unknown or stale. No network.
   */
  readonly of: (
    from: BridgeSide,
    to: BridgeSide,
    deliveryGas: number,
  ) => { readonly amount: BaseUnits; readonly isExpress: boolean } | undefined
  /** Whether executors serve the direction between two chains. No network. */
  readonly isExpress: (from: BridgeSide, to: BridgeSide) => boolean
  /**
   * Gas fee of the return message of an undeliverable transfer, in base units of the native token of the chain it
   * leaves, rounded up. Undefined if unknown or stale. No network.
   */
  readonly ofReturn: (from: BridgeSide, to: BridgeSide) => BaseUnits | undefined
}

type Deps = {
  readonly axelarscan: Pick<Axelarscan, 'hopFees'>
  readonly marginBps: number
  readonly now: () => Instant
  readonly log: Log
}

type FeeOf = (hop: HopFees, gasLimit: number) => BaseUnits

/** Memoizes fees per hop and gas limit; quotes use few gas limits. */
const keptByHop = (work: FeeOf): FeeOf => {
  const kept = new WeakMap<HopFees, Map<number, BaseUnits>>()
  return (hop, gasLimit) => {
    const ofHop = kept.get(hop) ?? new Map<number, BaseUnits>()
    kept.set(hop, ofHop)
    const amount = ofHop.get(gasLimit) ?? work(hop, gasLimit)
    ofHop.set(gasLimit, amount)
    return amount
  }
}

const hopKey = (from: string, to: string): string => `${from} ${to}`

/** The fees between the given sides' chains, in all directions, one hop each. */
export const createMessageFees = (deps: Deps, sides: readonly BridgeSide[]): MessageFees => {
  const fees = createTtlCache<string, HopFees>({ now: deps.now, maxAgeMs: MAX_AGE_MS })
  const names = [...new Set(sides.map(({ axelarName }) => axelarName))]
  const hopOf = (from: BridgeSide, to: BridgeSide): HopFees | undefined =>
    fees.get(hopKey(from.axelarName, to.axelarName))
  const feeOf = keptByHop((hop, gasLimit) => messageGasFee(hop, BigInt(gasLimit), deps.marginBps))
  const expressFeeOf = keptByHop((hop, gasLimit) => {
    const paid = { ...hop, baseFee: hop.baseFee + (hop.expressFee ?? 0n) }
    return messageGasFee(paid, BigInt(gasLimit), deps.marginBps)
  })
  const hops = names.flatMap((from) => names.filter((to) => to !== from).map((to) => ({ from, to })))
  return {
    ...createPoller({
      name: 'express_gas_fee_read',
      periodMs: PERIOD_MS,
      retryMs: () => RETRY_MS,
      failureLevel: 'warn',
      run: () =>
        refreshAll(hops, async ({ from, to }) =>
          fees.set(hopKey(from, to), await deps.axelarscan.hopFees(from, to)),
        ),
      log: deps.log,
    }),
    isExpress: (from, to) => hopOf(from, to)?.expressFee !== undefined,
    ofReturn: (from, to) => {
      const hop = hopOf(from, to)
      return hop === undefined ? undefined : feeOf(hop, to.executeGasLimit)
    },
    of: (from, to, deliveryGas) => {
      const hop = hopOf(from, to)
      if (hop === undefined) return undefined
      const limit = Math.max(deliveryGas + OVERHEAD_GAS, to.executeGasLimit)
      return { amount: expressFeeOf(hop, limit), isExpress: hop.expressFee !== undefined }
    },
  }
}
