import { askFor } from '../rpc/ask-for.ts'
import { reachedByQuorum } from '../rpc/quorum.ts'
import type { RpcAsk } from '../rpc/rpc-members.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { LedgerWindow } from './rpc-answers.ts'

const NO_TRANSACTION = '0'.repeat(64)

/**
 * The range of ledgers that a node retains. Queried through a transaction that does not exist: getLatestLedger would
 * return the whole ledger, megabytes on the public network, and getHealth does not report its close time.
 */
export const readWindow = async (ask: RpcAsk): Promise<LedgerWindow> => {
  const window = await askFor(
    ask,
    { method: 'getTransaction', params: { hash: NO_TRANSACTION } },
    LedgerWindow,
  )
  ask.checkTime(window.latestLedgerCloseTime)
  return window
}

/** Reads the oldest ledger that a quorum of endpoints retain. Rejects if fewer answer. */
export const createOldestReader =
  ({ pool, deadlineMs }: { readonly pool: RpcPool; readonly deadlineMs: number }) =>
  async (): Promise<bigint> => {
    const windows = await Promise.allSettled(pool.workEach(readWindow, deadlineMs))
    const depths = windows.flatMap((answer) =>
      answer.status === 'fulfilled' ? [-BigInt(answer.value.oldestLedger)] : [],
    )
    return -reachedByQuorum(depths, pool.quorum)
  }
