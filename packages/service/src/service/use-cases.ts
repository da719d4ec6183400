import type { ChainId, SolverSummary } from '@openrfq/sdk'
import type { Chain } from '../core/chain.ts'
import type { OpeningAnswer, OpeningRequest } from '../core/opening.ts'
import type { QuoteRequest } from '../core/order.ts'
import type { RankedQuote } from '../core/ranked-quote.ts'
import type { StatusAnswer, StatusQuery } from '../core/status.ts'
import type { RecoveryAnswer, RecoveryQuery } from './get-recovery.ts'
import type { TransferAnswer } from './get-transfer.ts'
import type { TransferPage, TransferPageQuery } from './list-transfers.ts'
import type { ServedToken } from './listing.ts'
import type { GetLogo } from './logos.ts'
import type { Readiness } from './readiness.ts'
import type { FoundTransfers } from './search-transfers.ts'
import type { StatusFeed } from './status-feed.ts'

/** A token filter; an absent field matches all. */
export type TokenFilter = {
  readonly chain?: ChainId | undefined
  readonly backend?: string | undefined
  readonly verified?: boolean | undefined
}

/**
 * The service's use cases; each rejects with `RfqError` for a failed request. Chains and tokens are constant during the
 * life of a process.
 */
export type UseCases = {
  /** The backend types that a token filter may name: those of the interface and of every registered backend. */
  readonly backendTypes: readonly string[]
  readonly listChains: () => readonly Chain[]
  /** Throws UNSUPPORTED_CHAIN for a chain that is not served. */
  readonly listTokens: (filter: TokenFilter) => readonly ServedToken[]
  /**
   * Ranked quotes, durable when it resolves; `client` is who asks, by the key of its limits. Throws every 4xx code of the
   * quote endpoint except RATE_LIMITED.
   */
  readonly requestQuotes: (request: QuoteRequest, client: string) => Promise<readonly RankedQuote[]>
  /** `client` as above. Throws INVALID_REQUEST for a malformed message id. */
  readonly getStatus: (query: StatusQuery, client: string) => Promise<StatusAnswer>
  /** The quote of a status look-up with the status; rejects as `getStatus` does. */
  readonly getTransfer: (query: StatusQuery, client: string) => Promise<TransferAnswer>
  /** The stored transfers that a text may mean. */
  readonly searchTransfers: (text: string) => Promise<FoundTransfers>
  /** What moves a late transfer on, as actions of an account; rejects as `getStatus` does, and for no address. */
  readonly getRecovery: (query: RecoveryQuery, client: string) => Promise<RecoveryAnswer>
  /** The stored transfers of an account, a page at a time. */
  readonly listTransfers: (query: TransferPageQuery) => Promise<TransferPage>
  /** The status now and its changes; rejects as `getStatus` does. */
  readonly followStatus: StatusFeed['follow']
  /** Opens the order of a quote by its sender's signatures; undefined where the operator opens none. */
  readonly openOrder: ((request: OpeningRequest, client: string) => Promise<OpeningAnswer>) | undefined
  readonly getLogo: GetLogo
  /** The solvers of intents; none if the operator names none. */
  readonly listSolvers: () => readonly SolverSummary[]
  /** Whether requests should be sent to this process, and which parts do not serve. */
  readonly readiness: () => Promise<Readiness>
}
