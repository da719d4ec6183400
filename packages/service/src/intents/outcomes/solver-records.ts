import { MAX_BASE_UNITS } from '../../core/amount.ts'
import type { Instant } from '../../core/instant.ts'
import type { EndedSolverOrder, SolverOrder } from '../../core/solver-order.ts'
import { fillRateOf, fillSecondsOf, medianOf, newcomerRate, WHOLE_RATE } from './fill-rate.ts'
import { blockAfter, type SolverBlock } from './solver-trust.ts'

/** Whether a solver's offers are shown: `probed` ones for one order of bounded worth, `blocked` ones for none. */
type SolverStanding = 'trusted' | 'probed' | 'blocked'

/** What the orders of a solver on one pair say about it. */
export type SolverRecord = {
  readonly solver: string
  readonly pair: string
  readonly filled: number
  readonly late: number
  readonly declined: number
  readonly faded: number
  /** In millionths, smoothed. */
  readonly fillRate: number
  /** The weighted median of the seconds from deposit to fill; undefined for fewer than five fills. */
  readonly fillSeconds: number | undefined
  /** The median of the inputs of its orders, in base units. */
  readonly usualInput: bigint | undefined
  readonly block: SolverBlock | undefined
}

/** The records of all solvers, in memory. */
export type SolverRecords = {
  /** Adds an order that has ended; one that is known stays as it is. */
  readonly add: (order: EndedSolverOrder) => void
  /** Adds an order whose deposit was seen, until it ends. */
  readonly open: (order: SolverOrder) => void
  /** The record of a solver on a pair; undefined before its first counted order. */
  readonly of: (solver: string, pair: string) => SolverRecord | undefined
  /** The rate that a solver is taken to fill its orders of the pair at, in millionths. */
  readonly fillRate: (solver: string, pair: string) => number
  readonly standing: (solver: string, pair: string, now: Instant) => SolverStanding
  readonly all: () => readonly SolverRecord[]
}

/** Orders of a solver and pair that its record rests on. */
const MOST_ORDERS = 500
const LEAST_FILLS = 5

type Entry = { readonly solver: string; readonly pair: string; readonly orders: EndedSolverOrder[] }

const keyOf = (solver: string, pair: string): string => `${solver} ${pair}`

const byEnd = (one: EndedSolverOrder, other: EndedSolverOrder): number =>
  one.endedAt - other.endedAt || (one.orderId < other.orderId ? -1 : 1)

const recordOf = ({ solver, pair, orders }: Entry): SolverRecord => {
  const count = (outcome: EndedSolverOrder['outcome']): number =>
    orders.filter((order) => order.outcome === outcome).length
  const fills = count('filled') + count('late')
  return {
    solver,
    pair,
    filled: count('filled'),
    late: count('late'),
    declined: count('declined'),
    faded: count('faded'),
    fillRate: fillRateOf(orders, WHOLE_RATE),
    fillSeconds: fills < LEAST_FILLS ? undefined : fillSecondsOf(orders),
    usualInput: medianOf(orders.map(({ input }) => input)),
    block: blockAfter(orders),
  }
}

/** Creates the records, empty; each change costs the work, and reading takes only look-ups. */
export const createSolverRecords = (): SolverRecords => {
  const entries = new Map<string, Entry>()
  const records = new Map<string, SolverRecord>()
  const newcomers = new Map<string, number>()
  const openOrders = new Map<string, SolverOrder>()
  const known = new Set<string>()

  /** Drops the oldest of the smaller half: many small orders must not push out what large ones say. */
  const dropOne = (orders: EndedSolverOrder[]): void => {
    const usual = medianOf(orders.map(({ input }) => input)) ?? MAX_BASE_UNITS
    for (const { orderId } of orders.splice(
      orders.findIndex(({ input }) => input <= usual),
      1,
    ))
      known.delete(orderId)
  }
  const update = (entry: Entry): void => {
    const { solver, pair } = entry
    entry.orders.sort(byEnd)
    if (entry.orders.length > MOST_ORDERS) dropOne(entry.orders)
    records.set(keyOf(solver, pair), recordOf(entry))
    const rates = [...records.values()].filter((one) => one.pair === pair).map(({ fillRate }) => fillRate)
    newcomers.set(pair, newcomerRate(rates))
  }
  const isProbing = (solver: string, pair: string, { until }: SolverBlock): boolean =>
    openOrders
      .values()
      .some((order) => order.solver === solver && order.pair === pair && order.quotedAt >= until)

  return {
    add: (order) => {
      const { orderId, solver, pair, outcome } = order
      openOrders.delete(orderId)
      if (outcome === 'uncounted' || known.has(orderId)) return
      known.add(orderId)
      const key = keyOf(solver, pair)
      const entry = entries.get(key) ?? { solver, pair, orders: [] }
      entries.set(key, entry)
      entry.orders.push(order)
      update(entry)
    },
    open: (order) => {
      if (!known.has(order.orderId)) openOrders.set(order.orderId, order)
    },
    of: (solver, pair) => records.get(keyOf(solver, pair)),
    fillRate: (solver, pair) =>
      records.get(keyOf(solver, pair))?.fillRate ?? newcomers.get(pair) ?? WHOLE_RATE,
    standing: (solver, pair, now) => {
      const block = records.get(keyOf(solver, pair))?.block
      if (block === undefined) return 'trusted'
      return now < block.until || isProbing(solver, pair, block) ? 'blocked' : 'probed'
    },
    all: () => [...records.values()],
  }
}
