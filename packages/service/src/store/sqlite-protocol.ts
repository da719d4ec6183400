import type { BatchOutcome } from './batch-queue.ts'
import type { ChainCursorRow, ChainEventRow } from './chain-event-rows.ts'
import type { PaymentRow } from './payment-rows.ts'
import type { AnswerRow, TransferRow } from './rows.ts'
import type { SqlValue, StatementName } from './sql.ts'

/** What the writer thread is told when it starts: the database file. */
export type WriterOptions = { readonly file: string }

/** What the writer thread is asked to do; each answers plain values that the caller checks. */
export type StoreOperation =
  | { readonly kind: 'save_answer'; readonly row: AnswerRow }
  | { readonly kind: 'find_answer'; readonly quoteId: string }
  | { readonly kind: 'save_transfer'; readonly row: TransferRow }
  | { readonly kind: 'find_transfer'; readonly quoteId: string; readonly messageId: string }
  | {
      readonly kind: 'list_open'
      readonly quoteId: string
      readonly messageId: string
      readonly limit: number
    }
  | { readonly kind: 'purge_page'; readonly before: number; readonly after: string }
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

/** One batch of operations on its way to the writer thread, or the end of the thread. */
export type WriterRequest = readonly StoreOperation[] | 'close'

/** The writer thread is ready, or the outcomes of a batch in the order of its operations. */
export type WriterResponse = 'opened' | readonly BatchOutcome<unknown>[]
