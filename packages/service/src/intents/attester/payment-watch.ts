import type { ChainId } from '@openrfq/sdk'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import type { Instant } from '../../core/instant.ts'
import { OrderId } from '../../core/intent-order.ts'
import type { Payment } from '../../core/payment.ts'
import type { Log } from '../../lib/log.ts'
import type { Store } from '../../store/store.ts'
import { cursorOf, findStart, isBeyondChain, type Reached } from '../payment-cursor.ts'

/** A final payment by a filler that names an order and is not processed yet. */
export type PendingPayment = { readonly orderId: OrderId; readonly payment: Payment }

/** Follows the fillers' payments on one payment chain. */
export type PaymentWatch = {
  readonly chainId: ChainId
  /** Reads the next payments. Rejects if the chain or the store cannot be read. */
  readonly read: () => Promise<void>
  readonly pending: () => readonly PendingPayment[]
  /** Marks the payment as processed. */
  readonly settle: (pending: PendingPayment) => void
}

type Deps = {
  readonly paymentChain: Pick<PaymentChain, 'chainId' | 'head' | 'readPayments' | 'timeOf'>
  /** The accounts from which solvers pay. */
  readonly fillers: readonly string[]
  /**
   * The slot or ledger to start after if no cursor is stored, or the chain does not have it; undefined for the newest
   * final one.
   */
  readonly startAfter: number | undefined
  readonly store: Pick<Store, 'findCursor' | 'savePayments' | 'newestConfirmedPayment'>
  readonly now: () => Instant
  readonly log: Log
}

/** Limit of pending payments per filler, so that one filler's flood affects only itself. */
const MAXIMUM_PENDING = 2_000
const SAVE_EVERY_MS = 1_000

type Waiting = { readonly pending: PendingPayment; readonly after: Reached }

const keyOf = ({ txHash, position }: Payment): string => `${txHash} ${position}`

/** Stores only the cursor before the oldest pending payment; after a restart the payments are read again from there. */
export const createPaymentWatch = (deps: Deps): PaymentWatch => {
  const { paymentChain, fillers, startAfter, store, now, log } = deps
  const { chainId } = paymentChain
  const waiting = new Map<string, Waiting>()
  let cursor: Reached | undefined
  let saved: Reached | undefined
  let savedAt = Number.NEGATIVE_INFINITY

  const start = (): Promise<Reached> =>
    findStart({
      chain: paymentChain,
      startAfter: startAfter === undefined ? undefined : BigInt(startAfter),
      readAfter: undefined,
      store,
      log,
    })

  const take = (payment: Payment, after: Reached): void => {
    const orderId = OrderId.safeParse(payment.memo)
    if (!orderId.success || !fillers.includes(payment.from)) return
    const own = [...waiting.values()].filter(({ pending }) => pending.payment.from === payment.from)
    if (own.length >= MAXIMUM_PENDING) {
      log('error', 'too_many_pending_payments', {
        chainId,
        filler: payment.from,
        txHash: payment.txHash,
      })
      return
    }
    waiting.set(keyOf(payment), { pending: { orderId: orderId.data, payment }, after })
  }

  const save = async (last: Reached): Promise<void> => {
    const afters = [...waiting.values()].map(({ after }) => after)
    const safe = afters.reduce((least, after) => (after.number < least.number ? after : least), last)
    if (safe.number === saved?.number || (saved !== undefined && now() - savedAt < SAVE_EVERY_MS)) return
    await store.savePayments(chainId, cursorOf(safe), [])
    saved = safe
    savedAt = now()
  }

  const readFrom = async (after: Reached): Promise<void> => {
    const { upTo, upToTimestampSeconds, final } = await paymentChain.readPayments(fillers, after.number)
    for (const payment of final) take(payment, after)
    cursor = upTo > after.number ? { number: upTo, seconds: upToTimestampSeconds } : after
    await save(cursor)
  }

  return {
    chainId,
    read: async () => {
      cursor ??= await start()
      try {
        await readFrom(cursor)
      } catch (error) {
        if (isBeyondChain(paymentChain.head(), cursor)) cursor = undefined
        throw error
      }
    },
    pending: () => [...waiting.values()].map(({ pending }) => pending),
    settle: ({ payment }) => {
      waiting.delete(keyOf(payment))
    },
  }
}
