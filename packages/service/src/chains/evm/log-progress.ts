import type { EvmBlockLog } from './evm-chain.ts'

/** A log that a watcher found; `position` is its index among the block's logs, the timestamp its block's. */
export type WatchedLog = EvmBlockLog & { readonly timestampSeconds: number }

/** A final block whose logs, and those of all blocks before it, have been handed over. */
export type LogCursor = { readonly blockNumber: bigint; readonly blockHash: string }

/**
 * What a watcher learned, in order. Logs are `seen` when they stand in a block that is not final, and `removed` when that
 * block left the chain; `final` holds the logs of all blocks after the previous cursor up to this one, seen before or not.
 */
export type LogProgress =
  | { readonly kind: 'seen' | 'removed'; readonly logs: readonly WatchedLog[] }
  | {
      readonly kind: 'final'
      readonly cursor: LogCursor
      /** Of the cursor's block, in seconds since the Unix epoch. */
      readonly timestampSeconds: number
      readonly logs: readonly WatchedLog[]
    }
