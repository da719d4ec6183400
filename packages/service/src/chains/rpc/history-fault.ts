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
