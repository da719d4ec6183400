import type { Instant } from '../../core/instant.ts'
import { createLru } from '../../lib/lru.ts'
import { shareInFlight } from '../../lib/share-in-flight.ts'
import { askFor } from '../rpc/ask-for.ts'
import { reachedByQuorum } from '../rpc/quorum.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import type { SolanaInstruction } from './instructions.ts'
import { PrioritizationFees } from './rpc-answers.ts'

/** Bounds of the bid in micro-lamports per compute unit: never zero, and capped during fee spikes. */
export const MIN_UNIT_PRICE = 10_000n
const MAX_UNIT_PRICE = 2_000_000n
/** The bid's percentile among the recent slots. */
const BID_PERCENTILE = 75
/** Longer than a blockhash lives: the last bid did not suffice. */
const RAISED_AT_MOST = 8
/** Nodes take no more accounts. */
const MOST_ACCOUNTS = 128
const REMEMBERED = 1_000
/** A signature waits for the fee no longer than for slow endpoints. */
const MOST_WAIT_MS = 2_000

/** Bids for the accounts that a transaction writes: a slot's fees are those of the transactions that write one of them. */
export type UnitPrices = {
  /**
   * The bid in micro-lamports per compute unit, by a quorum of endpoints, read at most every ten seconds. It is doubled for each
   * earlier signature that has expired, up to 2,000,000. Without a quorum the last bid for the accounts, or the least, is
   * returned; never rejects.
   */
  readonly priceOf: (accounts: readonly string[], expired: number) => Promise<bigint>
}

type Deps = {
  readonly pool: Pick<RpcPool, 'workEach' | 'quorum'>
  readonly timing: { readonly readMs: number; readonly feeMs: number }
  readonly now: () => Instant
}

type Bid = { readonly price: bigint; readonly readAt: Instant }

const bounded = (price: bigint): bigint =>
  price < MIN_UNIT_PRICE ? MIN_UNIT_PRICE : price > MAX_UNIT_PRICE ? MAX_UNIT_PRICE : price

const bidFrom = (fees: PrioritizationFees): bigint => {
  const sorted = fees
    .map(({ prioritizationFee }) => prioritizationFee)
    .sort((one, other) => (one < other ? -1 : one > other ? 1 : 0))
  return bounded(sorted[Math.floor((sorted.length * BID_PERCENTILE) / 100)] ?? 0n)
}

/** The accounts that instructions write, and the payer, in one order. */
export const writtenBy = (payer: string, instructions: readonly SolanaInstruction[]): readonly string[] => {
  const written = instructions.flatMap(({ keys }) =>
    keys.filter(({ isWritable }) => isWritable).map(({ pubkey }) => pubkey),
  )
  return [...new Set([payer, ...written])].sort()
}

/** Creates the bids over the endpoints of a chain. One endpoint neither raises nor lowers them alone. */
export const createUnitPrices = ({ pool, timing, now }: Deps): UnitPrices => {
  const bids = createLru<string, Bid>(REMEMBERED)
  const share = shareInFlight<string, bigint>()

  const read = async (accounts: readonly string[]): Promise<bigint | undefined> => {
    const call = { method: 'getRecentPrioritizationFees', params: [accounts.slice(0, MOST_ACCOUNTS)] }
    const answers = await Promise.allSettled(
      pool.workEach(
        async (ask) => bidFrom(await askFor(ask, call, PrioritizationFees)),
        Math.min(MOST_WAIT_MS, timing.readMs),
      ),
    )
    const told = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    return told.length >= pool.quorum ? reachedByQuorum(told, pool.quorum) : undefined
  }
  const current = async (accounts: readonly string[]): Promise<bigint> => {
    const key = accounts.join(' ')
    const known = bids.get(key)
    if (known !== undefined && now() - known.readAt < timing.feeMs) return known.price
    return share(key, async () => {
      const price = (await read(accounts)) ?? known?.price ?? MIN_UNIT_PRICE
      bids.set(key, { price, readAt: now() })
      return price
    })
  }
  return {
    priceOf: async (accounts, expired) =>
      bounded((await current(accounts)) << BigInt(Math.min(expired, RAISED_AT_MOST))),
  }
}
