import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import { createPoller } from '../../lib/poller.ts'
import type { PaymentChainHead } from '../payment-chain.ts'
import { expectResult } from '../rpc/expect-result.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcAsk } from '../rpc/rpc-members.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { type Blockhash, createBlockhashes } from './blockhashes.ts'
import { paymentFeeAt } from './payment-fee.ts'
import { BlockTime, LatestBlockhash, PrioritizationFees, U64 } from './rpc-answers.ts'
import type { SolanaTiming } from './timing.ts'

type Deps = {
  readonly chainId: ChainId
  readonly pool: RpcPool
  readonly timing: SolanaTiming
  readonly now: () => Instant
}

/** Keeps the newest confirmed slot in memory, with what a new transaction needs. */
export type HeadPoller = {
  readonly head: () => PaymentChainHead | undefined
  /** As `Blockhashes.pick`; also throws if the head is unknown. */
  readonly pickBlockhash: (notAfterSeconds: number | undefined) => Blockhash
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Bounds of the bid in micro-lamports per compute unit: never zero, and capped during fee spikes. */
const MIN_UNIT_PRICE = 10_000n
const MAX_UNIT_PRICE = 2_000_000n
/** The bid's percentile among recently included transactions. */
const BID_PERCENTILE = 75

const confirmed = { commitment: 'confirmed' }
const finalized = { commitment: 'finalized' }

type HeadSnapshot = {
  readonly slot: bigint
  readonly timestampSeconds: number
  readonly finalSlot: bigint
  readonly finalTimestampSeconds: number
  readonly latest: Blockhash
  /** Undefined if it was not requested. */
  readonly unitPrice: bigint | undefined
}

const unitPriceFrom = (fees: PrioritizationFees): bigint => {
  const sorted = fees
    .map(({ prioritizationFee }) => prioritizationFee)
    .sort((one, other) => (one < other ? -1 : one > other ? 1 : 0))
  const bid = sorted[Math.floor((sorted.length * BID_PERCENTILE) / 100)] ?? 0n
  if (bid < MIN_UNIT_PRICE) return MIN_UNIT_PRICE
  return bid > MAX_UNIT_PRICE ? MAX_UNIT_PRICE : bid
}

const lookAt = async (ask: RpcAsk, withFees: boolean): Promise<HeadSnapshot> => {
  const [latest, final, fees] = await ask([
    { method: 'getLatestBlockhash', params: [confirmed] },
    { method: 'getSlot', params: [finalized] },
    ...(withFees ? [{ method: 'getRecentPrioritizationFees', params: [[]] }] : []),
  ])
  const { context, value } = expectResult(latest, LatestBlockhash)
  const finalSlot = expectResult(final, U64)
  const [time, finalTime] = await ask([
    { method: 'getBlockTime', params: [Number(context.slot)] },
    { method: 'getBlockTime', params: [Number(finalSlot)] },
  ])
  const timestampSeconds = expectResult(time, BlockTime)
  const finalTimestampSeconds = expectResult(finalTime, BlockTime)
  ask.checkTime(timestampSeconds)
  ask.checkTime(finalTimestampSeconds)
  return {
    slot: context.slot,
    timestampSeconds,
    finalSlot,
    finalTimestampSeconds,
    latest: value,
    unitPrice: withFees ? unitPriceFrom(expectResult(fees, PrioritizationFees)) : undefined,
  }
}

type DatedHead = PaymentChainHead & { readonly readAt: Instant }

const createHeadReader = ({ pool, timing, now }: Deps) => {
  const blockhashes = createBlockhashes()
  let newest: DatedHead | undefined
  let price: { readonly unitPrice: bigint; readonly readAt: Instant } | undefined

  const head = (): PaymentChainHead | undefined =>
    newest === undefined || now() - newest.readAt > timing.staleMs ? undefined : newest

  const refresh = async (): Promise<void> => {
    const withFees = price === undefined || now() - price.readAt >= timing.feeMs
    const seen = await pool.work(async (ask) => {
      const look = await lookAt(ask, withFees)
      const known = head()
      if (look.finalSlot > look.slot || (known !== undefined && look.slot < known.number))
        throw new RpcError('NODE_BEHIND', `node is behind, at slot ${look.slot}`)
      return look
    }, timing.readMs)
    if (seen.unitPrice !== undefined) price = { unitPrice: seen.unitPrice, readAt: now() }
    blockhashes.add(seen.latest, seen.timestampSeconds)
    const isFinalNewer = newest === undefined || seen.finalSlot >= newest.finalNumber
    newest = {
      number: seen.slot,
      timestampSeconds: seen.timestampSeconds,
      finalNumber: isFinalNewer || newest === undefined ? seen.finalSlot : newest.finalNumber,
      finalTimestampSeconds:
        isFinalNewer || newest === undefined ? seen.finalTimestampSeconds : newest.finalTimestampSeconds,
      paymentFee: paymentFeeAt(price?.unitPrice ?? MIN_UNIT_PRICE),
      readAt: now(),
    }
  }

  return { head, refresh, blockhashes }
}

/** Polls the chain's newest slots at a fixed interval, one read at a time. Source: Solana RPC. */
export const createHeadPoller = (deps: Deps): HeadPoller => {
  const { head, refresh, blockhashes } = createHeadReader(deps)

  // The pool logs why the head cannot be read; without one nothing is offered on this chain.
  const poller = createPoller({
    name: 'head_read',
    periodMs: deps.timing.pollMs,
    run: refresh,
  })

  return {
    head,
    pickBlockhash: (notAfterSeconds) => {
      if (head() === undefined) throw new RpcError('NO_HEAD', `the head of ${deps.chainId} is unknown`)
      return blockhashes.pick(notAfterSeconds)
    },
    start: poller.start,
    stop: poller.stop,
  }
}
