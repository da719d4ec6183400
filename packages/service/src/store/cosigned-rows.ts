import { z } from 'zod'
import { PositiveAmount } from '../core/amount.ts'
import { OrderId } from '../core/intent-order.ts'
import { parseOrBlame } from './rows.ts'
import type { Sql } from './sql.ts'
import type { Store } from './store.ts'

const PayoutRow = z.object({
  tx_hash: z.string(),
  raw_transaction: z.string(),
  signed_at: z.coerce.number().int(),
})
const DepositRow = z.object({ obligation: z.string(), amount: PositiveAmount })
const NamedRow = z.object({ order_id: OrderId, named_at: z.coerce.number().int() })

/** So many orders of one muxed id are told; a third changes nothing. */
const MOST_NAMED = 2

type CosignedMethods = Pick<
  Store,
  | 'findCosigned'
  | 'saveCosigned'
  | 'listDepositUses'
  | 'useDeposit'
  | 'nameOrder'
  | 'listNamedOrders'
  | 'forgetNamedOrders'
>

/** What a co-signer keeps, over either database. */
export const cosignedMethods = ({ read, change }: Sql): CosignedMethods => ({
  findCosigned: async (obligation) => {
    const [row] = await read('findCosigned', [obligation])
    if (row === undefined) return undefined
    const stored = parseOrBlame('a co-signed payout', () => PayoutRow.parse(row))
    return {
      txHash: stored.tx_hash,
      rawTransaction: stored.raw_transaction,
      signedAt: stored.signed_at,
    }
  },
  saveCosigned: async (obligation, { txHash, rawTransaction, signedAt }, replaced) =>
    (await change('saveCosigned', [obligation, txHash, rawTransaction, signedAt, replaced ?? ''])) === 1,
  listDepositUses: async (deposit) =>
    (await read('listDepositUses', [deposit])).map((row) =>
      parseOrBlame('a used deposit', () => DepositRow.parse(row)),
    ),
  useDeposit: async (deposit, { obligation, amount }) => {
    await change('useDeposit', [deposit, obligation, amount.toString()])
  },
  nameOrder: async (muxedId, { orderId, namedAt }) => {
    await change('nameOrder', [muxedId.toString(), orderId, namedAt])
  },
  listNamedOrders: async (muxedId) =>
    (await read('listNamedOrders', [muxedId.toString(), MOST_NAMED])).map((row) => {
      const { order_id: orderId, named_at: namedAt } = parseOrBlame('a named order', () =>
        NamedRow.parse(row),
      )
      return { orderId, namedAt }
    }),
  forgetNamedOrders: async (before) => {
    await change('forgetNamedOrders', [before])
  },
})
