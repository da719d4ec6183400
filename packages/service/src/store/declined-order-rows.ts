import { z } from 'zod'
import { OrderId } from '../core/intent-order.ts'
import { parseOrBlame } from './rows.ts'
import type { Sql } from './sql.ts'
import type { Store } from './store.ts'

const DeclinedOrderRow = z.object({ order_id: OrderId, declined_at: z.coerce.number().int().min(0) })

/** The orders that a solver declined without a transaction, over either database. */
export const declinedOrderMethods = ({
  read,
  change,
}: Sql): Pick<Store, 'addDeclinedOrder' | 'findDeclinedOrder'> => ({
  addDeclinedOrder: async ({ orderId, declinedAt }) => {
    await change('addDeclinedOrder', [orderId, declinedAt])
  },
  findDeclinedOrder: async (orderId) => {
    const [row] = await read('findDeclinedOrder', [orderId])
    if (row === undefined) return undefined
    const stored = parseOrBlame('a declined order', () => DeclinedOrderRow.parse(row))
    return { orderId: stored.order_id, declinedAt: stored.declined_at }
  },
})
