import { z } from 'zod'
import { IntentOrder, OrderId } from '../core/intent-order.ts'
import { parseOrBlame } from './rows.ts'
import type { Sql } from './sql.ts'
import type { Claim, Store } from './store.ts'

const ClaimRow = z.object({ order_id: OrderId, body: z.string(), fill_tx_hash: z.string().nullable() })

const decode = (row: unknown): Claim =>
  parseOrBlame('a claim', () => {
    const { order_id: orderId, body, fill_tx_hash: fillTxHash } = ClaimRow.parse(row)
    return { orderId, order: IntentOrder.decode(JSON.parse(body)), fillTxHash: fillTxHash ?? undefined }
  })

/** The claims of a solver, over either database. */
export const claimMethods = ({
  read,
  change,
}: Sql): Pick<Store, 'addClaim' | 'listClaims' | 'removeClaim'> => ({
  addClaim: async ({ orderId, order, fillTxHash }) => {
    await change('addClaim', [orderId, JSON.stringify(IntentOrder.encode(order)), fillTxHash ?? null])
  },
  listClaims: async (limit, after) => (await read('listClaims', [after ?? '', limit])).map(decode),
  removeClaim: async (orderId) => {
    await change('removeClaim', [orderId])
  },
})
