import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../core/instant.ts'
import type { OrderId } from '../core/intent-order.ts'
import type { Payment } from '../core/payment.ts'
import type { QuoteId } from '../core/quote-id.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import type { Transfer } from '../core/transfer.ts'

/** How far the logs of a chain have been read: the last final block whose events are stored. */
export type ChainCursor = { readonly blockNumber: bigint; readonly blockHash: string }

/**
 * A final event of an order on one chain, stored once per `(chainId, txHash, position)`. `data` and `topics` are the
 * log's own, lower-case hex; `timestampSeconds` is the block's.
 */
export type ChainEvent = {
  readonly orderId: OrderId
  readonly chainId: ChainId
  readonly txHash: string
  /** Index of the log among its block's logs. */
  readonly position: number
  readonly blockNumber: bigint
  readonly blockHash: string
  readonly timestampSeconds: number
  readonly topics: readonly string[]
  readonly data: string
}

/**
 * What became of a transaction for good. `displaced`: its nonce went to one that was signed elsewhere, so it can never
 * be mined.
 */
type OutboxOutcome = 'succeeded' | 'reverted' | 'displaced'

/**
 * A call that was decided and signed. `key` names what it is for and is unique, as is the nonce of its sender (lower
 * case) on its chain: no call is made twice. It is `open` until its receipt is final.
 */
export type OutboxEntry = {
  readonly key: string
  readonly chainId: ChainId
  readonly sender: string
  readonly nonce: number
  /** The newest signature, or the one that was mined once the outcome is known. */
  readonly txHash: string
  /** Earlier signatures of the same call and nonce, with lower fees; any one of them may be mined instead. */
  readonly replacedTxHashes: readonly string[]
  /** The newest signed transaction. */
  readonly rawTransaction: string
  /** When the newest was signed. */
  readonly signedAt: Instant
  readonly outcome: 'open' | OutboxOutcome
}

/** Tells one payment on a ledger from every other. */
export type PaymentKey = Pick<StoredPayment, 'chainId' | 'txHash' | 'position'>

/**
 * A final payment on a ledger, stored once per `(chainId, txHash, position)`: into a vault (`deposit`) or by a filler
 * (`fill`). Addresses and token are canonical text, amounts base units.
 */
export type StoredPayment = Payment & {
  readonly role: 'deposit' | 'fill'
  /** The order it was made for; undefined for a deposit that belongs to none. */
  readonly orderId: OrderId | undefined
  /** The quote of a deposit's order. */
  readonly quoteId: QuoteId | undefined
  /** Of a deposit: whether everything that is owed because of it was paid for good. */
  readonly settled: boolean
}

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
  /** Quotes created at or after the moment, in order of their ids, after the given id; at most `limit`. */
  readonly listQuotesSince: (
    createdAt: Instant,
    limit: number,
    after?: QuoteId,
  ) => Promise<readonly QuoteRecord[]>
  readonly findCursor: (chainId: ChainId) => Promise<ChainCursor | undefined>
  /**
   * Saves final events with the cursor that follows them, together or not at all; an event already stored is ignored.
   * Durable against power loss when it resolves.
   */
  readonly saveChainEvents: (
    chainId: ChainId,
    cursor: ChainCursor,
    events: readonly ChainEvent[],
  ) => Promise<void>
  /** The stored events of an order on every chain, by chain, block and position. */
  readonly findChainEvents: (orderId: OrderId) => Promise<readonly ChainEvent[]>
  /**
   * Saves final payments with the cursor that follows them, together or not at all; a payment already stored is ignored.
   * Durable against power loss when it resolves.
   */
  readonly savePayments: (
    chainId: ChainId,
    cursor: ChainCursor,
    payments: readonly StoredPayment[],
  ) => Promise<void>
  /** The stored payments of an order on every ledger, by chain, block, transaction and position. */
  readonly findPayments: (orderId: OrderId) => Promise<readonly StoredPayment[]>
  /** Deposits that are not settled, by chain, transaction and position, after the given one. */
  readonly listUnsettledDeposits: (limit: number, after?: PaymentKey) => Promise<readonly StoredPayment[]>
  /** Marks deposits as settled, each for itself; durable against power loss when it resolves. */
  readonly settleDeposits: (keys: readonly PaymentKey[]) => Promise<void>
  /**
   * Saves a signed transaction before it is broadcast and tells whether it did: false when the key or the sender's nonce
   * is taken. Durable against power loss when it resolves.
   */
  readonly addOutboxEntry: (entry: OutboxEntry) => Promise<boolean>
  /**
   * Puts a new signature of the same call and nonce in the place of `replacedTxHash`, before it is broadcast, and tells
   * whether it did: false when the entry is not open or has another newest one. Durable against power loss.
   */
  readonly replaceOutboxEntry: (
    key: string,
    replacedTxHash: string,
    next: Pick<OutboxEntry, 'txHash' | 'rawTransaction' | 'signedAt'>,
  ) => Promise<boolean>
  readonly findOutboxEntry: (key: string) => Promise<OutboxEntry | undefined>
  /** Entries that are not final, of one sender on one chain, by nonce; the first 1,000. */
  readonly listOpenOutbox: (chainId: ChainId, sender: string) => Promise<readonly OutboxEntry[]>
  /** The highest nonce ever signed by the sender on the chain, or undefined. */
  readonly lastOutboxNonce: (chainId: ChainId, sender: string) => Promise<number | undefined>
  /** Records what became of an entry, and by which of its signatures; a final outcome never changes. */
  readonly settleOutboxEntry: (key: string, outcome: OutboxOutcome, txHash: string) => Promise<void>
  /** Forgets quotes created before the moment that never had a transfer; tells how many answers were dropped. */
  readonly purgeQuotes: (before: number) => Promise<number>
  /** Resolves when the store can be written and read. */
  readonly ping: () => Promise<void>
  readonly close: () => Promise<void>
}
