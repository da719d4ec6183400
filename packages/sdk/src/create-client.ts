import { z } from 'zod'
import type { BackendType } from './backend-type.ts'
import { Chain, type ChainId } from './chain.ts'
import type { ApprovalMode, OrderType } from './order-type.ts'
import { type Quote, QuoteAnswer } from './quote.ts'
import { request } from './request.ts'
import { findSandbox, type SandboxInfo, type SolverMode, setSolverMode } from './sandbox.ts'
import type { Connection } from './send-request.ts'
import { Status } from './status.ts'
import type { StatusQuery } from './status-query.ts'
import { ListedToken } from './token.ts'
import { type TransferWait, type WaitOutcome, waitForTransfer } from './wait-for-transfer.ts'

/** Which tokens are asked for; an absent field filters nothing. */
type TokenFilter = {
  readonly chain?: ChainId | undefined
  readonly backend?: BackendType | undefined
  readonly verified?: boolean | undefined
}

/** What a quote is asked for. Source: interface "POST /v1/rfq/quote". */
export type QuoteParams = {
  readonly fromChain: ChainId
  readonly fromToken: string
  readonly toChain: ChainId
  readonly toToken: string
  /** Base units of `fromToken` for EXACT_INPUT, of `toToken` for EXACT_OUTPUT. */
  readonly amount: bigint
  readonly orderType: OrderType
  readonly sender: string
  readonly recipient: string
  /** The most that the output may fall below its expected amount, in basis points. */
  readonly slippageTolerance?: number | undefined
  readonly options?: { readonly approvalMode?: ApprovalMode | undefined } | undefined
}

/**
 * The service as a typed object. Every call rejects with RfqError when the service refuses it and with ServiceFault
 * when there was no usable answer.
 */
export type Client = {
  readonly getChains: () => Promise<readonly Chain[]>
  readonly getTokens: (filter?: TokenFilter) => Promise<readonly ListedToken[]>
  /** Ranked, index 0 recommended; empty when the route is supported and nothing prices it now. */
  readonly getQuotes: (params: QuoteParams) => Promise<readonly Quote[]>
  readonly getStatus: (query: StatusQuery) => Promise<Status>
  readonly waitForTransfer: (wait: TransferWait) => Promise<WaitOutcome>
  /** Undefined when the service serves real chains. */
  readonly getSandbox: () => Promise<SandboxInfo | undefined>
  /** Of a sandbox only: what all its solvers do with deposits from now on. */
  readonly setSolverMode: (mode: SolverMode) => Promise<void>
}

/** Where the service is; `timeoutMs` bounds each attempt of a request, 10 seconds by default. */
export type ClientOptions = {
  readonly baseUrl: string
  readonly fetch?: typeof fetch
  readonly timeoutMs?: number
}

const DEFAULT_TIMEOUT_MS = 10_000

const ChainAnswer = z.object({ chains: z.array(Chain) })
const TokenAnswer = z.object({ tokens: z.array(ListedToken) })

/** A client of the service at `baseUrl` (without `/v1`); needs nothing but `fetch`, so it runs in browsers too. */
export const createClient = (options: ClientOptions): Client => {
  const connection: Connection = {
    baseUrl: options.baseUrl,
    fetch: options.fetch ?? fetch,
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
  }
  const readStatus = (query: StatusQuery, signal?: AbortSignal): Promise<Status> =>
    request(connection, { method: 'GET', path: 'v1/rfq/status', query, signal }, Status)
  return {
    getChains: async () =>
      (await request(connection, { method: 'GET', path: 'v1/rfq/chains' }, ChainAnswer)).chains,
    getTokens: async (filter = {}) => {
      const query = { ...filter, verified: filter.verified?.toString() }
      return (await request(connection, { method: 'GET', path: 'v1/rfq/tokens', query }, TokenAnswer)).tokens
    },
    getQuotes: async (params) => {
      const body = { ...params, amount: params.amount.toString() }
      return (await request(connection, { method: 'POST', path: 'v1/rfq/quote', body }, QuoteAnswer)).quotes
    },
    getStatus: (query) => readStatus(query),
    waitForTransfer: (wait) => waitForTransfer(readStatus, wait),
    getSandbox: () => findSandbox(connection),
    setSolverMode: (mode) => setSolverMode(connection, mode),
  }
}
