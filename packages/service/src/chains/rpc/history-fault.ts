import type { Instant } from '../../core/instant.ts'
import { createConditionTimer } from '../../lib/condition-timer.ts'
import { rpcErrorCode } from './rpc-error.ts'

/**
 * Why what was read before cannot be continued. `chain_reset`: the chain is another one with the same id;
 * `history_lost`: the endpoints no longer know what follows.
 */
export type HistoryFault = 'chain_reset' | 'history_lost'

/** The fault that a failed read tells, which only the operator can mend; undefined for one that may succeed later. */
export const historyFaultOf = (error: unknown): HistoryFault | undefined => {
  if (rpcErrorCode(error) === 'WRONG_CHAIN') return 'chain_reset'
  const cause = error instanceof Error ? error.cause : undefined
  return [error, cause].some((one) => rpcErrorCode(one) === 'NODE_PRUNED') ? 'history_lost' : undefined
}

/** Follows whether one reader of a chain can continue. */
type HistoryFaults = {
  /** Why the chain cannot be read on until the operator acts; undefined while it can. */
  readonly known: () => HistoryFault | undefined
  /** Notes the error of a read, or none of one that succeeded; returns the fault that this one is the first to prove. */
  readonly note: (error?: unknown) => HistoryFault | undefined
}

/** A node may miss blocks for a moment, while it restarts or after a reorg; no read until then may find them. */
const LOST_AFTER_MS = 10_000

/**
 * Creates the record of a reader's faults; history counts as lost once it was missed ten seconds ago and no read has found it
 * since. Errors of another kind prove nothing, and end nothing.
 */
export const createHistoryFaults = (now: () => Instant): HistoryFaults => {
  const missing = createConditionTimer<'history_lost'>(now)
  let known: HistoryFault | undefined
  return {
    known: () => known,
    note: (error) => {
      const seen = historyFaultOf(error)
      if (error !== undefined && seen === undefined) return undefined
      const missingMs = missing.heldMs('history_lost', seen === 'history_lost')
      const before = known
      known = seen === 'history_lost' && missingMs < LOST_AFTER_MS ? undefined : seen
      return known === before ? undefined : known
    },
  }
}
