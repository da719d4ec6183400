import type {
  ChainId,
  DepositAddress,
  EvmTransaction,
  RecoveryKind,
  RecoveryOutcome,
  RefundTerms,
  SolanaInstructions,
} from '@openrfq/sdk'
import type { NetworkChain, NetworkToken } from '../core/network.ts'
import type { Decline, Offer } from '../core/offer.ts'
import type { OpeningAnswer, OpeningRequest } from '../core/opening.ts'
import type { AssetPair, Order } from '../core/order.ts'
import type { QuoteId } from '../core/quote-id.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import type { Token } from '../core/token.ts'
import type { Details, Observation } from '../core/transfer.ts'
import type { Closed } from '../core/written.ts'
import type { Lifecycle } from '../lib/lifecycle.ts'

/** A pair of assets that one backend serves, with what the backend needs to price it. */
export type Route = AssetPair & { readonly backend: string }

/**
 * The message that a status request names besides the quote. Both fields are present, well formed and of one chain
 * family.
 */
export type Lookup = { readonly messageId: string; readonly sourceChain: ChainId } | null

/**
 * The message of a quote's transfer by its full id; or why there is none: the source chain shows none (yet), the named one
 * belongs to something else, or a read failed. `candidates` are the ids of messages of the quote's terms that a newer
 * quote got since they are untagged, or whose tags do not say which of several quotes they are for.
 */
export type Located =
  | { readonly located: 'found'; readonly messageId: string }
  | { readonly located: 'nothing'; readonly candidates: readonly string[] }
  | { readonly located: 'mismatched' | 'unreadable' }

/**
 * A refund that is due: one call that anybody may make and that pays the depositor or unblocks the transfer. `value` in
 * wei, absent for none. `key` is unique per attempt, so that each attempt is signed once.
 */
export type RefundCall = EvmRefundCall | ProgramRefundCall

type EvmRefundCall = {
  readonly key: string
  readonly chainId: ChainId
  readonly to: string
  readonly data: string
  readonly value?: bigint
  readonly gasLimit: bigint
}

/** A refund by a program on Solana, which succeeds at most once; the account that sends it signs as its caller. */
export type ProgramRefundCall = {
  readonly key: string
  readonly chainId: ChainId
  readonly instructionsBy: (caller: string) => SolanaInstructions['instructions']
  readonly unitLimit: number
}

/** A call that an account of the chain may make to move a late transfer on, and the state that follows from it. */
export type RecoveryCall = {
  readonly kind: RecoveryKind
  readonly label: string
  readonly chainId: ChainId
  readonly leadsTo: RecoveryOutcome
  /** What it pays beside gas, in base units of the chain's native asset. */
  readonly value?: bigint | undefined
  /** The only accounts for which it succeeds; undefined for any. */
  readonly by?: readonly string[] | undefined
  /** What the account signs; the account is canonical on the chain. */
  readonly payloadBy: (account: string) => EvmTransaction | SolanaInstructions
}

/** The event of an EVM source transaction that names a transfer: its position in the receipt completes the message id. */
type MessageEvent = {
  /** Topic 0: 32 bytes as lower-case hex. */
  readonly topic: string
  /** Whom topic 1 names: the quote's sender, or the contract that the last action calls. */
  readonly caller: 'sender' | 'contract'
  /** The contract that emits the event for a token of a chain; undefined where the backend starts no transfers. */
  readonly emitter: (chain: NetworkChain, fromToken: string) => string | undefined
}

/** What a quote said about its refund, and where it is paid by a plain payment; null otherwise. */
type RecalledTerms = {
  readonly refund: Closed<RefundTerms>
  readonly deposit: DepositAddress | null
}

/** A backend's result for an order. */
export type QuoteResult = readonly Offer[] | Decline

/** A backend's properties from its configuration, known before it runs. */
export type BackendIdentity = {
  /**
   * Its type in quotes and statuses: lower-case letters, digits and hyphens. The SDK's `BackendType` lists the known
   * ones.
   */
  readonly type: string
  readonly name: string
  /**
   * Accounts of the protocol on a chain with the given tokens: contracts, vaults and routers, in any spelling. Every
   * account that the backend's actions call, approve or pay belongs here; the service rejects them as sender and
   * recipient.
   */
  readonly contracts: (chain: NetworkChain, tokens: readonly NetworkToken[]) => readonly string[]
  /** The event whose position in the source transaction is the message id; null if the quote alone identifies the transfer. */
  readonly messageEvent: MessageEvent | null
}

/** A backend's operations. */
export type RunningBackend = Lifecycle & {
  /** Whether at least one route starts or ends at the token. From the catalogue; no network. */
  readonly serves: (token: Token) => boolean
  /** The routes between the two assets, from the catalogue; none if the backend does not serve the pair. */
  readonly routes: (pair: AssetPair) => readonly Route[]
  /**
   * Prices an order from cached facts, best offer first; more than one only where several solvers compete on one route.
   * A decline is a value; a rejection means the backend itself failed.
   */
  readonly quote: (order: Order, route: Route) => Promise<QuoteResult>
  /**
   * Finds the message of the quote's transfer: the one of the given name, `<transaction hash>` with or without an index, or
   * without a name the one whose transaction carries the quote's tag. Present where `messageEvent` is not null. `client`
   * is whose share of the chain reads is used. A failed read is reported as `unreadable`, never thrown.
   */
  readonly locate?: (quote: QuoteRecord, name: string | undefined, client: string) => Promise<Located>
  /**
   * Reads the state of the quote's transfer from the chains. A failed read is reported as `unreadable`, never thrown.
   */
  readonly track: (quote: QuoteRecord, lookup: Lookup) => Promise<Observation>
  /**
   * Deposits that arrived after the transfer reached a terminal state, and their refunds; merged into the details.
   * Reads no chain. Rejects if the store cannot be read.
   */
  readonly lateDeposits?: (quote: QuoteRecord) => Promise<Details>
  /** The stored quotes whose deposit is paid to an address of their own. Reads no chain; rejects if the store cannot be read. */
  readonly quotesOfDeposit?: (address: string) => Promise<readonly QuoteId[]>
  /** The terms of a stored quote that its record does not contain. */
  readonly recall?: (quote: QuoteRecord) => RecalledTerms
  /**
   * The refund that is due for a transfer in REFUND_PENDING or REFUND_INITIATED, or whose delivery fails; undefined while
   * none can be made or one may still succeed. The key changes only after the previous attempt has finally failed.
   */
  readonly refundCall?: (quote: QuoteRecord, lookup: Lookup) => Promise<RefundCall | undefined>
  /**
   * Opens the transfer of a quote by its sender's signatures, at the operator's cost. `client` is whose share of the tries is
   * used. Throws INVALID_REQUEST for what can never open it, and RATE_LIMITED.
   */
  readonly open?: (quote: QuoteRecord, request: OpeningRequest, client: string) => Promise<OpeningAnswer>
  /**
   * What would move a transfer on that is neither resolved nor on its way; empty while nothing would. Rejects if a chain or
   * indexer cannot be read.
   */
  readonly recoveries?: (quote: QuoteRecord, lookup: Lookup) => Promise<readonly RecoveryCall[]>
}

/**
 * One execution route. Backends are plain objects made by factories; `conformance.long.test.ts` tests the contract that all
 * share.
 */
export type Backend = BackendIdentity & RunningBackend
