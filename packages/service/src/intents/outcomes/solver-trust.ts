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
  /** The input of the largest failed order that later fills do not make up for yet; zero if there is none. */
  readonly missed: bigint
  /** Filled orders since the last failed one, and the sum of their inputs. */
  readonly fills: number
  readonly filled: bigint
  readonly blocks: number
  readonly block: SolverBlock | undefined
}

const START: Trust = { fades: 0, missed: 0n, fills: 0, filled: 0n, blocks: 0, block: undefined }

const blocked = (trust: Trust, at: Instant): Trust => ({
  ...trust,
  fades: 0,
  blocks: trust.blocks + 1,
  block: { until: at + backoffMs(BLOCKS, trust.blocks + 1) },
})

const afterFade = (before: Trust, { quotedAt, endedAt, input }: EndedSolverOrder): Trust => {
  // An order quoted before the block ended is not its probe.
  if (before.block !== undefined && quotedAt < before.block.until) return before
  const missed = input > before.missed ? input : before.missed
  const trust = { ...before, missed, fades: before.fades + 1, fills: 0, filled: 0n }
  return trust.block !== undefined || trust.fades >= FADES_BEFORE_BLOCK ? blocked(trust, endedAt) : trust
}

const afterFill = (trust: Trust, { quotedAt, input }: EndedSolverOrder): Trust => {
  if (trust.block !== undefined && quotedAt < trust.block.until) return trust
  const fills = trust.fills + 1
  const filled = trust.filled + input
  const isMadeUp = filled >= trust.missed
  return {
    fades: isMadeUp ? 0 : trust.fades,
    missed: isMadeUp ? 0n : trust.missed,
    fills,
    filled,
    blocks: isMadeUp && fills >= CALM_FILLS ? 0 : trust.blocks,
    block: undefined,
  }
}

/**
 * The block of a solver on a pair after its counted orders, in the order of their ends; undefined if it is not blocked.
 * Three failed orders in a row block it for ten minutes; each further block is twice as long, up to a day. Fills end a row
 * once their inputs add up to its largest order, so that a solver cannot pay with small orders for failing large ones.
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
