import * as z from 'zod/mini'
import { Timestamp } from './amount.ts'
import { ChainId } from './chain.ts'

const Count = z.int().check(z.minimum(0))

/**
 * How the last orders of a solver on one pair ended: at most 500, of 30 days. `fillRate` is the part that it fills, from 0 to 1,
 * smoothed; `medianFillSeconds` is null before five fills.
 * @example
 * const ordersOf = ({ filled, late, declined, faded }: SolverPairSummary): number => filled + late + declined + faded
 */
export const SolverPairSummary = z.object({
  fromChain: ChainId,
  fromToken: z.string(),
  toChain: ChainId,
  toToken: z.string(),
  filled: Count,
  late: Count,
  declined: Count,
  faded: Count,
  fillRate: z.number(),
  medianFillSeconds: z.nullable(Count),
  /** When its block ends, or when the last one ended without a filled order since; null if it is trusted. */
  blockedUntil: z.nullable(Timestamp),
})
export type SolverPairSummary = z.infer<typeof SolverPairSummary>

/**
 * An asset that a solver pays.
 * @example
 * const nameOf = ({ chain, token }: SolverAssetSummary): string => `${token} on ${chain}`
 */
export const SolverAssetSummary = z.object({ chain: ChainId, token: z.string() })
export type SolverAssetSummary = z.infer<typeof SolverAssetSummary>

/**
 * A solver that may quote intents, and its records; a pair without a counted order is left out.
 * @example
 * const solvers: readonly SolverSummary[] = await createClient({ baseUrl: 'https://rfq.example' }).getSolvers()
 * const present = solvers.filter(({ connected }) => connected)
 */
export const SolverSummary = z.object({
  name: z.string(),
  address: z.string(),
  connected: z.boolean(),
  inventoryExceedsBalance: z.array(SolverAssetSummary),
  pairs: z.array(SolverPairSummary),
})
export type SolverSummary = z.infer<typeof SolverSummary>

/**
 * The answer of `GET /v1/solvers`.
 * @example
 * const namesOf = ({ solvers }: SolversAnswer): readonly string[] => solvers.map(({ name }) => name)
 */
export const SolversAnswer = z.object({ solvers: z.array(SolverSummary) })
export type SolversAnswer = z.infer<typeof SolversAnswer>
