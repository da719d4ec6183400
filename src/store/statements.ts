/** How many answers one step of a purge looks at: short enough not to hold up writers. */
export const PURGE_PAGE_SIZE = 1000

/** The statements of both dialects, with PostgreSQL's parameters. */
export const STATEMENTS = {
  saveAnswer:
    'insert into quote_answers (first_quote_id, last_quote_id, created_at, body) values ($1, $2, $3, $4)',
  findAnswer:
    'select last_quote_id, body from quote_answers where first_quote_id <= $1 order by first_quote_id desc limit 1',
  insertTransfer:
    'insert into transfers (quote_id, message_id, revision, is_open, body) values ($1, $2, $3, $4, $5) ' +
    'on conflict (quote_id, message_id) do nothing',
  updateTransfer:
    'update transfers set revision = $3, is_open = $4, body = $5 ' +
    'where quote_id = $1 and message_id = $2 and revision = $3 - 1',
  findTransfer:
    'select quote_id, message_id, revision, body from transfers where quote_id = $1 and message_id = $2',
  listOpen:
    'select quote_id, message_id, revision, body from transfers ' +
    'where is_open = 1 and (quote_id, message_id) > ($1, $2) order by quote_id, message_id limit $3',
  /** Looks at the next `$2` answers after `$1`: the last key, the earliest creation and how many there are. */
  purgePage:
    'select max(first_quote_id) as through, min(created_at) as oldest, count(*) as size from ' +
    '(select first_quote_id, created_at from quote_answers where first_quote_id > $1 order by first_quote_id limit $2) page',
  purge:
    'delete from quote_answers where first_quote_id > $1 and first_quote_id <= $2 and created_at < $3 and not exists ' +
    '(select 1 from transfers where quote_id >= first_quote_id and quote_id <= last_quote_id)',
  /** Fails where nothing can be written. */
  ping: 'update schema_migrations set hash = hash where name = (select min(name) from schema_migrations)',
  appliedMigrations: 'select name, hash from schema_migrations order by name',
  rememberMigration: 'insert into schema_migrations (name, hash) values ($1, $2)',
} as const
