import type { BaseUnits } from './amount.ts'
import type { Instant } from './instant.ts'
import type { OrderId } from './intent-order.ts'
import type { QuoteId } from './quote-id.ts'

/** How an order of a solver can end. */
export const SOLVER_OUTCOMES = ['filled', 'late', 'declined', 'faded', 'uncounted'] as const

/**
 * How an order of a solver ended. `filled`: in the first half of the time that the deposit left; `late`: in the second half;
 * `faded`: not by the fill deadline, without a decline; `uncounted`: in a way that says nothing about the solver.
 */
type SolverOutcome = (typeof SOLVER_OUTCOMES)[number]

/** A quoted order of a solver whose deposit was seen. */
export type SolverOrder = {
  readonly orderId: OrderId
  readonly quoteId: QuoteId
  /** The solver's signing address, as the operator lists it. */
  readonly solver: string
  /** The keys of the asset paid and the asset received, joined by a space. */
  readonly pair: string
  readonly depositor: string
  readonly input: BaseUnits
  readonly quotedAt: Instant
}

/** The end of an order. */
export type SolverOrderEnd = {
  readonly outcome: SolverOutcome
  /** When the service learned of it. */
  readonly endedAt: Instant
  /** Seconds from the deposit's block to the fill's block; undefined without a fill. */
  readonly fillSeconds: number | undefined
}

/** An order of a solver that has ended. */
export type EndedSolverOrder = SolverOrder & SolverOrderEnd
