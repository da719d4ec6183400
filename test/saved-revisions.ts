import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** A revision of a transfer as the store of the service saved it, with when, in milliseconds since 1970. */
export type SavedRevision = { readonly revision: number; readonly state: string; readonly at: number }

const open = (directory: string): DatabaseSync =>
  new DatabaseSync(join(directory, 'openrfq.sqlite'), { timeout: 60_000 })

/**
 * Has the database in a data folder keep every revision of a transfer that is saved from now on, by a trigger of its own: what
 * streams showed can be compared with it, as the service itself keeps the last revision only.
 */
export const keepRevisions = (directory: string): void => {
  const database = open(directory)
  const keep = `begin insert into saved_revisions values
    (new.quote_id, new.revision, new.body ->> 'state', cast(unixepoch('subsec') * 1000 as integer)); end`
  database.exec(`create table saved_revisions (quote_id text, revision integer, state text, at integer);
    create trigger keep_first after insert on transfers ${keep};
    create trigger keep_later after update of revision on transfers ${keep}`)
  database.close()
}

/** The revisions that were kept, by quote, in the order in which they were saved. */
export const readRevisions = (directory: string): ReadonlyMap<string, readonly SavedRevision[]> => {
  const database = open(directory)
  const rows = database
    .prepare('select quote_id, revision, state, at from saved_revisions order by rowid')
    .all()
  database.close()
  const saved = rows.map(({ quote_id: quoteId, revision, state, at }) => ({
    quoteId: String(quoteId),
    revision: Number(revision),
    state: String(state),
    at: Number(at),
  }))
  return Map.groupBy(saved, ({ quoteId }) => quoteId)
}
