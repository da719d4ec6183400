import type { Offer } from '../../core/offer.ts'
import type { Order } from '../../core/order.ts'
import type { ValuedOffer } from '../../core/ranking.ts'
import { tokenKey } from '../../core/token-key.ts'
import { isTooGood } from '../../core/too-good.ts'
import type { Log } from '../../lib/log.ts'
import type { Solver } from '../solver-api/best-offers.ts'
import type { Book } from '../solver-api/book.ts'

/** Finds solvers' offers that are too good to be true. */
export type OfferCheck = {
  /**
   * The offers of an answer that must not be shown. The standing quotes that they are priced from leave the book until
   * their solver sends them again. Takes a comparison per offer.
   */
  readonly tooGood: (order: Pick<Order, 'from' | 'to'>, offers: readonly ValuedOffer[]) => ReadonlySet<Offer>
  /** How many offers of each solver were not shown. */
  readonly counts: () => readonly { readonly solver: string; readonly count: number }[]
}

type Deps = {
  readonly solvers: readonly Solver[]
  readonly book: Pick<Book, 'withdraw'>
  /** How much better than all else an offer may be. */
  readonly boundBps: number
  readonly log: Log
}

const NONE: ReadonlySet<Offer> = new Set()

/** Creates the check; it logs for each solver and pair when its offers begin to be too good and when they are not any more. */
export const createOfferCheck = ({ solvers, book, boundBps, log }: Deps): OfferCheck => {
  const counts = new Map(solvers.map(({ name }) => [name, 0]))
  const suspected = new Set<string>()

  const suspect = (pair: string, { name, address }: Solver, { offer }: ValuedOffer): void => {
    counts.set(name, (counts.get(name) ?? 0) + 1)
    const key = `${address} ${pair}`
    if (suspected.has(key)) return
    suspected.add(key)
    const { input, output } = offer
    log('warn', 'offer_too_good', { solver: name, pair, input: `${input}`, output: `${output}` })
  }
  const clear = (pair: string, { name, address }: Solver): void => {
    if (suspected.delete(`${address} ${pair}`)) log('info', 'offer_plausible', { solver: name, pair })
  }
  return {
    tooGood: (order, offers) => {
      const found = new Set<Offer>()
      for (const valued of offers) {
        const solver = valued.offer.reliability?.solver
        if (solver === undefined) continue
        const isBad = isTooGood(valued, offers, boundBps)
        if (!isBad && suspected.size === 0) continue
        const pair = `${tokenKey(order.from.token)} ${tokenKey(order.to.token)}`
        if (isBad) {
          found.add(valued.offer)
          suspect(pair, solver, valued)
          book.withdraw(solver, order)
        } else clear(pair, solver)
      }
      return found.size === 0 ? NONE : found
    },
    counts: () => [...counts].map(([solver, count]) => ({ solver, count })),
  }
}
