import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import type { QuoteId } from '../core/quote-id.ts'
import type { Transfer } from '../core/transfer.ts'
import type { Log } from '../lib/log.ts'
import { createLru } from '../lib/lru.ts'
import { programFile } from '../lib/program-file.ts'
import { chainEventMethods } from './chain-event-rows.ts'
import { claimMethods } from './claim-rows.ts'
import { cosignedMethods } from './cosigned-rows.ts'
import { prepareDataFile } from './data-folder.ts'
import { declinedOrderMethods } from './declined-order-rows.ts'
import { frontedDeliveryMethods } from './fronted-delivery-rows.ts'
import { listQuotesMethods } from './list-quotes.ts'
import { messageOwnerMethods } from './message-owner.ts'
import { nameMethods } from './name-rows.ts'
import { notificationMethods, notificationValues } from './notification-rows.ts'
import { orderBatchMethods } from './order-batch-rows.ts'
import { paymentMethods } from './payment-rows.ts'
import { payoutMethods } from './payout-rows.ts'
import { quoteMethods } from './quote-rows.ts'
import { decodeTransfer, encodeTransfer } from './rows.ts'
import { solverOrderMethods } from './solver-order-rows.ts'
import type { Sql } from './sql.ts'
import { sqliteOpenError } from './sqlite-open-error.ts'
import { READS, type WriterOptions, type WriterRequest } from './sqlite-protocol.ts'
import { type WriterQueue, writerQueue } from './sqlite-queue.ts'
import type { Store } from './store.ts'
import { transactionMethods } from './transaction-rows.ts'
import { createWriteHealth } from './write-health.ts'

/** The embedded store's file in its folder. */
export const DATABASE_FILE = 'openrfq.sqlite'
/** About 1 KB each. */
const WRITER = programFile(
  'packages/service/src/store/sqlite-writer.ts',
  import.meta.resolve('./sqlite-writer.ts'),
)
const REMEMBERED_TRANSFERS = 16_384
const CLOSED = 'the store is closed'
/** Errors of the writer thread keep their message alone. */
const isConstraintError = (error: unknown): boolean =>
  error instanceof Error && /constraint failed/.test(error.message)

const Rows = z.array(z.unknown())

const sqlOf = (queue: WriterQueue): Sql => ({
  read: async (statement, values) => Rows.parse(await queue.add({ kind: 'read', statement, values })),
  change: async (statement, values) => Number(await queue.add({ kind: 'change', statement, values })),
})

/** The cached transfer; null if none is stored, which only this process can change. */
type Known = Transfer | null

const transferMethods = (
  queue: WriterQueue,
): Pick<Store, 'saveTransfer' | 'findTransfer' | 'listTransfers' | 'listOpen'> => {
  const known = createLru<string, Known>(REMEMBERED_TRANSFERS)
  const lists = createLru<QuoteId, readonly Transfer[]>(REMEMBERED_TRANSFERS)
  const keyOf = (quoteId: QuoteId, messageId: string): string => `${quoteId} ${messageId}`
  const forget = ({ quoteId, messageId }: Transfer): void => {
    known.delete(keyOf(quoteId, messageId))
    lists.delete(quoteId)
  }
  return {
    saveTransfer: async (transfer, news) => {
      forget(transfer)
      const row = encodeTransfer(transfer)
      const notifications = news === undefined ? [] : notificationValues(row, news)
      const saved = await queue.add({ kind: 'save_transfer', row, notifications })
      forget(transfer)
      return saved === true
    },
    findTransfer: async (quoteId, messageId) => {
      const key = keyOf(quoteId, messageId)
      const remembered = known.get(key)
      if (remembered !== undefined) return remembered ?? undefined
      const row = await queue.add({ kind: 'find_transfer', quoteId, messageId })
      const transfer = row === undefined ? null : decodeTransfer(row)
      known.set(key, transfer)
      return transfer ?? undefined
    },
    listTransfers: async (quoteId) => {
      const remembered = lists.get(quoteId)
      if (remembered !== undefined) return remembered
      const rows = await queue.add({ kind: 'read', statement: 'listTransfers', values: [quoteId] })
      const transfers = Rows.parse(rows).map(decodeTransfer)
      lists.set(quoteId, transfers)
      return transfers
    },
    listOpen: async (limit, after) => {
      const { quoteId, messageId } = after ?? { quoteId: '', messageId: '' }
      const rows = await queue.add({ kind: 'list_open', quoteId, messageId, limit })
      return Rows.parse(rows).map(decodeTransfer)
    },
  }
}

/**
 * Opens the embedded store, the file `openrfq.sqlite` in `directory` (created if missing), and migrates its schema. All
 * waiting writers share one transaction in a writer thread. Rejects with `StoreError` if another process owns the file or its
 * schema is unknown.
 */
export const openSqliteStore = async (options: {
  readonly directory: string
  readonly log: Log
  /** What happens to earlier content of the file, once this process owns it; kept by default. */
  readonly earlier?: 'kept' | 'deleted'
}): Promise<Store> => {
  const { directory, earlier = 'kept' } = options
  const workerData: WriterOptions = { file: prepareDataFile(directory, DATABASE_FILE), earlier }
  const worker = new Worker(WRITER, { workerData })
  await once(worker, 'message').catch((cause: unknown) => {
    throw sqliteOpenError(workerData.file, cause)
  })
  const writer = writerQueue(worker)
  const health = createWriteHealth({
    check: async () => {
      await writer.add({ kind: 'ping' })
    },
    tryWrite: async () => {
      await writer.add({ kind: 'try_write' })
    },
    blamesRow: isConstraintError,
    log: options.log,
  })
  const queue: WriterQueue = {
    ...writer,
    add: (operation) =>
      READS.has(operation.kind) ? writer.add(operation) : health.note(writer.add(operation)),
  }
  const sql = sqlOf(queue)
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    await queue.drain(new Error(CLOSED))
    const exited = once(worker, 'exit')
    const request: WriterRequest = 'close'
    worker.postMessage(request)
    await exited
  }
  worker.on('error', (error) => options.log('error', 'store_writer_failed', { error }))
  return {
    ...quoteMethods(sql, async (row) => {
      await queue.add({ kind: 'save_answer', row })
    }),
    ...transferMethods(queue),
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
    ...chainEventMethods(sql, async (cursor, events) => {
      await queue.add({ kind: 'save_events', cursor, events })
    }),
    ...paymentMethods(sql, async (cursor, payments) => {
      await queue.add({ kind: 'save_payments', cursor, payments })
    }),
    ping: health.ping,
    close: () => {
      closing ??= close()
      return closing
    },
  }
}
