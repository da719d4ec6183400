import pg from 'pg'
import { notificationValues } from './notification-rows.ts'
import type { Query } from './postgres-query.ts'
import { decodeTransfer, encodeTransfer } from './rows.ts'
import { STATEMENTS } from './statements.ts'
import type { Store } from './store.ts'

/** Its SQLSTATE. */
const UNIQUE_VIOLATION = '23505'

/** False if another process has just saved a row with the same key; rejects with any other error. */
const refuseTaken = (thrown: unknown): false => {
  if (thrown instanceof pg.DatabaseError && thrown.code === UNIQUE_VIOLATION) return false
  throw thrown
}

/** Works on one connection, which is not used again after a failure. */
type OnOne = (work: (client: pg.PoolClient) => Promise<boolean>) => Promise<boolean>

/** Transfers in PostgreSQL. */
export const postgresTransferMethods = (
  query: Query,
  onOne: OnOne,
): Pick<Store, 'saveTransfer' | 'findTransfer' | 'listTransfers' | 'listOpen'> => ({
  saveTransfer: async (transfer, news) => {
    const row = encodeTransfer(transfer)
    const { quoteId, messageId, revision, isOpen, body, ownedMessageId } = row
    const values = [quoteId, messageId, revision, isOpen, body, ownedMessageId]
    const [name, text] =
      revision === 1
        ? ['insert_transfer', STATEMENTS.insertTransfer]
        : ['update_transfer', STATEMENTS.updateTransfer]
    if (news === undefined) return query(name, text, values).then(({ changed }) => changed === 1, refuseTaken)
    return onOne(async (client) => {
      await client.query('begin')
      const saved = (await client.query({ name, text, values })).rowCount === 1
      if (saved)
        for (const notification of notificationValues(row, news))
          await client.query({
            name: 'save_notification',
            text: STATEMENTS.saveNotification,
            values: [...notification],
          })
      await client.query('commit')
      return saved
    }).catch(refuseTaken)
  },
  findTransfer: async (quoteId, messageId) => {
    const { rows } = await query('find_transfer', STATEMENTS.findTransfer, [quoteId, messageId])
    return rows[0] === undefined ? undefined : decodeTransfer(rows[0])
  },
  listTransfers: async (quoteId) => {
    const { rows } = await query('list_transfers', STATEMENTS.listTransfers, [quoteId])
    return rows.map(decodeTransfer)
  },
  listOpen: async (limit, after) => {
    const { quoteId, messageId } = after ?? { quoteId: '', messageId: '' }
    const { rows } = await query('list_open', STATEMENTS.listOpen, [quoteId, messageId, limit])
    return rows.map(decodeTransfer)
  },
})
