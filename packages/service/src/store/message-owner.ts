import { parseOrBlame, StoredId } from './rows.ts'
import type { Sql } from './sql.ts'
import type { Store } from './store.ts'

/** Finds the quote of a message over either database. */
export const messageOwnerMethods = ({ read }: Sql): Pick<Store, 'findMessageOwner'> => ({
  findMessageOwner: async (messageId) => {
    const [row] = await read('findMessageOwner', [messageId])
    return row === undefined
      ? undefined
      : parseOrBlame(`the transfer of ${messageId}`, () => StoredId.parse(Object(row).quote_id))
  },
})
