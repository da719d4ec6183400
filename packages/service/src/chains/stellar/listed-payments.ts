import type { ChainId } from '@openrfq/sdk'
import type { Payment } from '../../core/payment.ts'
import type { RpcWork } from '../rpc/rpc-members.ts'
import type { AssetMovement } from './asset-movement.ts'
import { memosOf, movementsIn, paymentOf, type SeenMovement } from './event-payments.ts'
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

const NO_MEMOS: ReadonlyMap<string, string | undefined> = new Map()

/**
 * The payments of events as one endpoint tells them. A memo beside a muxed id, which only the transaction tells, decides
 * nothing about a payment to the accounts, of which anybody can make any number; it names what the accounts themselves pay.
 */
export const listPayments =
  ({ movementOf, memoOf }: Tools, { chainId, accounts, events }: Listing): RpcWork<readonly Payment[]> =>
  async (ask, endpoint) => {
    const seen = movementsIn(events, movementOf)
    const isOwn = ({ movement }: SeenMovement): boolean => accounts.includes(movement.from)
    const memos = await memosOf((txHash) => memoOf(ask, endpoint, txHash), seen.filter(isOwn))
    return seen.map((one) => paymentOf(chainId, one, isOwn(one) ? memos : NO_MEMOS))
  }

/** Payments as `listPayments` tells them to whoever lists what `listed` is among: without a memo where that was not read. */
export const asListed =
  (listed: Payment, read: RpcWork<readonly Payment[]>): RpcWork<readonly Payment[]> =>
  async (...asked) =>
    (await read(...asked)).map((payment) =>
      listed.memo === undefined && payment.muxedId !== undefined ? { ...payment, memo: undefined } : payment,
    )
