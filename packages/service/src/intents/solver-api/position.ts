import type { OrderId } from '../../core/intent-order.ts'

/** Sums of the live quotes of one client in a position. */
export type ClientSums = { backed: bigint; shared: bigint }

/** A balance in base units, with all fills up to the block deducted. */
export type Balance = { readonly amount: bigint; readonly block: number }

/** The block of an order's fill, and whether `filled` told that it is final. */
export type Fill = { readonly block: number; readonly isFinal: boolean }

/** One solver's inventory of one asset and what is taken from it; base units. */
export type Position = {
  /** The inventory that the solver last declared; zero while it is not connected. */
  declared: bigint
  /** Fills up to this block are already deducted from `declared`. */
  declaredBlock: number
  /** What the solver's account holds on the chain as of a block; undefined until it has been read. */
  balance: (Balance & { /** Steady milliseconds. */ readonly readAt: number }) | undefined
  /**
   * The most that was declared since the oldest committed order, without the filled orders that are over. Fills that are not
   * final are added to `declared` up to this.
   */
  declaredBefore: bigint
  /** What counts of `declared` with the fills that it reflects already: no more than the account held before its fills. */
  covered: bigint
  /** Sum of the live quotes whose senders hold the input. */
  backed: bigint
  /** Sum of the other live quotes. */
  shared: bigint
  /** Both sums by client, while one is above zero. */
  readonly clients: Map<string, ClientSums>
  /** Sum of the deposited orders, until they are over or their fill is reflected in `declared`. */
  committed: bigint
  /** Sum of all orders committed since the start. */
  taken: bigint
  /** The fills of deposited orders that are not final, or that `declared` does not reflect yet. */
  readonly fills: Map<OrderId, Fill>
}

export const emptyPosition = (): Position => ({
  declared: 0n,
  declaredBlock: -1,
  balance: undefined,
  declaredBefore: 0n,
  covered: 0n,
  backed: 0n,
  shared: 0n,
  clients: new Map(),
  committed: 0n,
  taken: 0n,
  fills: new Map(),
})

/** What no deposited order takes, in base units; negative when the solver declared less since. */
export const unowedOf = ({ covered, committed }: Position): bigint => covered - committed
