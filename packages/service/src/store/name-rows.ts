import { parseOrBlame, StoredId } from './rows.ts'
import type { Sql } from './sql.ts'
import type { Store } from './store.ts'

/** Sorts after every quote id. */
const AFTER_ALL = '~'

/** Saves what transfers are found by, and finds them, over either database. */
export const nameMethods = ({ read, change }: Sql): Pick<Store, 'saveNames' | 'listQuotesByName'> => ({
  saveNames: async (quoteId, names) => {
    for (const name of new Set(names)) await change('saveName', [name, quoteId])
  },
  listQuotesByName: async (name, limit, before) => {
    const rows = await read('listNamedQuotes', [name, before ?? AFTER_ALL, limit])
    return rows.map((row) =>
      parseOrBlame(`a transfer of ${name}`, () => StoredId.parse(Object(row).quote_id)),
    )
  },
})
