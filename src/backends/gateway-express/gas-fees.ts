import { createFreshMap } from '../../axelar/fresh-map.ts'
import { type HopFees, messageGasFee } from '../../axelar/gas-fee.ts'
import type { Axelarscan } from '../../axelar/gmp.ts'
import { type Periodic, periodic } from '../../axelar/periodic.ts'
import { refreshAll } from '../../axelar/refresh-all.ts'
import type { BaseUnits } from '../../core/amount.ts'
import type { Instant } from '../../core/instant.ts'
import type { Log } from '../../core/log.ts'
import type { BridgeSide } from './routes.ts'

const PERIOD_MS = 15_000
const RETRY_MS = 1_000
const MAX_AGE_MS = 90_000
/** What a router needs besides the delivery: proof, payment, and sending back. Source: docs/decisions/0011. */
const OVERHEAD_GAS = 400_000n

/** What carrying a message with its token costs, kept fresh in the background. */
export type MessageFees = Periodic & {
  /**
   * Gas of a message between two chains whose delivery may use `deliveryGas`, and the express fee where executors serve
   * the way; base units of the source's native token, rounded up. Undefined when unknown or stale. No network.
   */
  readonly of: (
    from: BridgeSide,
    to: BridgeSide,
    deliveryGas: number,
  ) => { readonly amount: BaseUnits; readonly isExpress: boolean } | undefined
  /**
   * Gas of a message that brings back what could not be delivered, in base units of the native token of the chain it
   * leaves, rounded up. Undefined when unknown or stale. No network.
   */
  readonly ofReturn: (from: BridgeSide, to: BridgeSide) => BaseUnits | undefined
}

type Deps = {
  readonly axelarscan: Pick<Axelarscan, 'hopFees'>
  readonly marginBps: number
  readonly now: () => Instant
  readonly log: Log
}

/** The fees of all ways between the given sides' chains, straight from one to the other. */
export const createMessageFees = (deps: Deps, sides: readonly BridgeSide[]): MessageFees => {
  const fees = createFreshMap<HopFees>(deps.now, MAX_AGE_MS)
  const names = [...new Set(sides.map(({ axelarName }) => axelarName))]
  const hops = names.flatMap((from) => names.filter((to) => to !== from).map((to) => ({ from, to })))
  return {
    ...periodic({
      name: 'express gas fees',
      periodMs: PERIOD_MS,
      retryMs: RETRY_MS,
      run: () =>
        refreshAll(hops, async ({ from, to }) =>
          fees.set(`${from} ${to}`, await deps.axelarscan.hopFees(from, to)),
        ),
      log: deps.log,
    }),
    ofReturn: (from, to) => {
      const hop = fees.get(`${from.axelarName} ${to.axelarName}`)
      return hop === undefined ? undefined : messageGasFee(hop, BigInt(to.executeGasLimit), deps.marginBps)
    },
    of: (from, to, deliveryGas) => {
      const hop = fees.get(`${from.axelarName} ${to.axelarName}`)
      if (hop === undefined) return undefined
      const needed = BigInt(deliveryGas) + OVERHEAD_GAS
      const limit = BigInt(to.executeGasLimit) > needed ? BigInt(to.executeGasLimit) : needed
      const isExpress = hop.expressFee !== undefined
      const paid = { ...hop, baseFee: hop.baseFee + (hop.expressFee ?? 0n) }
      return { amount: messageGasFee(paid, limit, deps.marginBps), isExpress }
    },
  }
}
