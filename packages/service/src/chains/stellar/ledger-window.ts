import { askFor } from '../rpc/ask-for.ts'
import type { RpcAsk } from '../rpc/rpc-members.ts'
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
