import type { BaseUnits } from '../../core/amount.ts'
import type { Instant } from '../../core/instant.ts'
import { createKeptWarm } from '../../lib/kept-warm.ts'
import type { Lifecycle } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import { AxelarError } from '../../protocols/axelar/axelar-error.ts'
import { eachRead } from '../../protocols/axelar/each-read.ts'
import { rollupCharge } from '../../protocols/axelar/execution-data.ts'
import { type HopFees, messageGasFee, withRollupCharge } from '../../protocols/axelar/gas-fee.ts'
import type { Axelarscan, ExpressMessage } from '../../protocols/axelar/gmp.ts'
import type { BridgeSide } from './routes.ts'

const MAX_AGE_MS = 90_000
const REFRESH_MS = 30_000
/** How long after the last order for a pair its fees are kept fresh. */
const WANTED_MS = 300_000
const MOST_KEPT = 5_000
const TOGETHER = 50

/** Gas fees of messages with a token: read when a pair is asked for, and kept fresh for minutes after. */
export type MessageFees = Lifecycle & {
  /** Whether the fees between two chains are fresh in both directions. No network. */
  readonly isKnown: (from: BridgeSide, to: BridgeSide) => boolean
  /** Reads the fees between two chains in both directions, unless they are fresh. */
  readonly know: (from: BridgeSide, to: BridgeSide) => Promise<void>
  /**
   * Gas fee of a message between two chains whose execution takes `executionGas`, plus the express fee where Axelar's
   * executors serve the route; base units of the source's native token, rounded up. Undefined if unknown or stale. No network.
   */
  readonly of: (
    from: BridgeSide,
    to: BridgeSide,
    executionGas: number,
  ) => { readonly amount: BaseUnits; readonly isExpress: boolean } | undefined
  /** Whether executors serve the direction between two chains. No network. */
  readonly isExpress: (from: BridgeSide, to: BridgeSide) => boolean
  /** Gas fee alone, as `of`: without an express fee. */
  readonly ofOrdinary: (from: BridgeSide, to: BridgeSide, executionGas: number) => BaseUnits | undefined
  /**
   * Gas fee of the return message of a transfer that is given back, in base units of the native token of the chain it
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

/** The message of a direction: what Axelar decides by whether executors deliver it, up to their cap. */
const messageOf = (from: BridgeSide, to: BridgeSide): ExpressMessage => ({
  sourceContractAddress: from.router,
  destinationContractAddress: to.router,
  symbol: from.symbol,
  ...(to.expressCap === null ? {} : { amountInUnits: to.expressCap.toString() }),
})

type Direction = { readonly from: BridgeSide; readonly to: BridgeSide }

/** The same direction for the same sides, so that it can be the key of a cache. */
const createDirections = () => {
  const known = new WeakMap<BridgeSide, WeakMap<BridgeSide, Direction>>()
  return (from: BridgeSide, to: BridgeSide): Direction => {
    const others = known.get(from) ?? new WeakMap<BridgeSide, Direction>()
    known.set(from, others)
    const direction = others.get(to) ?? { from, to }
    others.set(to, direction)
    return direction
  }
}

/** The fees between chains, one hop each. */
export const createMessageFees = ({ axelarscan, marginBps, now, log }: Deps): MessageFees => {
  const { get, peek, start, stop } = createKeptWarm<Direction, HopFees>({
    name: 'express_gas_fee_read',
    read: eachRead(async ({ from, to }) => {
      const message = to.executor === 'axelar' ? messageOf(from, to) : undefined
      const hop = await axelarscan.hopFees(from.axelarName, to.axelarName, message)
      const whole = withRollupCharge(hop, rollupCharge(to.evm.head()))
      if (whole === undefined) throw new AxelarError('NO_FEES', `no prices for what ${to.axelarName} charges`)
      return whole
    }),
    maxAgeMs: MAX_AGE_MS,
    refreshMs: REFRESH_MS,
    wantedMs: WANTED_MS,
    limit: MOST_KEPT,
    together: TOGETHER,
    now,
    log,
  })
  const directionOf = createDirections()
  const hopOf = (from: BridgeSide, to: BridgeSide): HopFees | undefined => peek(directionOf(from, to))
  /** Only Axelar's executor is paid for an early delivery. */
  const expressFee = (hop: HopFees | undefined, to: BridgeSide): bigint | undefined =>
    to.executor === 'axelar' ? hop?.expressFee : undefined
  /** The operator's own executor delivers tokens that have a cap. */
  const isOwn = ({ executor, expressCap }: BridgeSide): boolean => executor === 'own' && expressCap !== null
  const feeOf = keptByHop((hop, gasLimit) => messageGasFee(hop, BigInt(gasLimit), marginBps))
  const expressFeeOf = keptByHop((hop, gasLimit) => {
    const paid = { ...hop, baseFee: hop.baseFee + (hop.expressFee ?? 0n) }
    return messageGasFee(paid, BigInt(gasLimit), marginBps)
  })
  const limitOf = ({ executeGasLimit }: BridgeSide, executionGas: number): number =>
    Math.max(executionGas, executeGasLimit)
  const ofOrdinary: MessageFees['ofOrdinary'] = (from, to, executionGas) => {
    const hop = hopOf(from, to)
    return hop === undefined ? undefined : feeOf(hop, limitOf(to, executionGas))
  }
  return {
    start,
    stop,
    isKnown: (from, to) => hopOf(from, to) !== undefined && hopOf(to, from) !== undefined,
    know: async (from, to) => {
      await Promise.all([get(directionOf(from, to)), get(directionOf(to, from))])
    },
    isExpress: (from, to) => isOwn(to) || expressFee(hopOf(from, to), to) !== undefined,
    ofOrdinary,
    ofReturn: (from, to) => ofOrdinary(from, to, 0),
    of: (from, to, executionGas) => {
      const hop = hopOf(from, to)
      if (hop === undefined) return undefined
      const limit = limitOf(to, executionGas)
      const isPaid = expressFee(hop, to) !== undefined
      return { amount: isPaid ? expressFeeOf(hop, limit) : feeOf(hop, limit), isExpress: isPaid || isOwn(to) }
    },
  }
}

/** The same fees for messages that no executor is to deliver. */
export const withoutExpress = (fees: MessageFees): MessageFees => ({
  ...fees,
  isExpress: () => false,
  of: (from, to, executionGas) => {
    const amount = fees.ofOrdinary(from, to, executionGas)
    return amount === undefined ? undefined : { amount, isExpress: false }
  },
})
