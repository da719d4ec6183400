import type { Catalog } from '../../chains/catalog.ts'
import { powerOfTen } from '../../core/decimal.ts'
import type { Instant } from '../../core/instant.ts'
import { tokenKey } from '../../core/token-key.ts'
import { type PriceSource, USD_DIGITS } from '../../pricing/price-source.ts'
import type { PricedOrder, Solver } from '../solver-api/best-offers.ts'
import type { SolverRecords } from './solver-records.ts'

/** What a solver's record means for its offers. Reads memory only. */
export type OfferGate = {
  /** Whether a solver's offer for so much input is shown: not during a block, and after one for a single small order. */
  readonly isShown: (solver: Solver, order: PricedOrder, input: bigint) => boolean
  /**
   * What to expect of a solver: `fillRate` in millionths, and the median seconds from deposit to fill, undefined before
   * five fills.
   */
  readonly expected: (
    solver: Solver,
    order: PricedOrder,
  ) => { readonly fillRate: number; readonly fillSeconds: number | undefined }
}

type Deps = {
  readonly records: SolverRecords
  readonly prices: PriceSource
  readonly catalog: Pick<Catalog, 'token'>
  readonly now: () => Instant
}

/** The most that the first order after a block is worth, in USD. */
const PROBE_USD = 100n

const pairOf = ({ from, to }: PricedOrder): string => `${tokenKey(from.token)} ${tokenKey(to.token)}`

/** Creates the gate over the solvers' records. */
export const createOfferGate = ({ records, prices, catalog, now }: Deps): OfferGate => {
  /**
   * Whether an order is small enough for a trial. Without a price, the limit is the median input of the solver's orders; a
   * stranger could lower the smallest input.
   */
  const isSmall = (solver: Solver, order: PricedOrder, input: bigint): boolean => {
    const price = prices(order.from.token)
    const decimals = catalog.token(order.from.token.chainId, order.from.token.address)?.decimals
    if (price !== undefined && decimals !== undefined)
      return input * price <= PROBE_USD * powerOfTen(decimals + USD_DIGITS)
    const usual = records.of(solver.address, pairOf(order))?.usualInput
    return usual !== undefined && input <= usual
  }
  return {
    isShown: (solver, order, input) => {
      const standing = records.standing(solver.address, pairOf(order), now())
      return standing === 'trusted' || (standing === 'probed' && isSmall(solver, order, input))
    },
    expected: ({ address }, order) => ({
      fillRate: records.fillRate(address, pairOf(order)),
      fillSeconds: records.of(address, pairOf(order))?.fillSeconds,
    }),
  }
}
