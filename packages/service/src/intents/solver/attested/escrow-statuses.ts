import type { OrderId } from '../../../core/intent-order.ts'
import type { Log } from '../../../lib/log.ts'
import type { OrderStatus } from '../../settlers/order-status.ts'
import type { PendingOrder } from './pending-orders.ts'
import { type AttestedSides, escrowOn } from './sides.ts'

type Deps = { readonly sides: AttestedSides; readonly log: Log }

/**
 * Creates a reader of the final statuses of orders from chains with an escrow program, all of a chain at once. An order
 * whose status endpoints do not agree on, whose account is missing, or whose chain cannot be read has none.
 */
export const createEscrowStatuses =
  ({ sides, log }: Deps) =>
  async (entries: readonly PendingOrder[]): Promise<(orderId: OrderId) => OrderStatus | undefined> => {
    const found = new Map<OrderId, OrderStatus>()
    const byChain = Map.groupBy(entries, ({ order }) => order.originChain)
    await Promise.all(
      [...byChain].map(async ([chainId, orders]) => {
        const side = escrowOn(sides, chainId)
        if (side === undefined) return
        try {
          const states = await side.read(orders.map(({ orderId }) => orderId))
          for (const [orderId, { status }] of states) if (status !== 'missing') found.set(orderId, status)
        } catch (error) {
          log('warn', 'escrow_read_failed', { chainId, error })
        }
      }),
    )
    return (orderId) => found.get(orderId)
  }
