import pg from 'pg'
import { z } from 'zod'
import type { Log } from '../lib/log.ts'
import { type BatchOutcome, batchQueue } from './batch-queue.ts'
import { type ChainCursorRow, type ChainEventRow, chainEventMethods } from './chain-event-rows.ts'
import { claimMethods } from './claim-rows.ts'
import { cosignedMethods } from './cosigned-rows.ts'
import { declinedOrderMethods } from './declined-order-rows.ts'
import { frontedDeliveryMethods } from './fronted-delivery-rows.ts'
import { listQuotesMethods } from './list-quotes.ts'
import { messageOwnerMethods } from './message-owner.ts'
import { nameMethods } from './name-rows.ts'
import { notificationMethods } from './notification-rows.ts'
import { orderBatchMethods } from './order-batch-rows.ts'
import { type PaymentRow, paymentMethods } from './payment-rows.ts'
import { payoutMethods } from './payout-rows.ts'
import { createPostgresHistory, type PostgresHistory } from './postgres-history.ts'
import { migratePostgres } from './postgres-migrate.ts'
import { CONNECT_DEADLINE_MS } from './postgres-open-error.ts'
import { onOne, type Query, queryOf } from './postgres-query.ts'
import { postgresTransferMethods } from './postgres-transfers.ts'
import { quoteMethods } from './quote-rows.ts'
import type { AnswerRow } from './rows.ts'
import { solverOrderMethods } from './solver-order-rows.ts'
import type { Sql, StatementName } from './sql.ts'
import { REPLACING_VOID, STATEMENTS, TRIAL_BODY, TRIAL_KEY } from './statements.ts'
import type { Store } from './store.ts'
import { transactionMethods } from './transaction-rows.ts'
import { createWriteHealth } from './write-health.ts'

const STATEMENT_DEADLINE_MS = 5000
/** Ends a query whose server stopped responding. */
const ANSWER_DEADLINE_MS = 8000
const CONNECTIONS = 8
const MAXIMUM_WAITING = 8192
const MAXIMUM_BATCH = 512

const SAVE_ANSWERS =
  'insert into quote_answers (first_quote_id, last_quote_id, created_at, body, terms_hash) ' +
  'select * from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::bigint[])'

/** One statement, so that events and cursor are saved atomically. */
const SAVE_EVENTS =
  'with saved as (insert into chain_events (chain_id, tx_hash, log_position, order_id, block_number, body) ' +
  'select * from unnest($6::text[], $7::text[], $8::integer[], $9::text[], $10::bigint[], $11::text[]) ' +
  'on conflict do nothing) ' +
  STATEMENTS.saveCursor

/** One statement, so that payments and cursor are saved atomically. */
const SAVE_PAYMENTS =
  'with saved as (insert into payments (chain_id, tx_hash, payment_position, role, order_id, quote_id, ' +
  'block_number, body, is_settled) select distinct on (chain_id, tx_hash, payment_position) * from ' +
  'unnest($6::text[], $7::text[], $8::bigint[], $9::text[], $10::text[], $11::text[], $12::bigint[], $13::text[], ' +
  '$14::integer[]) told (chain_id, tx_hash, payment_position, role, order_id, quote_id, block_number, body, ' +
  `is_settled) ${REPLACING_VOID}) ` +
  STATEMENTS.saveCursor

/** Whether the rows are at fault (SQLSTATE classes 22 and 23), not the server or the connection. */
const blamesRows = (thrown: unknown): boolean =>
  thrown instanceof pg.DatabaseError && /^2[23]/.test(thrown.code ?? '')

const saveAnswers = async (
  query: Query,
  rows: readonly AnswerRow[],
): Promise<readonly BatchOutcome<void>[]> => {
  try {
    await query('save_answers', SAVE_ANSWERS, [
      rows.map((row) => row.first),
      rows.map((row) => row.last),
      rows.map((row) => row.createdAt),
      rows.map((row) => row.body),
      rows.map((row) => row.hash),
    ])
    return rows.map(() => ({ value: undefined }))
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    if (rows.length === 1 || !blamesRows(thrown)) return rows.map(() => ({ error }))
    const outcomes: BatchOutcome<void>[] = []
    for (const row of rows) outcomes.push(...(await saveAnswers(query, [row])))
    return outcomes
  }
}

/** Statements that store a signed transaction before it is sent. If the database lost such a row, a second one would be signed. */
const SIGNATURES: ReadonlySet<StatementName> = new Set([
  'addPayout',
  'resignPayout',
  'addTransaction',
  'resignTransaction',
])

const sqlOf = (query: Query, querySame: Query, saveBundle: Query): Sql => {
  const runnerOf = (statement: StatementName): Query => {
    if (SIGNATURES.has(statement)) return querySame
    return statement === 'saveBundle' ? saveBundle : query
  }
  return {
    read: async (statement, values) => (await query(statement, STATEMENTS[statement], values)).rows,
    change: async (statement, values) =>
      (await runnerOf(statement)(statement, STATEMENTS[statement], values)).changed,
  }
}

const saveEvents = async (
  query: Query,
  cursor: ChainCursorRow,
  events: readonly ChainEventRow[],
): Promise<void> => {
  await query('save_events', SAVE_EVENTS, [
    ...cursor,
    events.map(([chainId]) => chainId),
    events.map(([, txHash]) => txHash),
    events.map(([, , position]) => position),
    events.map(([, , , orderId]) => orderId),
    events.map(([, , , , blockNumber]) => blockNumber),
    events.map(([, , , , , body]) => body),
  ])
}

const savePayments = async (
  query: Query,
  cursor: ChainCursorRow,
  payments: readonly PaymentRow[],
): Promise<void> => {
  await query('save_payments', SAVE_PAYMENTS, [
    ...cursor,
    payments.map(([chainId]) => chainId),
    payments.map(([, txHash]) => txHash),
    payments.map(([, , position]) => position),
    payments.map(([, , , role]) => role),
    payments.map(([, , , , orderId]) => orderId),
    payments.map(([, , , , , quoteId]) => quoteId),
    payments.map(([, , , , , , blockNumber]) => blockNumber),
    payments.map(([, , , , , , , body]) => body),
    payments.map(([, , , , , , , , settled]) => settled),
  ])
}

const READS = /^select /i

/** Inserts a row of an answer's size and takes it back. */
const tryWrite = (pool: pg.Pool): Promise<void> =>
  onOne(pool, async (client) => {
    await client.query('begin')
    await client.query(STATEMENTS.saveAnswer, [TRIAL_KEY, TRIAL_KEY, 0, TRIAL_BODY, 0])
    await client.query('rollback')
  })

/** Runs a statement in a transaction that has found the database to be the one that was opened. */
const querySameOf =
  (pool: pg.Pool, history: PostgresHistory): Query =>
  (name, text, parameters) =>
    onOne(pool, async (client) => {
      // Before the transaction, which a server without the functions would abort.
      await history.compare(client)
      await client.query('begin')
      await history.compare(client)
      history.expectSame()
      const { rows, rowCount } = await client.query({ name, text, values: [...parameters] })
      await client.query('commit')
      await history.compare(client)
      return { rows, changed: rowCount ?? 0 }
    })

/**
 * Begins a transaction that saves a bundle: the next statement sees the bundles that other processes saved, and they wait for
 * its end. The server ends a stalled one. The lock number is arbitrary.
 */
export const BEGIN_BUNDLE =
  'begin isolation level read committed; ' +
  `set local idle_in_transaction_session_timeout = ${STATEMENT_DEADLINE_MS}; ` +
  'select pg_advisory_xact_lock(7218003462)'

const saveBundleOf =
  (pool: pg.Pool): Query =>
  (name, text, parameters) =>
    onOne(pool, async (client) => {
      await client.query(BEGIN_BUNDLE)
      const { rows, rowCount } = await client.query({ name, text, values: [...parameters] })
      await client.query('commit')
      return { rows, changed: rowCount ?? 0 }
    })

const Writability = z.object({ read_only: z.literal('off') })

/**
 * Opens the store in a PostgreSQL database that any number of processes may share, and migrates its schema. Waiting
 * answers are inserted in one statement; lost connections are replaced, and every wait has a deadline. Rejects with
 * `StoreError` if the database cannot be reached or its schema is unknown.
 */
export const openPostgresStore = async (options: {
  readonly url: string
  readonly log: Log
}): Promise<Store> => {
  await migratePostgres(options.url)
  const history = createPostgresHistory(options.log)
  const pool = new pg.Pool({
    // What cannot be compared here is compared before something signed is stored.
    onConnect: (client) => history.compare(client).catch(() => undefined),
    connectionString: options.url,
    application_name: 'openrfq',
    max: CONNECTIONS,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_DEADLINE_MS,
    statement_timeout: STATEMENT_DEADLINE_MS,
    query_timeout: ANSWER_DEADLINE_MS,
  })
  pool.on('error', (error) => options.log('warn', 'database_connection_lost', { error }))
  const ask = queryOf(pool)
  const health = createWriteHealth({
    check: async () => {
      const { rows } = await ask('ping', "select current_setting('transaction_read_only') as read_only", [])
      Writability.parse(rows[0])
    },
    tryWrite: () => tryWrite(pool),
    blamesRow: blamesRows,
    log: options.log,
  })
  const query: Query = (name, text, parameters) =>
    READS.test(text) ? ask(name, text, parameters) : health.note(ask(name, text, parameters))
  const noted =
    (run: Query): Query =>
    (name, text, parameters) =>
      health.note(run(name, text, parameters))
  const sql = sqlOf(query, noted(querySameOf(pool, history)), noted(saveBundleOf(pool)))
  const queue = batchQueue<AnswerRow, void>({
    work: (rows) => saveAnswers(query, rows),
    maximumWaiting: MAXIMUM_WAITING,
    maximumBatch: MAXIMUM_BATCH,
  })
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    await queue.drain(new Error('the store is closed'))
    await pool.end()
  }
  return {
    ...quoteMethods(sql, queue.add),
    ...postgresTransferMethods(query, (work) => health.note(onOne(pool, work))),
    ...messageOwnerMethods(sql),
    ...nameMethods(sql),
    ...listQuotesMethods(sql),
    ...transactionMethods(sql),
    ...payoutMethods(sql),
    ...claimMethods(sql),
    ...cosignedMethods(sql),
    ...declinedOrderMethods(sql),
    ...frontedDeliveryMethods(sql),
    ...notificationMethods(sql),
    ...orderBatchMethods(sql),
    ...solverOrderMethods(sql),
    ...chainEventMethods(sql, (cursor, events) => saveEvents(query, cursor, events)),
    ...paymentMethods(sql, (cursor, payments) => savePayments(query, cursor, payments)),
    ping: async () => {
      history.expectSame()
      await health.ping()
    },
    close: () => {
      closing ??= close()
      return closing
    },
  }
}
