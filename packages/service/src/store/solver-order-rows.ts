import { z } from 'zod'
import { UnsignedAmount } from '../core/amount.ts'
import { OrderId } from '../core/intent-order.ts'
import { isQuoteId, type QuoteId } from '../core/quote-id.ts'
import { type EndedSolverOrder, SOLVER_OUTCOMES, type SolverOrder } from '../core/solver-order.ts'
import { parseOrBlame } from './rows.ts'
import type { Sql } from './sql.ts'
import type { Store } from './store.ts'

const Whole = z.coerce.number().int().min(0)
const SolverOrderRow = z.object({
  order_id: OrderId,
  quote_id: z.custom<QuoteId>((value) => typeof value === 'string' && isQuoteId(value)),
  solver: z.string(),
  pair: z.string(),
  depositor: z.string(),
  input_amount: UnsignedAmount,
  quoted_at: Whole,
})
const EndedRow = SolverOrderRow.extend({
  outcome: z.enum(SOLVER_OUTCOMES),
  ended_at: Whole,
  fill_seconds: Whole.nullable(),
})

const decode = (row: z.infer<typeof SolverOrderRow>): SolverOrder => ({
  orderId: row.order_id,
  quoteId: row.quote_id,
  solver: row.solver,
  pair: row.pair,
  depositor: row.depositor,
  input: row.input_amount,
  quotedAt: row.quoted_at,
})

const decodeOpen = (row: unknown): SolverOrder =>
  decode(parseOrBlame("a solver's order", () => SolverOrderRow.parse(row)))

const decodeEnded = (row: unknown): EndedSolverOrder => {
  const stored = parseOrBlame("a solver's ended order", () => EndedRow.parse(row))
  const { outcome, ended_at: endedAt, fill_seconds: fillSeconds } = stored
  return { ...decode(stored), outcome, endedAt, fillSeconds: fillSeconds ?? undefined }
}

type SolverOrderMethods = Pick<
  Store,
  'addSolverOrder' | 'endSolverOrder' | 'listOpenSolverOrders' | 'listEndedSolverOrders'
>

/** The deposited orders of solvers and their ends, over either database. */
export const solverOrderMethods = ({ read, change }: Sql): SolverOrderMethods => ({
  addSolverOrder: async ({ orderId, quoteId, solver, pair, depositor, input, quotedAt }) => {
    const row = [orderId, quoteId, solver, pair, depositor, input.toString(), quotedAt]
    return (await change('addSolverOrder', row)) === 1
  },
  endSolverOrder: async (orderId, { outcome, endedAt, fillSeconds }) =>
    (await change('endSolverOrder', [orderId, outcome, endedAt, fillSeconds ?? null])) === 1,
  listOpenSolverOrders: async (limit, after) =>
    (await read('listOpenSolverOrders', [after ?? '', limit])).map(decodeOpen),
  listEndedSolverOrders: async (since, limit, after) => {
    const place = after === undefined ? [since, ''] : [after.endedAt, after.orderId]
    return (await read('listEndedSolverOrders', [...place, limit])).map(decodeEnded)
  },
})
