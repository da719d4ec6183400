import type { Instant } from '../../core/instant.ts'
import { shareInFlight } from '../../lib/share-in-flight.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { type FeeSuggestion, PRICE_CALLS, type Prices, parsePrices } from './head-snapshot.ts'
import type { RpcBlock } from './rpc-answers.ts'

type Deps = { readonly pool: RpcPool; readonly deadlineMs: number; readonly now: () => Instant }
type Median = Prices & { readonly agreedAt: Instant }

/** Bounds prices in wei per unit of gas. */
type FeeCeiling = {
  /** The bounded suggestion that was read with a block. */
  readonly suggestion: (
    suggested: FeeSuggestion,
    block: Pick<RpcBlock, 'baseFeePerGas'>,
  ) => Promise<FeeSuggestion>
  /** The bounded base fee of a block. */
  readonly baseFee: (block: Pick<RpcBlock, 'baseFeePerGas'>) => bigint | undefined
}

/** How many times the price that the endpoints tell together one of them may tell alone. */
const TOLERATED_FACTOR = 2n
/** How often the endpoints are compared, also while suggestions are usual. */
const RENEW_MS = 30_000
/** After each such time without a quorum the last median counts double. */
const DOUBLING_MS = 60_000
/** The most, in wei per unit of gas above the base fee, that is believed without a quorum: 50 gwei. */
const MAX_UNAGREED = 50_000_000_000n

/**
 * Bounds the base fee and the suggestions of one endpoint, because transactions are signed at these prices and a chain
 * takes what a sender offers. One above twice the median of a quorum of endpoints is replaced by the median. Without a quorum the
 * median doubles every minute up to 50 gwei above the base fee; before the first one a price counts up to there. The
 * endpoints are compared every 30 seconds and at every unusual price. The first call waits for a comparison;
 * later ones use the last.
 */
export const createFeeCeiling = ({ pool, deadlineMs, now }: Deps): FeeCeiling => {
  const share = shareInFlight<'comparison', void>()
  let median: Median | undefined
  let comparedAt: Instant | undefined

  const compare = async (): Promise<void> => {
    comparedAt = now()
    const read = await Promise.allSettled(
      pool.workEach(async (ask) => parsePrices(await ask(PRICE_CALLS)), deadlineMs),
    )
    const all = read.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    const tip = medianOf(all, 'tip', pool.quorum)
    const gasPrice = medianOf(all, 'gasPrice', pool.quorum)
    const baseFee = medianOf(all, 'baseFee', pool.quorum)
    if (tip !== undefined || gasPrice !== undefined || baseFee !== undefined)
      median = { tip, gasPrice, baseFee, agreedAt: now() }
  }
  const doublings = (): number =>
    median === undefined ? 0 : Math.max(0, Math.floor((now() - median.agreedAt) / DOUBLING_MS))
  /** A price of the median after the doublings, which do not lift it above `most`. */
  const aged = (price: bigint | undefined, most: bigint): bigint | undefined =>
    price === undefined || price >= most ? price : lower(price * 2n ** BigInt(doublings()), most)
  const boundBase = (told: bigint | undefined): bigint | undefined =>
    boundValue(told, aged(median?.baseFee, MAX_UNAGREED), MAX_UNAGREED)
  const bound = (suggested: FeeSuggestion, baseFee: bigint): FeeSuggestion => {
    const mostPrice = baseFee + MAX_UNAGREED
    const agreedPrice = median?.gasPrice
    const mostTip = agreedPrice === undefined ? MAX_UNAGREED : lower(agreedPrice, MAX_UNAGREED)
    return {
      tip: boundValue(suggested.tip, aged(median?.tip, MAX_UNAGREED), mostTip),
      gasPrice: boundValue(suggested.gasPrice, aged(agreedPrice, mostPrice), mostPrice),
    }
  }
  const isUsual = (suggested: FeeSuggestion, bounded: FeeSuggestion): boolean =>
    median !== undefined && suggested.tip === bounded.tip && suggested.gasPrice === bounded.gasPrice

  return {
    suggestion: async (suggested, { baseFeePerGas }) => {
      const boundedNow = (): FeeSuggestion => bound(suggested, boundBase(baseFeePerGas ?? undefined) ?? 0n)
      if (comparedAt === undefined) await share('comparison', compare)
      else if (now() - comparedAt >= RENEW_MS || !isUsual(suggested, boundedNow()))
        void share('comparison', compare)
      return boundedNow()
    },
    baseFee: ({ baseFeePerGas }) => {
      const told = baseFeePerGas ?? undefined
      const bounded = boundBase(told)
      if (bounded !== told) void share('comparison', compare)
      return bounded
    },
  }
}

const lower = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/** The price if it is near the median, else the median; without a median the price up to `most`. */
const boundValue = (
  suggested: bigint | undefined,
  median: bigint | undefined,
  most: bigint,
): bigint | undefined => {
  if (suggested === undefined) return undefined
  if (median === undefined) return lower(suggested, most)
  return suggested <= median * TOLERATED_FACTOR ? suggested : median
}

/** The middle of a quorum of values, the lower one of two; undefined without a quorum. */
const medianOf = (all: readonly Prices[], name: keyof Prices, quorum: number): bigint | undefined => {
  const known = all.flatMap(({ [name]: value }) => (value === undefined ? [] : [value]))
  if (known.length < quorum) return undefined
  return known.toSorted((one, other) => (one < other ? -1 : 1))[Math.floor((known.length - 1) / 2)]
}
