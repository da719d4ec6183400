import type { BaseUnits } from '../../core/amount.ts'
import type { Instant } from '../../core/instant.ts'
import { createKeptWarm } from '../../lib/kept-warm.ts'
import type { Lifecycle } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import { eachRead } from '../../protocols/axelar/each-read.ts'
import { type HopFees, messageGasFee } from '../../protocols/axelar/gas-fee.ts'
import type { Axelarscan } from '../../protocols/axelar/gmp.ts'
import type { BridgeSide } from './routes.ts'

const MAX_AGE_MS = 90_000
const REFRESH_MS = 30_000
/** How long after the last order for a pair its fees are kept fresh. */
const WANTED_MS = 300_000
const MOST_KEPT = 5_000
const TOGETHER = 50
/** Gas that a router needs besides the delivery: proof, payment and return. Source: docs/decisions/0011. */
const OVERHEAD_GAS = 400_000

/** Gas fees of messages with a token: read when a pair is asked for, and kept fresh for minutes after. */
export type MessageFees = Lifecycle & {
  /** Reads the fees between two chains in both directions, unless they are fresh. */
  readonly know: (from: BridgeSide, to: BridgeSide) => Promise<void>
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

/** The fees between chains, one hop each. */
export const createMessageFees = ({ axelarscan, marginBps, now, log }: Deps): MessageFees => {
  const { get, peek, start, stop } = createKeptWarm<string, HopFees>({
    name: 'express_gas_fee_read',
    read: eachRead((hop) => {
      const [from = '', to = ''] = hop.split(' ')
      return axelarscan.hopFees(from, to)
    }),
    maxAgeMs: MAX_AGE_MS,
    refreshMs: REFRESH_MS,
    wantedMs: WANTED_MS,
    limit: MOST_KEPT,
    together: TOGETHER,
    now,
    log,
  })
  const hopOf = (from: BridgeSide, to: BridgeSide): HopFees | undefined =>
    peek(hopKey(from.axelarName, to.axelarName))
  const feeOf = keptByHop((hop, gasLimit) => messageGasFee(hop, BigInt(gasLimit), marginBps))
  const expressFeeOf = keptByHop((hop, gasLimit) => {
    const paid = { ...hop, baseFee: hop.baseFee + (hop.expressFee ?? 0n) }
    return messageGasFee(paid, BigInt(gasLimit), marginBps)
  })
  return {
    start,
    stop,
    know: async (from, to) => {
      await Promise.all([
        get(hopKey(from.axelarName, to.axelarName)),
        get(hopKey(to.axelarName, from.axelarName)),
      ])
    },
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
