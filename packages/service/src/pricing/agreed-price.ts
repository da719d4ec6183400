import type { Instant } from '../core/instant.ts'
import type { UsdPrice } from './price-source.ts'

/** What one source says that a token costs, when that was so, and until when it counts. */
export type PriceReading = {
  readonly price: UsdPrice
  readonly at: Instant
  readonly until: Instant
}

/** When the readings of a token make a price. */
export type PriceBounds = {
  readonly now: Instant
  /** The least number of readings that agree. */
  readonly enough: number
  /** How far readings that agree may be apart, in basis points of the lowest. */
  readonly agreementBps: number
}

/** A price and until when its readings count, or why there is none. */
export type AgreedPrice =
  | { readonly price: UsdPrice; readonly until: Instant }
  | { readonly unpriced: 'stale' | 'conflict' }

const BPS = 10_000n
/** How far ahead of our clock a reading may be dated. */
const CLOCK_LEAD_MS = 60_000

const byPrice = (one: PriceReading, other: PriceReading): number => (one.price < other.price ? -1 : 1)

/** The largest group of readings within the bound of its lowest; the lower of two equally large ones. */
const largestGroup = (sorted: readonly PriceReading[], agreementBps: number): readonly PriceReading[] => {
  let largest: readonly PriceReading[] = []
  for (const [first, lowest] of sorted.entries()) {
    const highest = (lowest.price * (BPS + BigInt(agreementBps))) / BPS
    const group = sorted.slice(first).filter(({ price }) => price <= highest)
    if (group.length > largest.length) largest = group
  }
  return largest
}

/**
 * The median of the readings that count, the lower of two, once more than half of them and at least `enough` agree; so a
 * minority that lies within the bound moves it no further than to an honest reading.
 * Readings that are stale, dated ahead of our clock, or not above zero do not count. `stale` means that too few count,
 * `conflict` that they do not agree.
 */
export const agreedPrice = (
  readings: readonly PriceReading[],
  { now, enough, agreementBps }: PriceBounds,
): AgreedPrice => {
  const counting = readings.filter(
    ({ price, at, until }) => price > 0n && at <= now + CLOCK_LEAD_MS && now <= until,
  )
  if (counting.length < enough || counting.length === 0) return { unpriced: 'stale' }
  const sorted = counting.toSorted(byPrice)
  const group = largestGroup(sorted, agreementBps)
  const median = sorted[(sorted.length - 1) >> 1]
  if (median === undefined || group.length < enough || group.length * 2 <= counting.length)
    return { unpriced: 'conflict' }
  return { price: median.price, until: Math.min(...counting.map(({ until }) => until)) }
}
