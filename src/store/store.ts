import type { QuoteId } from '../core/quote-id.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import type { Transfer } from '../core/transfer.ts'

/** Everything the service remembers. `conformance.test.ts` holds what every store keeps. */
export type Store = {
  /** Saves the quotes of one answer (consecutive ids, first lowest); resolves when they survive a killed process. */
  readonly saveQuotes: (quotes: readonly QuoteRecord[]) => Promise<void>
  readonly findQuote: (quoteId: QuoteId) => Promise<QuoteRecord | undefined>
  readonly findTransfer: (quoteId: QuoteId, messageId: string) => Promise<Transfer | undefined>
  /**
   * Saves `transfer` if the stored revision is still `transfer.revision - 1` (0: nothing stored yet) and tells whether
   * it did. Durable against power loss when it resolves.
   */
  readonly saveTransfer: (transfer: Transfer) => Promise<boolean>
  /** Transfers in a state that can still change, in order of quote and message id, after the given one. */
  readonly listOpen: (
    limit: number,
    after?: Pick<Transfer, 'quoteId' | 'messageId'>,
  ) => Promise<readonly Transfer[]>
  /** Forgets quotes created before the moment that never had a transfer; tells how many answers were dropped. */
  readonly purgeQuotes: (before: number) => Promise<number>
  /** Resolves when the store can be written and read. */
  readonly ping: () => Promise<void>
  readonly close: () => Promise<void>
}
