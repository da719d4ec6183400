import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../core/instant.ts'
import type { OrderId } from '../core/intent-order.ts'
import type { Payment } from '../core/payment.ts'
import type { QuoteId } from '../core/quote-id.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import type { Transfer } from '../core/transfer.ts'

/** How far a chain has been read: the last final block whose events are stored. */
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
 * The final outcome of a transaction. `displaced`: its nonce was used by a transaction signed elsewhere, so it can
 * never be mined.
 */
type OutboxOutcome = 'succeeded' | 'reverted' | 'displaced'

/**
 * A signed call. `key` names its purpose and is unique, as is the nonce of its sender (lower case) on its chain: no
 * call is made twice. It is `open` until its receipt is final.
 */
export type OutboxEntry = {
  readonly key: string
  readonly chainId: ChainId
  readonly sender: string
  readonly nonce: number
  /** The newest signature's hash, or the mined one's once the outcome is known. */
  readonly txHash: string
  /** Earlier signatures of the same call and nonce, with lower fees; any one may be mined instead. */
  readonly replacedTxHashes: readonly string[]
  /** The newest signed transaction. */
  readonly rawTransaction: string
  /** When the newest one was signed. */
  readonly signedAt: Instant
  readonly outcome: 'open' | OutboxOutcome
}

/** Identifies one payment on a payment chain. */
export type PaymentKey = Pick<StoredPayment, 'chainId' | 'txHash' | 'position'>

/**
 * A final payment on a payment chain, stored once per `(chainId, txHash, position)`: into a vault (`deposit`) or by a
 * filler (`fill`). Addresses and token are canonical text, amounts base units.
 */
export type StoredPayment = Payment & {
  readonly role: 'deposit' | 'fill'
  /** The order it belongs to; undefined for an unmatched deposit. */
  readonly orderId: OrderId | undefined
  /** The quote of a deposit's order. */
  readonly quoteId: QuoteId | undefined
  /** For a deposit: whether everything owed because of it has been paid for good. */
  readonly settled: boolean
}

/** Everything the service remembers. `conformance.test.ts` is the contract of every store. */
export type Store = {
  /** Saves the quotes of one answer (consecutive ids, lowest first); resolves when they survive a killed process. */
  readonly saveQuotes: (quotes: readonly QuoteRecord[]) => Promise<void>
  readonly findQuote: (quoteId: QuoteId) => Promise<QuoteRecord | undefined>
  readonly findTransfer: (quoteId: QuoteId, messageId: string) => Promise<Transfer | undefined>
  /**
   * Saves `transfer` if the stored revision is still `transfer.revision - 1` (0: nothing stored yet) and returns
   * whether it did. Durable against power loss when it resolves.
   */
  readonly saveTransfer: (transfer: Transfer) => Promise<boolean>
  /** Transfers whose state can still change, in order of quote and message id, after the given one. */
  readonly listOpen: (
    limit: number,
    after?: Pick<Transfer, 'quoteId' | 'messageId'>,
  ) => Promise<readonly Transfer[]>
  /** Quotes created at or after the instant, in id order, after the given id; at most `limit`. */
  readonly listQuotesSince: (
    createdAt: Instant,
    limit: number,
    after?: QuoteId,
  ) => Promise<readonly QuoteRecord[]>
  readonly findCursor: (chainId: ChainId) => Promise<ChainCursor | undefined>
  /**
   * Saves final events and the cursor after them atomically; ignores events already stored. Durable against power loss
   * when it resolves.
   */
  readonly saveChainEvents: (
    chainId: ChainId,
    cursor: ChainCursor,
    events: readonly ChainEvent[],
  ) => Promise<void>
  /** The stored events of an order on every chain, by chain, block and position. */
  readonly findChainEvents: (orderId: OrderId) => Promise<readonly ChainEvent[]>
  /**
   * Saves final payments and the cursor after them atomically; ignores payments already stored. Durable against power
   * loss when it resolves.
   */
  readonly savePayments: (
    chainId: ChainId,
    cursor: ChainCursor,
    payments: readonly StoredPayment[],
  ) => Promise<void>
  /** The stored payments of an order on every payment chain, by chain, block, transaction and position. */
  readonly findPayments: (orderId: OrderId) => Promise<readonly StoredPayment[]>
  /** Unsettled deposits, by chain, transaction and position, after the given one. */
  readonly listUnsettledDeposits: (limit: number, after?: PaymentKey) => Promise<readonly StoredPayment[]>
  /** Marks deposits as settled, each independently; durable against power loss when it resolves. */
  readonly settleDeposits: (keys: readonly PaymentKey[]) => Promise<void>
  /**
   * Saves a signed transaction before it is broadcast and returns whether it did: false if the key or the sender's
   * nonce is taken. Durable against power loss when it resolves.
   */
  readonly addOutboxEntry: (entry: OutboxEntry) => Promise<boolean>
  /**
   * Replaces `replacedTxHash` by a new signature of the same call and nonce, before it is broadcast, and returns
   * whether it did: false if the entry is not open or has another newest signature. Durable against power loss.
   */
  readonly replaceOutboxEntry: (
    key: string,
    replacedTxHash: string,
    next: Pick<OutboxEntry, 'txHash' | 'rawTransaction' | 'signedAt'>,
  ) => Promise<boolean>
  readonly findOutboxEntry: (key: string) => Promise<OutboxEntry | undefined>
  /** Open entries of one sender on one chain, by nonce; the first 1,000. */
  readonly listOpenOutbox: (chainId: ChainId, sender: string) => Promise<readonly OutboxEntry[]>
  /** The highest nonce ever signed by the sender on the chain, or undefined. */
  readonly lastOutboxNonce: (chainId: ChainId, sender: string) => Promise<number | undefined>
  /** Records the final outcome of an entry and the signature it came from; it never changes afterwards. */
  readonly settleOutboxEntry: (key: string, outcome: OutboxOutcome, txHash: string) => Promise<void>
  /** Deletes quotes created before the instant that never had a transfer; returns how many answers were dropped. */
  readonly purgeQuotes: (before: number) => Promise<number>
  /** Resolves if the store can be written and read. */
  readonly ping: () => Promise<void>
  readonly close: () => Promise<void>
}
