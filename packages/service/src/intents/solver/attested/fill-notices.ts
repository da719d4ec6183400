import type { Instant } from '../../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../../core/intent-order.ts'
import { backoffMs } from '../../../lib/backoff.ts'
import type { Claim, Store } from '../../../store/store.ts'
import { orderKeys } from '../order-keys.ts'

/** Names the transactions of fills on payment chains to the service, which searches no account for them. */
export type FillNotices = {
  /**
   * Names the fill until the service knows it, at most for a week after everybody can refund the order; false if too
   * many others are named.
   */
  readonly add: (fill: Claim) => boolean
  /** The service knows the fill. */
  readonly known: (orderId: OrderId) => void
  /** Sends the messages whose turn it is; rejects only if the store fails. */
  readonly round: () => Promise<void>
}

type Deps = {
  /** False if the message was not sent. */
  readonly sayFilled: (order: IntentOrder, transaction: string) => boolean
  readonly store: Pick<Store, 'findPayout'>
  readonly now: () => Instant
  readonly steady: () => Instant
}

type Notice = Claim & { readonly nextAt: Instant; readonly said: number }

const MAX_NOTICES = 10_000
/** Of ten messages a second that the service takes, most are for quotes. */
const MAX_A_ROUND = 4
const RETRY = { firstMs: 1_000, maximumMs: 60_000 }
/** As long as the service sends the order; without the name of its fill the service cannot repay the solver. */
const KEPT_MS = 604_800_000

/** Creates the notices, in memory: after a restart the service sends the orders again whose fills it does not know. */
export const createFillNotices = ({ sayFilled, store, now, steady }: Deps): FillNotices => {
  const notices = new Map<OrderId, Notice>()
  const transactionOf = async ({ orderId, fillTxHash }: Claim): Promise<string | undefined> =>
    fillTxHash ?? (await store.findPayout(orderKeys(orderId).fill))?.txHash

  const say = async (notice: Notice): Promise<void> => {
    const transaction = await transactionOf(notice)
    if (transaction === undefined || now() > notice.order.refundAfter * 1000 + KEPT_MS) {
      notices.delete(notice.orderId)
      return
    }
    const said = sayFilled(notice.order, transaction) ? notice.said + 1 : notice.said
    const next = { ...notice, said, nextAt: steady() + backoffMs(RETRY, Math.max(said, 1)) }
    if (notices.has(notice.orderId)) notices.set(notice.orderId, next)
  }
  return {
    add: (fill) => {
      if (notices.has(fill.orderId)) return true
      if (notices.size >= MAX_NOTICES) return false
      notices.set(fill.orderId, { ...fill, nextAt: steady(), said: 0 })
      return true
    },
    known: (orderId) => void notices.delete(orderId),
    round: async () => {
      const due = [...notices.values()]
        .filter(({ nextAt }) => nextAt <= steady())
        .sort((one, other) => one.nextAt - other.nextAt)
      for (const notice of due.slice(0, MAX_A_ROUND)) await say(notice)
    },
  }
}
