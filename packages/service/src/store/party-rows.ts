import { parseOrBlame, StoredId } from './rows.ts'
import type { Sql } from './sql.ts'
import type { Store } from './store.ts'

/** Sorts after every quote id. */
const AFTER_ALL = '~'

/** Saves and lists who takes part in transfers, over either database. */
export const partyMethods = ({ read, change }: Sql): Pick<Store, 'saveParties' | 'listQuotesOfParty'> => ({
  saveParties: async (quoteId, accounts) => {
    for (const account of new Set(accounts)) await change('saveParty', [account, quoteId])
  },
  listQuotesOfParty: async (account, limit, before) => {
    const rows = await read('listPartyQuotes', [account, before ?? AFTER_ALL, limit])
    return rows.map((row) =>
      parseOrBlame(`a transfer of ${account}`, () => StoredId.parse(Object(row).quote_id)),
    )
  },
})
