import { LedgerWindow } from './rpc-answers.ts'
import type { Ask } from './rpc-endpoint.ts'

const NO_TRANSACTION = '0'.repeat(64)

/**
 * What a node knows of. Asked for through a transaction that does not exist: getLatestLedger would answer with all that
 * is in the ledger, megabytes on the public network, and getHealth does not say when it closed.
 */
export const readWindow = (ask: Ask): Promise<LedgerWindow> =>
  ask('getTransaction', { hash: NO_TRANSACTION }, LedgerWindow)
