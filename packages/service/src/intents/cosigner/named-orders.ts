import type { Instant } from '../../core/instant.ts'
import type { OrderId } from '../../core/intent-order.ts'
import type { Payment } from '../../core/payment.ts'
import { createMutex } from '../../lib/mutex.ts'
import { isReferenceOf, quotedAt } from '../settlers/deposit-reference.ts'
import type { CosignerDeps } from './vault-to-sign.ts'

type Deps = Pick<CosignerDeps, 'store' | 'now'>
type StoredName = { readonly orderId: OrderId; readonly namedAt: Instant }
type NamedOrder = { readonly muxedId: bigint; readonly orderId: OrderId }

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
  const inTurn = createMutex()
  let second = 0
  let named = 0
  let forgotAt: Instant = 0

  const isNew = ({ muxedId, orderId }: NamedOrder): boolean => {
    const age = now() - quotedAt(muxedId)
    return isReferenceOf(muxedId, orderId) && age <= OLDEST_QUOTE_MS && age >= -NEWEST_QUOTE_MS
  }
  const mayName = (count: number): boolean => {
    const present = Math.floor(now() / 1000)
    if (present !== second) {
      second = present
      named = 0
    }
    if (named + count > MOST_PER_SECOND) return false
    named += count
    return true
  }
  /** Stores names, each later than those of other orders with its muxed id. Returns the orders that are the first. */
  const nameAll = async (orders: readonly NamedOrder[]): Promise<readonly OrderId[]> => {
    const known = new Map<bigint, readonly StoredName[]>(
      await Promise.all(
        orders.map(
          async ({ muxedId }): Promise<[bigint, readonly StoredName[]]> => [
            muxedId,
            await store.listNamedOrders(muxedId),
          ],
        ),
      ),
    )
    const added = orders.map(({ muxedId, orderId }) => {
      const others = known.get(muxedId) ?? []
      const name = { orderId, namedAt: Math.max(now(), ...others.map(({ namedAt }) => namedAt + 1)) }
      known.set(muxedId, [...others, name])
      return { muxedId, name, isFirst: (others[0] ?? name).orderId === orderId }
    })
    await Promise.all(added.map(({ muxedId, name }) => store.nameOrder(muxedId, name)))
    return added.flatMap(({ name, isFirst }) => (isFirst ? [name.orderId] : []))
  }
  const forgetOld = async (): Promise<void> => {
    if (now() - forgotAt < FORGET_EVERY_MS) return
    forgotAt = now()
    await store.forgetNamedOrders(now() - KEPT_MS)
  }
  return {
    /**
     * Stores new orders; those whose quotes are not new or with another muxed id are left out. Returns the orders that are the first
     * with their muxed ids, or `too_many`, then none is stored.
     */
    name: async (orders: readonly NamedOrder[]): Promise<readonly OrderId[] | 'too_many'> => {
      const fresh = orders.filter(isNew)
      if (!mayName(fresh.length)) return 'too_many'
      await forgetOld()
      return inTurn(() => nameAll(fresh))
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
