import type { SolverSummary } from '@openrfq/sdk'
import type { LabelledCount, Metrics } from '../http/metrics.ts'

/** Shows how the orders of each solver ended, over all its pairs. */
export const watchSolvers = (metrics: Metrics, list: () => readonly SolverSummary[]): void => {
  metrics.watchValues(
    'openrfq_solver_exceeded_balances',
    'Assets that a solver declares beyond what its account holds.',
    ['solver'],
    () =>
      list().map(({ name: solver, inventoryExceedsBalance: { length: count } }) => {
        return { labels: { solver }, count }
      }),
  )
  const bySolver = (count: (pairs: SolverSummary['pairs']) => number) => (): readonly LabelledCount[] =>
    list().map(({ name: solver, pairs }) => ({ labels: { solver }, count: count(pairs) }))
  metrics.watchValues(
    'openrfq_solver_fill_rate',
    "The smoothed part of a solver's orders that it fills, on the worst of its pairs.",
    ['solver'],
    bySolver((pairs) => Math.min(1, ...pairs.map(({ fillRate }) => fillRate))),
  )
  metrics.watchValues(
    'openrfq_solver_remembered_fades',
    'Orders of the last 30 days that a solver declined or did not fill in time.',
    ['solver'],
    bySolver((pairs) => pairs.reduce((sum, { declined, faded }) => sum + declined + faded, 0)),
  )
  metrics.watchValues(
    'openrfq_solver_median_fill_seconds',
    'The median seconds from deposit to fill, on the slowest pair of a solver; 0 before five fills.',
    ['solver'],
    bySolver((pairs) => Math.max(0, ...pairs.map(({ medianFillSeconds }) => medianFillSeconds ?? 0))),
  )
  metrics.watchValues(
    'openrfq_solver_blocked_pairs',
    'Pairs on which a solver is blocked, or has not filled an order since its block.',
    ['solver'],
    bySolver((pairs) => pairs.filter(({ blockedUntil }) => blockedUntil !== null).length),
  )
}
