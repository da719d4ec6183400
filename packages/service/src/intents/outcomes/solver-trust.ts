import type { Instant } from '../../core/instant.ts'
import type { EndedSolverOrder } from '../../core/solver-order.ts'
import { backoffMs } from '../../lib/backoff.ts'

/** A block of a solver on one pair: it ends at `until`, and for good with the first order filled after that. */
export type SolverBlock = { readonly until: Instant }

/** Failed orders in a row that block a solver. */
const FADES_BEFORE_BLOCK = 3
const BLOCKS = { firstMs: 600_000, maximumMs: 86_400_000 }
/** Filled orders in a row after which the next block is the shortest again. */
const CALM_FILLS = 20

type Trust = {
  /** Failed orders in a row. */
  readonly fades: number
  readonly fills: number
  readonly blocks: number
  readonly block: SolverBlock | undefined
}

const START: Trust = { fades: 0, fills: 0, blocks: 0, block: undefined }

const blocked = ({ blocks }: Trust, at: Instant): Trust => ({
  fades: 0,
  fills: 0,
  blocks: blocks + 1,
  block: { until: at + backoffMs(BLOCKS, blocks + 1) },
})

const afterFade = (trust: Trust, { quotedAt, endedAt }: EndedSolverOrder): Trust => {
  // An order quoted before the block ended is not its probe.
  if (trust.block !== undefined) return quotedAt < trust.block.until ? trust : blocked(trust, endedAt)
  const fades = trust.fades + 1
  return fades < FADES_BEFORE_BLOCK ? { ...trust, fades, fills: 0 } : blocked(trust, endedAt)
}

const afterFill = (trust: Trust, { quotedAt }: EndedSolverOrder): Trust => {
  if (trust.block !== undefined && quotedAt < trust.block.until) return trust
  const fills = trust.fills + 1
  return { fades: 0, fills, blocks: fills < CALM_FILLS ? trust.blocks : 0, block: undefined }
}

/**
 * The block of a solver on a pair after its counted orders, in the order of their ends; undefined if it is not blocked.
 * Three failed orders in a row block it for ten minutes; each further block is twice as long, up to a day.
 */
export const blockAfter = (orders: readonly EndedSolverOrder[]): SolverBlock | undefined => {
  let trust = START
  for (const order of orders)
    trust =
      order.outcome === 'filled' || order.outcome === 'late'
        ? afterFill(trust, order)
        : afterFade(trust, order)
  return trust.block
}
