import type { BatchOutcome } from './batch-queue.ts'
import type { ChainCursorRow, ChainEventRow } from './chain-event-rows.ts'
import type { PaymentRow } from './payment-rows.ts'
import type { AnswerRow, TransferRow } from './rows.ts'
import type { SqlValue, StatementName } from './sql.ts'

/** Options of the writer thread: the database file, and whether to use or delete what it contains. */
export type WriterOptions = { readonly file: string; readonly earlier: 'kept' | 'deleted' }

/** An operation for the writer thread; each returns plain values that the caller validates. */
export type StoreOperation =
  | { readonly kind: 'save_answer'; readonly row: AnswerRow }
  | {
      readonly kind: 'save_transfer'
      readonly row: TransferRow
      /** Of `saveNotification`. */
      readonly notifications: readonly (readonly SqlValue[])[]
    }
  | { readonly kind: 'find_transfer'; readonly quoteId: string; readonly messageId: string }
  | {
      readonly kind: 'list_open'
      readonly quoteId: string
      readonly messageId: string
      readonly limit: number
    }
  | {
      readonly kind: 'save_events'
      readonly cursor: ChainCursorRow
      readonly events: readonly ChainEventRow[]
    }
  | {
      readonly kind: 'save_payments'
      readonly cursor: ChainCursorRow
      readonly payments: readonly PaymentRow[]
    }
  | { readonly kind: 'read'; readonly statement: StatementName; readonly values: readonly SqlValue[] }
  | { readonly kind: 'change'; readonly statement: StatementName; readonly values: readonly SqlValue[] }
  | { readonly kind: 'ping' }
  /** Writes a row of an answer's size and takes it back. */
  | { readonly kind: 'try_write' }

/** Operations that change nothing. */
export const READS: ReadonlySet<StoreOperation['kind']> = new Set(['find_transfer', 'list_open', 'read'])

/** One batch of operations for the writer thread, or a request to end it. */
export type WriterRequest = readonly StoreOperation[] | 'close'

/** The writer thread is ready, or the outcomes of a batch in the order of its operations. */
export type WriterResponse = 'opened' | readonly BatchOutcome<unknown>[]
