import type { BackendType, ChainId, Token } from '@openrfq/sdk'
import type { Decline, Offer } from '../core/offer.ts'
import type { AssetPair, Order } from '../core/order.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import type { Details, Observation } from '../core/transfer.ts'

/** A pair of assets that one backend serves, with what the backend needs to price it. */
export type Route = AssetPair & { readonly backend: BackendType }

/** What the caller of status names besides the quote. Both are present, well formed and of one chain family. */
export type Lookup = { readonly messageId: string; readonly sourceChain: ChainId } | null

/**
 * A refund that is due: one call that anybody may make, and that pays the depositor, or lets the payment move. `value` in
 * wei, none where it is absent. `key` is unique for one attempt,
 * so that it is signed once.
 */
export type RefundCall = {
  readonly key: string
  readonly chainId: ChainId
  readonly to: string
  readonly data: string
  readonly value?: bigint
  readonly gasLimit: bigint
}

/** What a backend answers to an order. */
export type QuoteResult = readonly Offer[] | Decline

/** One execution route. Objects are made by factories; `conformance.test.ts` holds what every backend keeps. */
export type Backend = {
  readonly type: BackendType
  readonly name: string
  /** Whether the transfer is found by a message the caller names, rather than by the quote alone. */
  readonly needsMessage: boolean
  /** Whether at least one route starts or ends at the token. From the catalogue; no network. */
  readonly serves: (token: Token) => boolean
  /** The routes between the two assets, from the catalogue; none when the backend does not serve the pair. */
  readonly routes: (pair: AssetPair) => readonly Route[]
  /**
   * Prices an order from cached facts, best offer first; more than one only where others compete on one route. At once
   * when nothing has to be read for it. A refusal is a value; an error or a rejection means the backend itself failed.
   */
  readonly quote: (order: Order, route: Route) => QuoteResult | Promise<QuoteResult>
  /** Reads what the chains say about the quote's transfer. Failed reads are answered as `unreadable`, never thrown. */
  readonly track: (quote: QuoteRecord, lookup: Lookup) => Promise<Observation>
  /**
   * What is known now beside a transfer whose state is final, such as deposits that came later and their way back; it
   * joins the details. Reads no chain. Rejects when the store cannot be read.
   */
  readonly lateDeposits?: (quote: QuoteRecord) => Promise<Details>
  /**
   * The refund that is due for a transfer in REFUND_PENDING or REFUND_INITIATED, or undefined while none can be made or
   * one may still succeed. Another key follows only one that has paid nothing for good.
   */
  readonly refundCall?: (quote: QuoteRecord, lookup: Lookup) => Promise<RefundCall | undefined>
  /** Starts refreshing the cached facts and resolves after the first attempt; `stop` ends it. */
  readonly start: () => Promise<void>
  readonly stop: () => void
}
