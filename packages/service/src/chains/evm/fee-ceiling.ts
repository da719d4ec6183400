import type { RpcPool } from '../rpc/rpc-pool.ts'
import { FEE_CALLS, type FeeSuggestion, parseFees } from './head-snapshot.ts'

type Deps = { readonly pool: RpcPool; readonly deadlineMs: number }

/** How many times the price that the endpoints suggest together one of them may suggest alone. */
const TOLERATED_FACTOR = 2n

/**
 * Bounds what one endpoint suggests: a suggestion above twice the last median of all endpoints, and the first one, is
 * replaced by a new median. Transactions are signed at suggested prices, and a chain takes what a sender offers.
 */
export const createFeeCeiling = ({ pool, deadlineMs }: Deps) => {
  let median: FeeSuggestion | undefined
  return async (suggested: FeeSuggestion): Promise<FeeSuggestion> => {
    if (median !== undefined && isTolerable(suggested, median)) return suggested
    const read = await Promise.allSettled(
      pool.workEach(async (ask) => parseFees(await ask(FEE_CALLS)), deadlineMs),
    )
    const all = read.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    // While too few endpoints answer, the last median stays the bound.
    if (all.length < pool.quorum && median !== undefined) return median
    if (all.length === 0) return suggested
    median = {
      tip: lowerMedian(all.map(({ tip }) => tip)),
      gasPrice: lowerMedian(all.map(({ gasPrice }) => gasPrice)),
    }
    return isTolerable(suggested, median) ? suggested : median
  }
}

const isTolerable = (suggested: FeeSuggestion, median: FeeSuggestion): boolean =>
  isWithin(suggested.tip, median.tip) && isWithin(suggested.gasPrice, median.gasPrice)

const isWithin = (suggested: bigint | undefined, median: bigint | undefined): boolean =>
  suggested === undefined || (median !== undefined && suggested <= median * TOLERATED_FACTOR)

/** The middle of the values, the lower one of two; undefined without any. */
const lowerMedian = (values: readonly (bigint | undefined)[]): bigint | undefined => {
  const known = values.filter((value) => value !== undefined).toSorted((one, other) => (one < other ? -1 : 1))
  return known[Math.floor((known.length - 1) / 2)]
}
