import type { ChainId } from '@openrfq/sdk'
import type { PaymentSearch } from '../absence-statements.ts'
import type { PaymentAbsence } from '../payment-chain.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { AssetMovement } from './asset-movement.ts'
import type { ClassicEventsProof } from './classic-events.ts'
import {
  type EventsPlace,
  expectProgress,
  filtersBetween,
  isNewest,
  ledgerOfCursor,
  readEventPage,
} from './event-pages.ts'
import { memosOf, movementsIn, NO_MEMOS, paymentOf, type SeenMovement } from './event-payments.ts'
import { readWindow } from './ledger-window.ts'
import type { MemoReader } from './memo-reader.ts'
import type { LedgerEvent } from './rpc-answers.ts'
import type { StellarSdk } from './sdk.ts'

type Deps = {
  readonly chainId: ChainId
  readonly classicEvents: Pick<ClassicEventsProof, 'expectShown'>
  readonly load: () => Promise<{
    readonly sdk: StellarSdk
    readonly movementOf: (event: LedgerEvent) => AssetMovement | undefined
    readonly memoOf: MemoReader
  }>
}

const nextLedgerOf = (place: EventsPlace): number =>
  'cursor' in place ? ledgerOfCursor(place.cursor) : place.startLedger

/**
 * Searches the events between the two accounts, oldest first: only the payer makes them, so that no stranger can make the search
 * long. Memos are read of payments that fit in everything else. Source: CAP-67, Stellar RPC getEvents.
 */
export const createPaymentSearch = ({ chainId, load, classicEvents }: Deps): PaymentSearch<EventsPlace> =>
  async function* (absence: PaymentAbsence, { ask, endpoint, place: kept, start }) {
    await classicEvents.expectShown(ask, endpoint)
    const { sdk, movementOf, memoOf } = await load()
    const filters = filtersBetween(sdk, absence.from, absence.to?.account)
    const begin = async (): Promise<EventsPlace> => ({ startLedger: Number(await start()) + 1 })
    let place = kept ?? (await begin())

    const { oldestLedger, latestLedger } = await readWindow(ask)
    if (nextLedgerOf(place) < oldestLedger)
      throw new RpcError('NODE_PRUNED', `the node knows ledgers from ${oldestLedger} on`)
    if (nextLedgerOf(place) > latestLedger)
      throw new RpcError(
        'NODE_BEHIND',
        `payments after ledger ${latestLedger} are wanted, the node ends there`,
      )

    /** With the sought memo where it is not read yet. */
    const canBe = (seen: SeenMovement): boolean => {
      if (absence.memo === undefined) return true
      const payment = paymentOf(chainId, seen, NO_MEMOS)
      return absence.isSought({ ...payment, memo: payment.memo ?? absence.memo })
    }
    for (;;) {
      const page = await readEventPage(ask, filters, place)
      const seen = movementsIn(page.events, movementOf).filter(canBe)
      const memos = await memosOf((txHash) => memoOf(ask, endpoint, txHash), seen)
      if (seen.some((one) => absence.isSought(paymentOf(chainId, one, memos)))) return 'found'
      if (isNewest(page)) {
        ask.checkTime(page.latestLedgerCloseTime)
        if (page.latestLedgerCloseTime > absence.untilSeconds) return 'absent'
        yield { cursor: page.cursor }
        throw new RpcError(
          'NODE_BEHIND',
          `payments until ${absence.untilSeconds} are wanted, the node is behind`,
        )
      }
      place = { cursor: expectProgress(page, place) }
      yield place
    }
  }
