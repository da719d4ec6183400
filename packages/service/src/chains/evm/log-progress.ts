import type { WatchedLog } from './evm-chain.ts'

/** A final block; the watcher has passed all logs up to it to its listener. */
export type LogCursor = {
  readonly blockNumber: bigint
  /** Empty for a start that the operator names by its number only. */
  readonly blockHash: string
  /** The block's time in seconds since the Unix epoch; undefined in cursors of earlier versions. */
  readonly timestampSeconds?: number | undefined
  /** The hash of the chain's first block, if its endpoints tell it. */
  readonly genesisHash?: string | undefined
}

/**
 * Progress of a watcher, in order. `seen`: logs of blocks that are not final; `removed`: logs of blocks that left the
 * chain; `final`: logs of all blocks after the previous cursor up to this one, seen before or not, and with an unchanged
 * cursor those of earlier blocks that endpoints had hidden.
 */
export type LogProgress =
  | { readonly kind: 'seen' | 'removed'; readonly logs: readonly WatchedLog[] }
  | {
      readonly kind: 'final'
      readonly cursor: LogCursor
      /** The cursor block's timestamp, in seconds since the Unix epoch. */
      readonly timestampSeconds: number
      readonly logs: readonly WatchedLog[]
    }
