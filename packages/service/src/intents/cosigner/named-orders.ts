import type { Instant } from '../../core/instant.ts'
import type { OrderId } from '../../core/intent-order.ts'
import type { Payment } from '../../core/payment.ts'
import { isReferenceOf, quotedAt } from '../settlers/deposit-reference.ts'
import type { CosignerDeps } from './vault-to-sign.ts'

type Deps = Pick<CosignerDeps, 'store' | 'now'>

/** How long after a ledger's close an order may be named that was deposited in it; the first name alone has this margin. */
const LATE_MS = 5_000
/** Orders are named while their quotes are new, by clocks that differ a little. */
const OLDEST_QUOTE_MS = 60_000
const NEWEST_QUOTE_MS = 15_000
/** Longer than any order lasts. */
const KEPT_MS = 45 * 86_400_000
const FORGET_EVERY_MS = 3_600_000
/** An attacker with the service's key has to guess 16 bits and a millisecond of each quote. */
const MOST_PER_SECOND = 2_000

/** How a muxed id is bound: to the order that was named first, `contested` by another name before the deposit, or to none. */
export type Binding =
  | { readonly kind: 'one'; readonly orderId: OrderId; readonly isContested: boolean }
  | { readonly kind: 'none' }

/** Whether a deposit's muxed id can be that of an order which was quoted shortly before. */
export const canBeOfOrder = (
  muxedId: bigint,
  { timestampSeconds }: Pick<Payment, 'timestampSeconds'>,
): boolean => {
  const age = timestampSeconds * 1000 - quotedAt(muxedId)
  return age > -NEWEST_QUOTE_MS - LATE_MS && age < KEPT_MS
}

/**
 * Which order a deposit was made for. The 64 bits of a muxed id hold 16 of the order's id, so that other orders with the same
 * muxed id are found at once; the service therefore names every order before anybody can deposit for it.
 */
export const createNamedOrders = ({ store, now }: Deps) => {
  let second = 0
  let named = 0
  let forgotAt: Instant = 0

  const mayName = (muxedId: bigint): boolean => {
    const age = now() - quotedAt(muxedId)
    if (age > OLDEST_QUOTE_MS || age < -NEWEST_QUOTE_MS) return false
    const present = Math.floor(now() / 1000)
    if (present !== second) {
      second = present
      named = 0
    }
    named += 1
    return named <= MOST_PER_SECOND
  }
  return {
    /** Stores new orders; those that are too many, whose quotes are not new, or with another muxed id are left out. */
    name: async (
      orders: readonly { readonly muxedId: bigint; readonly orderId: OrderId }[],
    ): Promise<void> => {
      const namedAt = now()
      await Promise.all(
        orders
          .filter(({ muxedId, orderId }) => isReferenceOf(muxedId, orderId) && mayName(muxedId))
          .map(({ muxedId, orderId }) => store.nameOrder(muxedId, { orderId, namedAt })),
      )
      if (namedAt - forgotAt < FORGET_EVERY_MS) return
      forgotAt = namedAt
      await store.forgetNamedOrders(namedAt - KEPT_MS)
    },
    /** The order that a deposit of a muxed id was made for. */
    bindingOf: async (
      muxedId: bigint,
      { timestampSeconds }: Pick<Payment, 'timestampSeconds'>,
    ): Promise<Binding> => {
      const [first, second] = await store.listNamedOrders(muxedId)
      const depositedAt = timestampSeconds * 1000
      if (first === undefined || first.namedAt > depositedAt + LATE_MS) return { kind: 'none' }
      // A thief of the service's key can add a name, or guess one in advance: the first counts, and the second makes it suspect.
      const isContested = second !== undefined && second.namedAt <= depositedAt
      return { kind: 'one', orderId: first.orderId, isContested }
    },
  }
}

export type NamedOrderBook = ReturnType<typeof createNamedOrders>
