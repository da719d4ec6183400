import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import { createPoller } from '../../lib/poller.ts'
import { shareInFlight } from '../../lib/share-in-flight.ts'
import type { PaymentChainHead } from '../payment-chain.ts'
import { askFor } from '../rpc/ask-for.ts'
import { expectResult } from '../rpc/expect-result.ts'
import { reachedByQuorum } from '../rpc/quorum.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcAsk } from '../rpc/rpc-members.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { paymentFeeAt } from './payment-fee.ts'
import { BlockTime, PrioritizationFees, U64 } from './rpc-answers.ts'
import type { SolanaTiming } from './timing.ts'

type Deps = {
  readonly chainId: ChainId
  readonly pool: RpcPool
  readonly timing: SolanaTiming
  readonly now: () => Instant
}

/** Keeps the newest confirmed slot in memory, with the fee of a payment. */
export type HeadPoller = {
  readonly head: () => PaymentChainHead | undefined
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
}

const unitPriceFrom = (fees: PrioritizationFees): bigint => {
  const sorted = fees
    .map(({ prioritizationFee }) => prioritizationFee)
    .sort((one, other) => (one < other ? -1 : one > other ? 1 : 0))
  const bid = sorted[Math.floor((sorted.length * BID_PERCENTILE) / 100)] ?? 0n
  if (bid < MIN_UNIT_PRICE) return MIN_UNIT_PRICE
  return bid > MAX_UNIT_PRICE ? MAX_UNIT_PRICE : bid
}

const lookAt = async (ask: RpcAsk): Promise<HeadSnapshot> => {
  const [newest, final] = await ask([
    { method: 'getSlot', params: [confirmed] },
    { method: 'getSlot', params: [finalized] },
  ])
  const slot = expectResult(newest, U64)
  const finalSlot = expectResult(final, U64)
  const [time, finalTime] = await ask([
    { method: 'getBlockTime', params: [Number(slot)] },
    { method: 'getBlockTime', params: [Number(finalSlot)] },
  ])
  const timestampSeconds = expectResult(time, BlockTime)
  const finalTimestampSeconds = expectResult(finalTime, BlockTime)
  ask.checkTime(timestampSeconds)
  ask.checkTime(finalTimestampSeconds)
  return { slot, timestampSeconds, finalSlot, finalTimestampSeconds }
}

/** Keeps the bid that a quorum of endpoints reach, so that one of them neither raises nor lowers it alone. */
const createUnitPrice = ({ pool, timing, now }: Deps) => {
  const share = shareInFlight<'price', void>()
  let price = MIN_UNIT_PRICE
  let readAt: Instant | undefined

  const read = async (): Promise<void> => {
    readAt = now()
    const call = { method: 'getRecentPrioritizationFees', params: [[]] }
    const answers = await Promise.allSettled(
      pool.workEach(async (ask) => unitPriceFrom(await askFor(ask, call, PrioritizationFees)), timing.readMs),
    )
    const bids = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    // Without a quorum the last price stays.
    if (bids.length >= pool.quorum) price = reachedByQuorum(bids, pool.quorum)
  }
  return {
    current: (): bigint => price,
    /** Reads the price in the background when it is due. */
    renew: (): void => {
      if (readAt === undefined || now() - readAt >= timing.feeMs) void share('price', read)
    },
  }
}

type DatedHead = PaymentChainHead & { readonly readAt: Instant }

const createHeadReader = (deps: Deps) => {
  const { pool, timing, now } = deps
  const unitPrice = createUnitPrice(deps)
  let newest: DatedHead | undefined

  const head = (): PaymentChainHead | undefined =>
    newest === undefined || now() - newest.readAt > timing.staleMs ? undefined : newest

  const refresh = async (): Promise<void> => {
    unitPrice.renew()
    const seen = await pool.work(async (ask) => {
      const look = await lookAt(ask)
      const known = head()
      if (look.finalSlot > look.slot || (known !== undefined && look.slot < known.number))
        throw new RpcError('NODE_BEHIND', `node is behind, at slot ${look.slot}`)
      return look
    }, timing.readMs)
    const isFinalNewer = newest === undefined || seen.finalSlot >= newest.finalNumber
    newest = {
      number: seen.slot,
      timestampSeconds: seen.timestampSeconds,
      finalNumber: isFinalNewer || newest === undefined ? seen.finalSlot : newest.finalNumber,
      finalTimestampSeconds:
        isFinalNewer || newest === undefined ? seen.finalTimestampSeconds : newest.finalTimestampSeconds,
      paymentFee: paymentFeeAt(unitPrice.current()),
      readAt: now(),
    }
  }

  return { head, refresh }
}

/** Polls the chain's newest slots at a fixed interval, one read at a time. Source: Solana RPC. */
export const createHeadPoller = (deps: Deps): HeadPoller => {
  const { head, refresh } = createHeadReader(deps)

  // The pool logs why the head cannot be read; without one nothing is offered on this chain.
  const poller = createPoller({
    name: 'head_read',
    periodMs: deps.timing.pollMs,
    run: refresh,
  })

  return { head, start: poller.start, stop: poller.stop }
}
