import type { OrderId } from '../../core/intent-order.ts'

/** Sums of the live quotes of one client in a position. */
export type ClientSums = { backed: bigint; shared: bigint }

/** One solver's inventory of one asset and what is taken from it; base units. */
export type Position = {
  /** The inventory that the solver last declared; zero while it is not connected. */
  declared: bigint
  /** Fills up to this block are already deducted from `declared`. */
  declaredBlock: number
  /** Sum of the live quotes whose senders hold the input. */
  backed: bigint
  /** Sum of the other live quotes. */
  shared: bigint
  /** Both sums by client, while one is above zero. */
  readonly clients: Map<string, ClientSums>
  /** Sum of the deposited orders, until they are over or their fill is reflected in `declared`. */
  committed: bigint
  /** Filled orders that `declared` does not reflect yet, with the block of each fill. */
  readonly unreported: Map<OrderId, number>
}

export const emptyPosition = (): Position => ({
  declared: 0n,
  declaredBlock: -1,
  backed: 0n,
  shared: 0n,
  clients: new Map(),
  committed: 0n,
  unreported: new Map(),
})

/** What neither a live quote nor a deposited order takes, in base units; negative when the solver declared less since. */
export const freeOf = ({ declared, backed, shared, committed }: Position): bigint =>
  declared - backed - shared - committed
