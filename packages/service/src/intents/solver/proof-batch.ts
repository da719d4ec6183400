import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { Settlement } from './config.ts'

/** A final fill that is not repaid yet. */
export type ProvableFill = {
  readonly orderId: OrderId
  readonly order: IntentOrder
  /** When its finality was seen. */
  readonly filledAt: Instant
  /** Proofs sent for it, and when the last one was sent. */
  readonly proofs: number
  readonly provedAt: Instant | undefined
}

/** Orders of one direction proven by one transaction; `round` counts their earlier proofs. */
export type ProofBatch = {
  readonly originChain: ChainId
  readonly destinationChain: ChainId
  readonly round: number
  readonly fills: readonly ProvableFill[]
}

const isDue = (fill: ProvableFill, { proofStallSeconds }: Settlement, now: Instant): boolean =>
  fill.provedAt === undefined || now - fill.provedAt >= proofStallSeconds * 1000

/**
 * The proofs to send now: per direction and round, all full batches, and a smaller last one once its oldest fill has
 * waited long enough. A proven fill is proven again only if its proof has stalled.
 */
export const batchesDue = (
  fills: readonly ProvableFill[],
  settlement: Settlement,
  now: Instant,
): readonly ProofBatch[] => {
  const due = fills
    .filter((fill) => isDue(fill, settlement, now))
    .toSorted((one, other) => one.filledAt - other.filledAt)
  const groups = Map.groupBy(
    due,
    ({ order, proofs }) => `${order.destinationChain} ${order.originChain} ${proofs}`,
  )
  return [...groups.values()].flatMap((group) => splitBatches(group, settlement, now))
}

const splitBatches = (
  group: readonly ProvableFill[],
  { batchSize, batchWaitMs }: Settlement,
  now: Instant,
): readonly ProofBatch[] => {
  const batches: ProofBatch[] = []
  for (let start = 0; start < group.length; start += batchSize) {
    const fills = group.slice(start, start + batchSize)
    const [oldest] = fills
    if (oldest === undefined) continue
    if (fills.length < batchSize && now - oldest.filledAt < batchWaitMs) continue
    const { originChain, destinationChain } = oldest.order
    batches.push({ originChain, destinationChain, round: oldest.proofs, fills })
  }
  return batches
}
