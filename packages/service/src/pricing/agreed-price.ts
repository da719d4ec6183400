import type { Instant } from '../core/instant.ts'
import { USD_DIGITS, type UsdPrice } from './price-source.ts'

/** What one source says that a token costs, when that was so, and until when it counts. */
export type PriceReading = {
  readonly price: UsdPrice
  readonly at: Instant
  readonly until: Instant
}

/** A reading and the server or chain that could forge it. */
export type SourcedReading = PriceReading & { readonly origin: string }

/** When the readings of a token make a price. */
export type PriceBounds = {
  readonly now: Instant
  /** The least number of sources that agree. */
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

/** A trillion USD: nothing costs more. */
const MOST = 10n ** BigInt(12 + USD_DIGITS)

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

/** The lower median. */
const medianOf = (sorted: readonly PriceReading[]): PriceReading | undefined =>
  sorted[(sorted.length - 1) >> 1]

/** What one origin says; undefined while its readings are apart. */
const readingOfOne = (own: readonly PriceReading[], agreementBps: number): PriceReading | undefined => {
  const sorted = own.toSorted(byPrice)
  return largestGroup(sorted, agreementBps).length === own.length ? medianOf(sorted) : undefined
}

/**
 * The median of the sources that count, the lower of two, once more than half of them and at least `enough` agree; so a
 * minority that lies within the bound moves it no further than to an honest reading. A source is one origin: it has the
 * lower median of its readings, or no price while they are apart.
 * Readings that are stale, dated ahead of our clock, not above zero, or above what anything costs do not count. `stale` means that too few count,
 * `conflict` that they do not agree.
 */
export const agreedPrice = (
  readings: readonly SourcedReading[],
  { now, enough, agreementBps }: PriceBounds,
): AgreedPrice => {
  const counting = readings.filter(
    ({ price, at, until }) => price > 0n && price <= MOST && at <= now + CLOCK_LEAD_MS && now <= until,
  )
  const sources = [...Map.groupBy(counting, ({ origin }) => origin).values()]
  if (sources.length < enough || sources.length === 0) return { unpriced: 'stale' }
  const sorted = sources.flatMap((own) => readingOfOne(own, agreementBps) ?? []).toSorted(byPrice)
  const group = largestGroup(sorted, agreementBps)
  const median = medianOf(sorted)
  if (median === undefined || group.length < enough || group.length * 2 <= sources.length)
    return { unpriced: 'conflict' }
  return { price: median.price, until: Math.min(...counting.map(({ until }) => until)) }
}
