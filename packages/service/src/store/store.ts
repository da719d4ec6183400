import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../core/instant.ts'
import type { IntentOrder, OrderId } from '../core/intent-order.ts'
import type { TransferNews } from '../core/notification.ts'
import type { Payment } from '../core/payment.ts'
import type { Payout } from '../core/payout.ts'
import type { QuoteId } from '../core/quote-id.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import type { EndedSolverOrder, SolverOrder, SolverOrderEnd } from '../core/solver-order.ts'
import type { Transfer } from '../core/transfer.ts'
import type { NotificationStore } from './notification-store.ts'
import type { QuoteAges } from './purge.ts'
import type { QuoteTerms } from './terms-hash.ts'

/** How far a chain has been read: the last final block whose events are stored. */
export type ChainCursor = {
  readonly blockNumber: bigint
  readonly blockHash: string
  /** The block's time. */
  readonly timestampSeconds?: number | undefined
  /** The hash of the chain's first block. */
  readonly genesisHash?: string | undefined
}

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
 * The final outcome of a transaction. `replaced`: its nonce was used by a transaction signed elsewhere, so it can never
 * be mined.
 */
type FinalTransactionOutcome = 'succeeded' | 'reverted' | 'replaced'

/**
 * A signed call of one of our accounts on an EVM chain. `key` names its purpose and is unique, as is the nonce of its
 * sender (lower case) on its chain: no call is made twice. It is `open` until its receipt is final.
 */
export type StoredTransaction = {
  readonly key: string
  readonly chainId: ChainId
  readonly sender: string
  readonly nonce: number
  /** The newest signature's hash, or the mined one's once the outcome is known. */
  readonly txHash: string
  /** Earlier signatures of the same call, with lower fees or another nonce; any one may be mined instead. */
  readonly earlierTxHashes: readonly string[]
  /** The newest signed transaction. */
  readonly rawTransaction: string
  /** When the newest one was signed. */
  readonly signedAt: Instant
  readonly outcome: 'open' | FinalTransactionOutcome
}

/**
 * The final outcome of a payout. `failed`: included without moving anything; `expired`: it can never be included, and
 * its deadline has passed.
 */
type FinalPayoutOutcome = 'succeeded' | 'failed' | 'expired'

/**
 * A signed payment of one of our accounts on Solana or Stellar. `key` names its purpose and is unique: nothing is paid
 * twice. It is `open` until the chain's final state shows its outcome.
 */
export type StoredPayout = Payout & {
  readonly key: string
  readonly chainId: ChainId
  /** The paying account's canonical address. */
  readonly sender: string
  /** The newest signature's hash. */
  readonly txHash: string
  /** Earlier signatures of the same payment; they can no longer land. */
  readonly earlierTxHashes: readonly string[]
  /** The newest signed bytes. */
  readonly rawTransaction: string
  /** When the newest one was signed. */
  readonly signedAt: Instant
  readonly outcome: 'open' | FinalPayoutOutcome
}

/** A stored transaction or payout by its key, with its newest signature at the time of reading. */
type SeenSignature = { readonly key: string; readonly txHash: string }

/** A new signature of the same transaction or payout. */
type NextSignature = Pick<StoredPayout, 'txHash' | 'rawTransaction' | 'signedAt'>

/** What transactions of several orders do: prove their fills, or claim their escrows. */
export type BatchPurpose = 'prove' | 'claim'

/** A transaction that an order shares with others; `round` counts the order's earlier ones of the same purpose. */
export type OrderBatch = { readonly round: number; readonly key: string }

/** An order that a solver declined by a message to the service: it must never be filled. */
export type DeclinedOrder = { readonly orderId: OrderId; readonly declinedAt: Instant }

/** A payout from a vault that a co-signer signed. */
export type CosignedPayout = {
  readonly txHash: string
  readonly rawTransaction: string
  readonly signedAt: Instant
}

/** The part of a deposit, in base units, that something owed is paid from. */
type DepositUse = { readonly obligation: string; readonly amount: bigint }

/** An order that the service named to its co-signer, and when that heard of it. */
type NamedOrder = { readonly orderId: OrderId; readonly namedAt: Instant }

/** An order of the escrow program, or of another solver, that a solver fills and whose escrow it has not received yet. */
export type Claim = {
  readonly orderId: OrderId
  readonly order: IntentOrder
  /** The filling transaction if it was found on chain; undefined if the store contains it. */
  readonly fillTxHash: string | undefined
}

/** Identifies one payment on a payment chain. */
export type PaymentKey = Pick<StoredPayment, 'chainId' | 'txHash' | 'position'>

/** A payment's position among the stored ones of its chain. */
export type PaymentPlace = Pick<StoredPayment, 'blockNumber' | 'txHash' | 'position'>

/**
 * A final payment on a payment chain, stored once per `(chainId, txHash, position)`: into a vault (`deposit`), by a
 * filler (`fill`), or out of a vault (`payout`). Addresses and token are canonical text, amounts base units.
 */
export type StoredPayment = Payment & {
  readonly role: 'deposit' | 'fill' | 'payout'
  /** The order it belongs to, or the 32 bytes of a payout's memo; undefined for an unmatched deposit. */
  readonly orderId: OrderId | undefined
  /** The quote of a deposit's order. */
  readonly quoteId: QuoteId | undefined
  /** For a deposit: whether everything owed because of it has been paid for good. */
  readonly settled: boolean
  /** Whether every endpoint that answered confirmed it once more after it was stored; saved as false. */
  readonly confirmed: boolean
}

/** A deposit that names no order and is not returned yet. */
export type UnmatchedDeposit = StoredPayment & {
  /** How often in a row its return failed. */
  readonly failures: number
  /** How often in a row that was because its payer cannot be paid. */
  readonly unpayable: number
}

/** A deposit that names no order and is kept for the operator. */
export type HeldDeposit = StoredPayment & { readonly heldAt: Instant; readonly why: string }

/**
 * A message that an executor has decided to deliver from its own tokens. `commandId` and `transferId` are hex in lower case, `token`
 * is the bridge token on the destination in base units, `mostCost` the most that the transaction costs in wei. It is `open` until the
 * executor is `repaid`, or the delivery is `void`: it was never made, and never will be.
 */
export type FrontedDelivery = {
  readonly commandId: string
  readonly sourceChain: ChainId
  /** The destination. */
  readonly chainId: ChainId
  readonly token: string
  readonly transferId: string
  readonly amount: bigint
  readonly mostCost: bigint
  readonly decidedAt: Instant
  readonly outcome: 'open' | 'repaid' | 'void'
}

/** Everything the service remembers. `conformance.test.ts` is the contract of every store. */
export type Store = NotificationStore & {
  /** Saves the quotes of one answer (consecutive ids, lowest first); resolves when they survive a killed process. */
  readonly saveQuotes: (quotes: readonly QuoteRecord[]) => Promise<void>
  readonly findQuote: (quoteId: QuoteId) => Promise<QuoteRecord | undefined>
  readonly findTransfer: (quoteId: QuoteId, messageId: string) => Promise<Transfer | undefined>
  /** The transfers of a quote, by message id; the first 16. */
  readonly listTransfers: (quoteId: QuoteId) => Promise<readonly Transfer[]>
  /**
   * Saves `transfer` if the stored revision is still `transfer.revision - 1` (0: nothing stored yet) and no transfer of
   * another quote owns its message, and returns whether it did. A transfer owns its message unless its state is
   * AWAITING_DEPOSIT. The news are saved with it, as one pending notification for each webhook, or not at all. Durable against
   * power loss when it resolves.
   */
  readonly saveTransfer: (transfer: Transfer, news?: TransferNews) => Promise<boolean>
  /** The quote whose stored transfer owns the message. */
  readonly findMessageOwner: (messageId: string) => Promise<QuoteId | undefined>
  /** Remembers what a quote's transfer is found by, in comparable form; durable against power loss when it resolves. */
  readonly saveNames: (quoteId: QuoteId, names: readonly string[]) => Promise<void>
  /** The quotes whose transfers are found by the name, newest first, before the given one. */
  readonly listQuotesByName: (name: string, limit: number, before?: QuoteId) => Promise<readonly QuoteId[]>
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
  /**
   * The quotes of the given terms that were made in the five minutes up to an instant, in id order, of the newest 200
   * answers.
   */
  readonly listQuotesOfTerms: (terms: QuoteTerms, until: Instant) => Promise<readonly QuoteRecord[]>
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
   * Saves final payments and the cursor after them atomically; ignores payments already stored, except that one
   * takes the place of a void one. Durable against power
   * loss when it resolves.
   */
  readonly savePayments: (
    chainId: ChainId,
    cursor: ChainCursor,
    payments: readonly StoredPayment[],
  ) => Promise<void>
  /** Saves one final payment as `savePayments` does, without a cursor. Durable against power loss when it resolves. */
  readonly addPayment: (payment: StoredPayment) => Promise<void>
  /** The payment, unless it is void. */
  readonly findPayment: (key: PaymentKey) => Promise<StoredPayment | undefined>
  /** The stored payments of an order on every payment chain, by chain, block, transaction and position. */
  readonly findPayments: (orderId: OrderId) => Promise<readonly StoredPayment[]>
  /** The stored payments of a chain, by block, transaction and position, after the given one; at most `limit`. */
  readonly listPayments: (
    chainId: ChainId,
    limit: number,
    after?: PaymentPlace,
  ) => Promise<readonly StoredPayment[]>
  /** The unconfirmed payments of a chain, by block, transaction and position, after the given one; at most `limit`. */
  readonly listUnconfirmedPayments: (
    chainId: ChainId,
    limit: number,
    after?: PaymentPlace,
  ) => Promise<readonly StoredPayment[]>
  /** The confirmed payment of a chain with the highest block up to the given one. */
  readonly newestConfirmedPayment: (chainId: ChainId, upTo: bigint) => Promise<StoredPayment | undefined>
  /** Durable against power loss when it resolves. */
  readonly confirmPayment: (key: PaymentKey) => Promise<void>
  /**
   * Voids a payment that was never made: no other method finds it any more. The deposits that a void payout paid for are
   * unsettled again. The payout that it seemed to be is open again, or counts as failed if it was only found on the
   * chain. Durable against power loss when it resolves.
   */
  readonly voidPayment: (key: PaymentKey) => Promise<void>
  /** Unsettled deposits of orders, by chain, transaction and position, after the given one. */
  readonly listUnsettledDeposits: (limit: number, after?: PaymentKey) => Promise<readonly StoredPayment[]>
  /** Marks deposits as settled, each independently; durable against power loss when it resolves. */
  readonly settleDeposits: (keys: readonly PaymentKey[]) => Promise<void>
  /**
   * Unsettled deposits that name no order and are to be tried between two instants, without the first one, the longest due first.
   * One that was never tried is due at 0, older blocks first.
   */
  readonly listUnmatchedDeposits: (
    after: Instant,
    until: Instant,
    limit: number,
  ) => Promise<readonly UnmatchedDeposit[]>
  /** Notes when a deposit that names no order is to be tried next, and how often it failed. */
  readonly postponeDeposit: (
    key: PaymentKey,
    next: Pick<UnmatchedDeposit, 'failures' | 'unpayable'> & { readonly tryAt: Instant },
  ) => Promise<void>
  /**
   * Keeps an unsettled deposit that names no order for the operator, and returns whether it did; the deposit counts as settled.
   * Durable against power loss when it resolves.
   */
  readonly holdDeposit: (key: PaymentKey, held: Pick<HeldDeposit, 'heldAt' | 'why'>) => Promise<boolean>
  /** Makes a held deposit an unsettled one that was never tried, and returns whether it did. Durable like `holdDeposit`. */
  readonly freeDeposit: (key: PaymentKey) => Promise<boolean>
  /** Held deposits, by chain, transaction and position, after the given one. */
  readonly listHeldDeposits: (limit: number, after?: PaymentKey) => Promise<readonly HeldDeposit[]>
  readonly countHeldDeposits: () => Promise<ReadonlyMap<ChainId, number>>
  /**
   * Saves a signed transaction before it is broadcast and returns whether it did: false if the key or the sender's
   * nonce is taken. Durable against power loss when it resolves.
   */
  readonly addTransaction: (transaction: StoredTransaction) => Promise<boolean>
  /**
   * Replaces the given signature by a new one of the same call, before it is broadcast, and returns whether it did:
   * false if the transaction is not open, has another newest signature, or the nonce belongs to another transaction of
   * the sender. Durable against power loss.
   */
  readonly resignTransaction: (
    seen: SeenSignature,
    next: NextSignature & Pick<StoredTransaction, 'nonce'>,
  ) => Promise<boolean>
  readonly findTransaction: (key: string) => Promise<StoredTransaction | undefined>
  /** The transaction of the sender on the chain with this nonce, open or settled. */
  readonly findTransactionAt: (
    chainId: ChainId,
    sender: string,
    nonce: number,
  ) => Promise<StoredTransaction | undefined>
  /** Open transactions of one sender on one chain, by nonce; the first 1,000. */
  readonly listOpenTransactions: (chainId: ChainId, sender: string) => Promise<readonly StoredTransaction[]>
  /** The lowest nonce from `from` on that no transaction of the sender on the chain has, open or settled. */
  readonly freeNonce: (chainId: ChainId, sender: string, from: number) => Promise<number>
  /**
   * Records the final outcome of a transaction and the signature it came from, and returns whether it did: false if it
   * is not open, or if its newest signature is not the given one, whose receipt was not read. Only `reopenTransaction` changes an
   * outcome.
   */
  readonly settleTransaction: (
    seen: SeenSignature,
    ended: { readonly outcome: FinalTransactionOutcome; readonly txHash: string },
  ) => Promise<boolean>
  /**
   * Opens a succeeded transaction that left its chain, and returns whether it did. `txHash`: the hash of its stored signature,
   * which may not be the one that was mined; that one becomes an earlier hash.
   */
  readonly reopenTransaction: (seen: SeenSignature, txHash: string) => Promise<boolean>
  /**
   * Saves a signed payout before it is broadcast and returns whether it did: false if the key is taken. Durable against
   * power loss when it resolves.
   */
  readonly addPayout: (payout: StoredPayout) => Promise<boolean>
  /**
   * Replaces the given signature by a new one of the same payment, before it is broadcast, and returns whether it did:
   * false if the payout is not open or has another newest signature. Durable against power loss.
   */
  readonly resignPayout: (seen: SeenSignature, next: NextSignature) => Promise<boolean>
  readonly findPayout: (key: string) => Promise<StoredPayout | undefined>
  /** Open payouts of one account on one chain, in the order of their newest signatures; the first 1,000. */
  readonly listOpenPayouts: (chainId: ChainId, sender: string) => Promise<readonly StoredPayout[]>
  /**
   * Records the final outcome of a payout and returns whether it did: false if it is not open, or if its newest
   * signature is not the given one. Only `voidPayment` changes an outcome.
   */
  readonly settlePayout: (seen: SeenSignature, outcome: FinalPayoutOutcome) => Promise<boolean>
  /** Stores an order as declined; the first time is kept. Durable against power loss when it resolves. */
  readonly addDeclinedOrder: (declined: DeclinedOrder) => Promise<void>
  readonly findDeclinedOrder: (orderId: OrderId) => Promise<DeclinedOrder | undefined>
  /** The newest transaction that a co-signer signed for something owed. */
  readonly findCosigned: (obligation: string) => Promise<CosignedPayout | undefined>
  /**
   * Stores what a co-signer is about to sign and returns whether it did: false if another transaction than `replaced` is
   * stored. Durable against power loss when it resolves.
   */
  readonly saveCosigned: (
    obligation: string,
    payout: CosignedPayout,
    replaced: string | undefined,
  ) => Promise<boolean>
  readonly listDepositUses: (deposit: string) => Promise<readonly DepositUse[]>
  /** Stores the part of a deposit for something owed, in place of an earlier one. Durable against power loss when it resolves. */
  readonly useDeposit: (deposit: string, use: DepositUse) => Promise<void>
  /** Stores that an order was named; the first time is kept. */
  readonly nameOrder: (muxedId: bigint, order: NamedOrder) => Promise<void>
  /** The first two orders that were named with a muxed id, by time. */
  readonly listNamedOrders: (muxedId: bigint) => Promise<readonly NamedOrder[]>
  readonly forgetNamedOrders: (before: Instant) => Promise<void>
  /** Stores the transaction that contains an order; it replaces an earlier one of the same purpose. */
  readonly addToBatch: (purpose: BatchPurpose, orderId: OrderId, batch: OrderBatch) => Promise<void>
  readonly findBatch: (purpose: BatchPurpose, orderId: OrderId) => Promise<OrderBatch | undefined>
  /** Stores a claim; one that is stored stays as it is. Durable against power loss when it resolves. */
  readonly addClaim: (claim: Claim) => Promise<void>
  /** Claims by order, after the given one. */
  readonly listClaims: (limit: number, after?: OrderId) => Promise<readonly Claim[]>
  readonly removeClaim: (orderId: OrderId) => Promise<void>
  /**
   * Stores a delivery as open and returns whether it did: false if one of its command is stored. Durable against power loss when it
   * resolves.
   */
  readonly addFrontedDelivery: (delivery: Omit<FrontedDelivery, 'outcome'>) => Promise<boolean>
  /** Ends an open delivery and returns whether it did. An end never changes. */
  readonly endFrontedDelivery: (commandId: string, outcome: 'repaid' | 'void') => Promise<boolean>
  /** The open deliveries and those decided at or after the instant, by command, after the given one. */
  readonly listFrontedDeliveries: (
    since: Instant,
    limit: number,
    after?: string,
  ) => Promise<readonly FrontedDelivery[]>
  /** Whether a delivery from one chain to the other was ever repaid. */
  readonly hasRepaidDelivery: (sourceChain: ChainId, chainId: ChainId) => Promise<boolean>
  /**
   * Stores an order of a solver as open and returns whether it did: one that is stored stays as it is. Durable against power
   * loss when it resolves.
   */
  readonly addSolverOrder: (order: SolverOrder) => Promise<boolean>
  /** Ends an open order and returns whether it did: false if it has ended. An end never changes. */
  readonly endSolverOrder: (orderId: OrderId, end: SolverOrderEnd) => Promise<boolean>
  /** The open orders of solvers by id, after the given one. */
  readonly listOpenSolverOrders: (limit: number, after?: OrderId) => Promise<readonly SolverOrder[]>
  /** The orders of solvers that ended at or after the instant, by end and id, after the given one. */
  readonly listEndedSolverOrders: (
    since: Instant,
    limit: number,
    after?: Pick<EndedSolverOrder, 'endedAt' | 'orderId'>,
  ) => Promise<readonly EndedSolverOrder[]>
  /**
   * Compacts the answers made before one instant, and deletes those made before another that have no transfer, payment or
   * order of a solver; returns how many answers were deleted. Compacted quotes are read like others.
   */
  readonly purgeQuotes: (ages: QuoteAges) => Promise<number>
  /** Resolves if the store can be written and read. */
  readonly ping: () => Promise<void>
  readonly close: () => Promise<void>
}
