import type { ChainId } from '@openrfq/sdk'
import type { Payment } from '../../core/payment.ts'
import type { RpcWork } from '../rpc/rpc-members.ts'
import type { AssetMovement } from './asset-movement.ts'
import { memosOf, movementsIn, NO_MEMOS, paymentOf, type SeenMovement } from './event-payments.ts'
import type { MemoReader } from './memo-reader.ts'
import type { LedgerEvent } from './rpc-answers.ts'

type Tools = {
  readonly movementOf: (event: LedgerEvent) => AssetMovement | undefined
  readonly memoOf: MemoReader
}

type Listing = {
  readonly chainId: ChainId
  /** Whose payments are listed. */
  readonly accounts: readonly string[]
  readonly events: readonly LedgerEvent[]
}

/**
 * The payments of events as one endpoint tells them. The memo of a payment with a muxed id stands only in its transaction. The
 * reader fetches it for payments by the accounts, because they name their orders in it. For payments to the accounts the muxed id
 * decides, because strangers can make any number of them.
 */
export const listPayments =
  ({ movementOf, memoOf }: Tools, { chainId, accounts, events }: Listing): RpcWork<readonly Payment[]> =>
  async (ask, endpoint) => {
    const seen = movementsIn(events, movementOf)
    const isOwn = ({ movement }: SeenMovement): boolean => accounts.includes(movement.from)
    const memos = await memosOf((txHash) => memoOf(ask, endpoint, txHash), seen.filter(isOwn))
    return seen.map((one) => paymentOf(chainId, one, isOwn(one) ? memos : NO_MEMOS))
  }

/** Payments as the `listPayments` that returned `listed` would return them: without the memo if it did not read that. */
export const asListed =
  (listed: Payment, read: RpcWork<readonly Payment[]>): RpcWork<readonly Payment[]> =>
  async (...asked) =>
    (await read(...asked)).map((payment) =>
      listed.memo === undefined && payment.muxedId !== undefined ? { ...payment, memo: undefined } : payment,
    )
