import { rmSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { BatchOutcome } from './batch-queue.ts'
import {
  AppliedMigrations,
  CREATE_MIGRATIONS_TABLE,
  pendingMigrations,
  readMigrations,
} from './migrations.ts'
import type { StatementName } from './sql.ts'
import {
  READS,
  type StoreOperation,
  type WriterOptions,
  type WriterRequest,
  type WriterResponse,
} from './sqlite-protocol.ts'
import { STATEMENTS, TRIAL_BODY, TRIAL_KEY } from './statements.ts'

const LOCK_DEADLINE_MS = 2000
/** About a megabyte of quotes. */
const OPERATIONS_PER_CHECKPOINT = 500
const JOURNAL_LIMIT_BYTES = 64 * 1024 * 1024

type Statements = Readonly<Record<keyof typeof STATEMENTS, StatementSync>>

const sqliteText = (sql: string): string => sql.replaceAll(/\$([0-9]+)/g, '?$1')

const migrate = (database: DatabaseSync, file: string): void => {
  database.exec('begin immediate')
  database.exec(CREATE_MIGRATIONS_TABLE)
  const rows = database.prepare(STATEMENTS.appliedMigrations).all()
  for (const migration of pendingMigrations(readMigrations(), AppliedMigrations.parse(rows), file)) {
    database.exec(migration.sql)
    database.prepare(sqliteText(STATEMENTS.rememberMigration)).run(migration.name, migration.hash)
  }
  database.exec('commit')
}

/** One process owns the database: it holds an exclusive lock on a file beside it, which makes a second one fail at its start. */
const lock = (file: string): DatabaseSync => {
  const locked = new DatabaseSync(`${file}.lock`, { timeout: LOCK_DEADLINE_MS })
  try {
    locked.exec('pragma journal_mode = memory; begin exclusive')
    return locked
  } catch (cause) {
    locked.close()
    throw cause
  }
}

/** Opens the database so that another process can read it meanwhile, for a backup. */
const openDatabase = (file: string): DatabaseSync => {
  const database = new DatabaseSync(file, { timeout: LOCK_DEADLINE_MS })
  try {
    database.exec('pragma journal_mode = wal')
    database.exec(`pragma synchronous = normal; pragma journal_size_limit = ${JOURNAL_LIMIT_BYTES}`)
    migrate(database, file)
    return database
  } catch (cause) {
    database.close()
    throw cause
  }
}

const prepare = (database: DatabaseSync): Statements => {
  const prepared = Object.entries(STATEMENTS).map(([name, sql]) => [name, database.prepare(sqliteText(sql))])
  // CAST: Object.fromEntries widens the keys, which are those of STATEMENTS.
  return Object.fromEntries(prepared) as Statements
}

const saveTransfer = (
  statements: Statements,
  { row, notifications }: Extract<StoreOperation, { kind: 'save_transfer' }>,
): boolean => {
  const statement = row.revision === 1 ? statements.insertTransfer : statements.updateTransfer
  const { quoteId, messageId, revision, isOpen, body, ownedMessageId } = row
  const saved = statement.run(quoteId, messageId, revision, isOpen, body, ownedMessageId).changes === 1
  if (saved) for (const values of notifications) statements.saveNotification.run(...values)
  return saved
}

const saveEvents = (
  statements: Statements,
  { cursor, events }: Extract<StoreOperation, { kind: 'save_events' }>,
): void => {
  for (const event of events) statements.saveChainEvent.run(...event)
  statements.saveCursor.run(...cursor)
}

const savePayments = (
  statements: Statements,
  { cursor, payments }: Extract<StoreOperation, { kind: 'save_payments' }>,
): void => {
  for (const payment of payments) statements.savePayment.run(...payment)
  statements.saveCursor.run(...cursor)
}

const perform = (statements: Statements, operation: StoreOperation): unknown => {
  switch (operation.kind) {
    case 'save_answer': {
      const { first, last, createdAt, body, hash } = operation.row
      statements.saveAnswer.run(first, last, createdAt, body, hash)
      return undefined
    }
    case 'save_transfer':
      return saveTransfer(statements, operation)
    case 'find_transfer':
      return statements.findTransfer.get(operation.quoteId, operation.messageId)
    case 'list_open':
      return statements.listOpen.all(operation.quoteId, operation.messageId, operation.limit)
    case 'save_events':
      return saveEvents(statements, operation)
    case 'save_payments':
      return savePayments(statements, operation)
    case 'read':
      return statements[operation.statement].all(...operation.values)
    case 'change':
      return statements[operation.statement].run(...operation.values).changes
    case 'ping':
      return statements.ping.run().changes
    case 'try_write':
      statements.saveAnswer.run(TRIAL_KEY, TRIAL_KEY, 0, TRIAL_BODY, 0)
      return statements.dropTrial.run(TRIAL_KEY).changes
  }
}

/** The statements of a purge; after a power cut the next one repeats what was lost, in the order of the commits. */
const UNSYNCED: ReadonlySet<StatementName> = new Set([
  'saveBundle',
  'dropBundled',
  'dropBundle',
  'keepBundle',
  'purge',
])

/** Whether an operation needs an fsync; quotes only need to survive a killed process. */
const needsSync = (operation: StoreOperation): boolean => {
  const { kind } = operation
  if (kind === 'change') return !UNSYNCED.has(operation.statement)
  return kind === 'save_transfer' || kind === 'save_events' || kind === 'save_payments'
}

/** Performs the operations in one transaction; throws, with nothing done, if one of them fails. */
const together = (
  database: DatabaseSync,
  statements: Statements,
  operations: readonly StoreOperation[],
): readonly BatchOutcome<unknown>[] => {
  database.exec(`pragma synchronous = ${operations.some(needsSync) ? 'full' : 'normal'}`)
  database.exec('begin immediate')
  try {
    const outcomes = operations.map((operation) => ({ value: perform(statements, operation) }))
    database.exec('commit')
    return outcomes
  } catch (thrown) {
    if (database.isTransaction) database.exec('rollback')
    throw thrown
  }
}

/** SQLite's code while another process writes. */
const BUSY = 5
const isBusy = (thrown: unknown): boolean => Object(thrown).errcode === BUSY

const errorOf = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))

/** Performs the reads, which no lock stops; the waiting for it ends all writes at once. */
const performReads = (
  statements: Statements,
  operations: readonly StoreOperation[],
  error: Error,
): readonly BatchOutcome<unknown>[] =>
  operations.map((operation) => {
    if (!READS.has(operation.kind)) return { error }
    try {
      return { value: perform(statements, operation) }
    } catch (thrown) {
      return { error: errorOf(thrown) }
    }
  })

/**
 * Performs all in one transaction; if that fails, each in its own, so that one bad row does not affect the others. A
 * locked database is waited for once.
 */
const performBatch = (
  database: DatabaseSync,
  statements: Statements,
  operations: readonly StoreOperation[],
): readonly BatchOutcome<unknown>[] => {
  try {
    return together(database, statements, operations)
  } catch (thrown) {
    if (isBusy(thrown)) return performReads(statements, operations, errorOf(thrown))
    if (operations.length > 1) return operations.flatMap((one) => performBatch(database, statements, [one]))
    return [{ error: errorOf(thrown) }]
  }
}

/**
 * Checkpoints the write-ahead log once it has grown enough. Called when no caller waits, because it takes longer than a
 * commit; SQLite itself would do it within a commit, after four times as much.
 */
const createTidying = (database: DatabaseSync): ((operations: number) => void) => {
  let untidied = 0
  return (operations) => {
    untidied += operations
    if (untidied < OPERATIONS_PER_CHECKPOINT) return
    untidied = 0
    try {
      database.exec('pragma wal_checkpoint(passive)')
    } catch {
      // What was not checkpointed stays in the log, where it is equally safe.
    }
  }
}

const serve = (port: MessagePort, { file, earlier }: WriterOptions): void => {
  const locked = lock(file)
  if (earlier === 'deleted')
    for (const part of ['', '-wal', '-shm']) rmSync(`${file}${part}`, { force: true })
  const database = openDatabase(file)
  const statements = prepare(database)
  const tidy = createTidying(database)
  const respond = (response: WriterResponse): void => port.postMessage(response)
  port.on('message', (request: WriterRequest) => {
    if (request === 'close') {
      database.close()
      locked.close()
      port.close()
    } else {
      respond(performBatch(database, statements, request))
      tidy(request.length)
    }
  })
  respond('opened')
}

if (parentPort !== null) serve(parentPort, workerData)
