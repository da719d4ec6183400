import { ChainId, Quote } from '@openrfq/sdk'
import { z } from 'zod'

const Count = z.int().min(0)

/** What the orders of a solver on one pair say about it; counts of the last 500 orders of 30 days. */
export const SolverPairSummary = z.object({
  fromChain: ChainId,
  fromToken: z.string(),
  toChain: ChainId,
  toToken: z.string(),
  filled: Count,
  late: Count,
  declined: Count,
  faded: Count,
  /** From 0 to 1, smoothed. */
  fillRate: z.number(),
  /** Null before five fills. */
  medianFillSeconds: z.nullable(Count),
  /** When its block ends, or when the last one ended without a filled order since; null if it is trusted. */
  blockedUntil: z.nullable(Quote.shape.validity.shape.quoteExpiresAt),
})

/** An asset of a solver. */
export const SolverAssetSummary = z.object({ chain: ChainId, token: z.string() })

/** One configured solver; a pair without a counted order is left out. */
export const SolverSummary = z.object({
  name: z.string(),
  address: z.string(),
  connected: z.boolean(),
  inventoryExceedsBalance: z.array(SolverAssetSummary),
  pairs: z.array(SolverPairSummary),
})
export type SolverSummary = z.infer<typeof SolverSummary>

/** The answer of `GET /v1/solvers`. */
export const SolversAnswer = z.object({ solvers: z.array(SolverSummary) })
export type SolversAnswer = z.infer<typeof SolversAnswer>
