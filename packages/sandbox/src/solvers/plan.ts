import type { IntentTerms } from 'openrfq/network'
import type { z } from 'zod'
import { type SandboxKey, SOLVERS } from '../keys.ts'

/** A solver of the sandbox, with its margin on every output in bps. */
export type SolverPlan = SandboxKey & {
  readonly name: string
  readonly spreadBps: number
  readonly sizeSpreadBps: number
}

const MARGINS = [
  { name: 'Reference Solver One', spreadBps: 4, sizeSpreadBps: 40 },
  { name: 'Reference Solver Two', spreadBps: 9, sizeSpreadBps: 20 },
] as const

/** Two solvers with different prices: the first is cheaper for all but the largest orders. */
export const SOLVER_PLANS: readonly SolverPlan[] = SOLVERS.flatMap((key, index) => {
  const margins = MARGINS[index]
  return margins === undefined ? [] : [{ ...key, ...margins }]
})

/** How long an intent binds, in whole seconds. */
export type IntentSeconds = Required<
  Pick<z.input<typeof IntentTerms>, 'quoteLifetimeSeconds' | 'fillWindowSeconds' | 'refundDelaySeconds'>
> &
  Pick<z.input<typeof IntentTerms>, 'depositGraceSeconds'>

/** Short enough to watch a refund, long enough to sign by hand. */
export const SANDBOX_SECONDS: IntentSeconds = {
  quoteLifetimeSeconds: 30,
  fillWindowSeconds: 15,
  refundDelaySeconds: 10,
  depositGraceSeconds: 5,
}
