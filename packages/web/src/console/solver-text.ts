import type { Quote, SolverSummary } from '@openrfq/sdk'
import { aboutText } from '../shared/text.ts'

type Offered = Pick<Quote, 'backend'> & {
  readonly input: Pick<Quote['input'], 'chain' | 'token'>
  readonly output: Pick<Quote['output'], 'chain' | 'token'>
}

/** Fewer orders do not make a rate: the service smooths it with what it expects of a newcomer. */
const RATED_ORDERS = 20

/** How the solver of a quote kept its word on the quote's pair; undefined for other backends, and while it is not known. */
export const solverText = (
  { backend, input, output }: Offered,
  solvers: readonly SolverSummary[] | undefined,
): string | undefined => {
  if (backend.type !== 'intent') return undefined
  const address = backend.metadata.solver?.address.toLowerCase()
  const solver = solvers?.find((one) => one.address.toLowerCase() === address)
  if (solver === undefined) return undefined
  const pair = solver.pairs.find(
    (one) =>
      one.fromChain === input.chain &&
      one.fromToken === input.token &&
      one.toChain === output.chain &&
      one.toToken === output.token,
  )
  if (pair === undefined) return 'This solver has had no order on this pair yet.'
  const { filled, late, declined, faded, fillRate, medianFillSeconds } = pair
  const orders = filled + late + declined + faded
  const median = medianFillSeconds === null ? '' : `, typically in ${aboutText(medianFillSeconds)}`
  const rate = orders < RATED_ORDERS ? '' : ` (weighted by amount: ${Math.floor(fillRate * 100)} %)`
  return `Filled ${filled + late} of ${orders} orders on this pair${rate}${median}.`
}
