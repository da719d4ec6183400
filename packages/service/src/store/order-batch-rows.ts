import { z } from 'zod'
import { parseOrBlame } from './rows.ts'
import type { Sql } from './sql.ts'
import type { Store } from './store.ts'

const OrderBatchRow = z.object({
  round: z.coerce.number().int().min(0),
  transaction_key: z.string(),
})

/** The transactions that orders share, over either database. */
export const orderBatchMethods = ({ read, change }: Sql): Pick<Store, 'addToBatch' | 'findBatch'> => ({
  addToBatch: async (purpose, orderId, { round, key }) => {
    await change('addToBatch', [purpose, orderId, round, key])
  },
  findBatch: async (purpose, orderId) => {
    const [row] = await read('findBatch', [purpose, orderId])
    if (row === undefined) return undefined
    const stored = parseOrBlame('a batch of orders', () => OrderBatchRow.parse(row))
    return { round: stored.round, key: stored.transaction_key }
  },
})
