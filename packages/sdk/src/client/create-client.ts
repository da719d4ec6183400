import type { BackendType } from '../wire/backend-type.ts'
import { type Chain, type ChainId, ChainsAnswer } from '../wire/chain.ts'
import { OpeningAnswer, type OpeningMethod } from '../wire/opening.ts'
import type { ApprovalMode, OrderType } from '../wire/order-type.ts'
import { type Quote, QuoteAnswer } from '../wire/quote.ts'
import { RecoveryAnswer } from '../wire/recovery.ts'
import { type SolverSummary, SolversAnswer } from '../wire/solver.ts'
import { isSettled, Status } from '../wire/status.ts'
import { type ListedToken, TokensAnswer } from '../wire/token.ts'
import { SearchAnswer, TransferAnswer, TransfersAnswer } from '../wire/transfer-answer.ts'
import { checkTimeout } from './deadline.ts'
import { request } from './request.ts'
import type { Connection } from './send-request.ts'
import { createServiceTime } from './service-time.ts'
import type { StatusQuery } from './status-query.ts'
import { createSteadyClock } from './steady-clock.ts'
import { type TransferWait, type WaitOutcome, waitForTransfer } from './wait-for-transfer.ts'
import { type WatchOptions, watch } from './watch.ts'

/**
 * Filters of the token list; an absent field does not filter.
 * @example
 * const reviewed: TokenFilter = { chain: 'eip155:1', verified: true }
 */
export type TokenFilter = {
  readonly chain?: ChainId | undefined
  readonly backend?: BackendType | undefined
  readonly verified?: boolean | undefined
}

/**
 * The transfer to quote. `amount` is in base units of `fromToken` for EXACT_INPUT and of `toToken` for EXACT_OUTPUT;
 * `slippageTolerance` is in basis points. Source: interface "POST /v1/rfq/quote".
 * @example
 * const params: QuoteParams = {
 *   fromChain: 'eip155:1', fromToken: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
 *   toChain: 'eip155:43114', toToken: '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E',
 *   amount: 25_000_000n, orderType: 'EXACT_INPUT',
 *   sender: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', recipient: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
 * }
 */
export type QuoteParams = {
  readonly fromChain: ChainId
  readonly fromToken: string
  readonly toChain: ChainId
  readonly toToken: string
  readonly amount: bigint
  readonly orderType: OrderType
  /** Signs the actions and pays the input. */
  readonly sender: string
  readonly recipient: string
  readonly slippageTolerance?: number | undefined
  /** `approvalMode` EXACT (default) approves exactly the input, MAX an unlimited amount. */
  readonly options?: { readonly approvalMode?: ApprovalMode | undefined } | undefined
}

/**
 * A page of the transfers of an address: at most `limit` (20 by default, 100 at most) of quotes before `before`.
 * @example
 * const query: TransfersQuery = { address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', limit: 50 }
 */
export type TransfersQuery = {
  readonly address: string
  readonly limit?: number | undefined
  /** `next` of the page before. */
  readonly before?: string | undefined
}

/**
 * Which transfer, as for its status, and the account that would sign what moves it on.
 * @example
 * const query: RecoveryQuery = { quoteId: 'quote_1', account: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }
 */
export type RecoveryQuery = StatusQuery & { readonly account?: string | undefined }

/**
 * The sender's signatures of what a quote's opening says is to be signed, in its order.
 * @example
 * const params: OpeningParams = { quoteId: 'quote_1', method: 'erc3009', signatures: [`0x${'00'.repeat(65)}`] }
 */
export type OpeningParams = {
  readonly quoteId: string
  readonly method: OpeningMethod
  readonly signatures: readonly string[]
}

/**
 * Options of every client call; an aborted `signal` rejects the call with its reason.
 * @example
 * const controller = new AbortController()
 * const options: CallOptions = { signal: controller.signal }
 * const chains = createClient({ baseUrl: 'https://rfq.example' }).getChains(options)
 */
export type CallOptions = { readonly signal?: AbortSignal | undefined }

/**
 * A typed client of the service. Every call rejects with RfqError when the service rejects the request, and with
 * TransportError when there is no usable answer; reads are repeated a few times first.
 * @example
 * const statesOf = async (client: Client, quoteIds: readonly string[]) =>
 *   Promise.all(quoteIds.map(async (quoteId) => (await client.getStatus({ quoteId })).state))
 */
export type Client = {
  /**
   * The service's time in milliseconds since 1970, to compare expiries with: the device's, put right by the `date` of each answer.
   * Up to a second ahead of the service's, never behind it, and the device's own until the first answer.
   */
  readonly now: () => number
  readonly getChains: (options?: CallOptions) => Promise<readonly Chain[]>
  readonly getTokens: (filter?: TokenFilter, options?: CallOptions) => Promise<readonly ListedToken[]>
  /** Ranked, the recommended quote first; empty when the route is supported but no backend prices it now. */
  readonly getQuotes: (params: QuoteParams, options?: CallOptions) => Promise<readonly Quote[]>
  readonly getStatus: (query: StatusQuery, options?: CallOptions) => Promise<Status>
  /** What the service keeps of a quote, and where its transfer is now. */
  readonly getTransfer: (query: StatusQuery, options?: CallOptions) => Promise<TransferAnswer>
  /** The transfers that an address pays or receives, newest quote first, as they are stored. */
  readonly getTransfers: (query: TransfersQuery, options?: CallOptions) => Promise<TransfersAnswer>
  /** The stored transfers that a hash, message id, address, deposit address or quote id finds, newest quote first. */
  readonly searchTransfers: (text: string, options?: CallOptions) => Promise<readonly TransferAnswer[]>
  /** What moves a late transfer on, as actions that `account` may sign. */
  readonly getRecovery: (query: RecoveryQuery, options?: CallOptions) => Promise<RecoveryAnswer>
  /** The solvers that may quote intents, and how their orders ended on each pair. */
  readonly getSolvers: (options?: CallOptions) => Promise<readonly SolverSummary[]>
  /** Has the operator open the order of a quote by its sender's signatures; `gaslessPayer` makes them. Not repeated when it fails. */
  readonly openOrder: (opening: OpeningParams, options?: CallOptions) => Promise<OpeningAnswer>
  /** Polls until the transfer is resolved or the timeout has passed; failed reads are repeated. */
  readonly waitForTransfer: (wait: TransferWait) => Promise<WaitOutcome>
  /** Yields the status now and after each change until DONE, REFUNDED, FAILED or NOT_FOUND; lost connections are opened again. */
  readonly watchStatus: (
    query: StatusQuery,
    options?: WatchOptions,
  ) => AsyncGenerator<Status, void, undefined>
  /** Yields quotes as `getQuotes` now and every five seconds until it is left; each list replaces the one before. */
  readonly watchQuotes: (
    params: QuoteParams,
    options?: WatchOptions,
  ) => AsyncGenerator<readonly Quote[], void, undefined>
}

/**
 * The service's base URL (without `/v1`). `timeoutMs` bounds each attempt of a request, 10 seconds by default; `fetch`
 * replaces the global one.
 * @example
 * const options: ClientOptions = { baseUrl: 'http://127.0.0.1:8080', timeoutMs: 3_000 }
 */
export type ClientOptions = {
  readonly baseUrl: string
  readonly fetch?: typeof fetch
  readonly timeoutMs?: number
}

const DEFAULT_TIMEOUT_MS = 10_000

/**
 * Creates a client of the service at `baseUrl`; its only requirement is `fetch`. Throws TypeError for an invalid URL or
 * `fetch`, and RangeError for a timeout that timers cannot represent.
 * @example
 * const client = createClient({ baseUrl: 'http://127.0.0.1:8080' })
 * for (const { chainId, chainLabel } of await client.getChains()) console.log(chainId, chainLabel)
 */
export const createClient = (options: ClientOptions): Client => {
  const time = createServiceTime(fetchOf(options), createSteadyClock())
  const connection = connectionOf(options, time.fetch)
  const readStatus = (query: StatusQuery, signal?: AbortSignal): Promise<Status> => {
    const { quoteId, messageId, sourceChain } = query
    const named = { quoteId, messageId, sourceChain }
    return request(connection, { method: 'GET', path: 'v1/rfq/status', query: named, signal }, Status)
  }
  return {
    now: time.now,
    getChains: async ({ signal } = {}) =>
      (await request(connection, { method: 'GET', path: 'v1/rfq/chains', signal }, ChainsAnswer)).chains,
    getTokens: async ({ chain, backend, verified } = {}, { signal } = {}) => {
      const query = { chain, backend, verified: verified?.toString() }
      const call = { method: 'GET', path: 'v1/rfq/tokens', query, signal } as const
      return (await request(connection, call, TokensAnswer)).tokens
    },
    getQuotes: async (params, { signal } = {}) => (await readQuotes(connection, params, signal)).quotes,
    getStatus: async (query, { signal } = {}) => readStatus(query, signal),
    getTransfer: async ({ quoteId, messageId, sourceChain }, { signal } = {}) => {
      const query = { quoteId, messageId, sourceChain }
      return request(connection, { method: 'GET', path: 'v1/rfq/transfer', query, signal }, TransferAnswer)
    },
    getTransfers: async ({ address, limit, before }, { signal } = {}) => {
      const query = { address, limit: limit?.toString(), before }
      return request(connection, { method: 'GET', path: 'v1/rfq/transfers', query, signal }, TransfersAnswer)
    },
    searchTransfers: async (text, { signal } = {}) => {
      const call = { method: 'GET', path: 'v1/rfq/search', query: { text }, signal } as const
      return (await request(connection, call, SearchAnswer)).transfers
    },
    getRecovery: async ({ quoteId, messageId, sourceChain, account }, { signal } = {}) => {
      const query = { quoteId, messageId, sourceChain, account }
      return request(connection, { method: 'GET', path: 'v1/rfq/recovery', query, signal }, RecoveryAnswer)
    },
    getSolvers: async ({ signal } = {}) =>
      (await request(connection, { method: 'GET', path: 'v1/solvers', signal }, SolversAnswer)).solvers,
    openOrder: async ({ quoteId, method, signatures }, { signal } = {}) => {
      const body = JSON.stringify({ quoteId, method, signatures })
      return request(connection, { method: 'POST', path: 'v1/rfq/orders', body, signal }, OpeningAnswer)
    },
    waitForTransfer: async (wait) => waitForTransfer(readStatus, wait),
    watchStatus: ({ quoteId, messageId, sourceChain }, options = {}) => {
      const query = { quoteId, messageId, sourceChain }
      const isLast = (status: Status): boolean => isSettled(status) || status.state === 'NOT_FOUND'
      const read = (signal: AbortSignal | undefined): Promise<Status> => readStatus(query, signal)
      const watched = { path: 'v1/rfq/status/stream', query, event: 'status', schema: Status, isLast, read }
      return watch(connection, watched, options)
    },
    watchQuotes: (params, options = {}) => watchQuotes(connection, params, options),
  }
}

const readQuotes = async (
  connection: Connection,
  params: QuoteParams,
  signal: AbortSignal | undefined,
): Promise<QuoteAnswer> => {
  const call = { method: 'POST', path: 'v1/rfq/quote', body: bodyOf(params), signal } as const
  return request(connection, call, QuoteAnswer)
}

async function* watchQuotes(
  connection: Connection,
  params: QuoteParams,
  watchOptions: WatchOptions,
): AsyncGenerator<readonly Quote[], void, undefined> {
  const { amount, options, slippageTolerance, ...ends } = params
  const query = {
    ...ends,
    amount: textOf(amount),
    slippageTolerance: slippageTolerance?.toString(),
    approvalMode: options?.approvalMode,
  }
  const isLast = (): boolean => false
  const read = (signal: AbortSignal | undefined): Promise<QuoteAnswer> =>
    readQuotes(connection, params, signal)
  const watched = { path: 'v1/rfq/quote/stream', query, event: 'quotes', schema: QuoteAnswer, isLast, read }
  const answers = watch(connection, watched, watchOptions)
  try {
    for (let next = await answers.next(); next.done !== true; next = await answers.next())
      yield next.value.quotes
  } finally {
    await answers.return()
  }
}

/** Called without a receiver, as browsers require, and looked up at each call, so that a later replacement is used. */
const fetchOf = ({ fetch }: ClientOptions): typeof globalThis.fetch => {
  if (fetch !== undefined && typeof fetch !== 'function')
    throw new TypeError(`fetch is ${typeof fetch}; expected a function`)
  return (input, init) => (fetch ?? globalThis.fetch)(input, init)
}

const connectionOf = (
  { baseUrl, timeoutMs = DEFAULT_TIMEOUT_MS }: ClientOptions,
  fetch: typeof globalThis.fetch,
): Connection => {
  checkTimeout('timeoutMs', timeoutMs)
  return { baseUrl: parseBaseUrl(baseUrl), fetch, timeoutMs }
}

const parseBaseUrl = (text: string): URL => {
  const url = parseUrl(text)
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new TypeError(`baseUrl is ${JSON.stringify(text)}; expected an address such as https://rfq.example`)
  if (url.username !== '' || url.password !== '')
    throw new TypeError('baseUrl contains a user name or password, which fetch does not send')
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  return url
}

const parseUrl = (text: string): URL | undefined => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

const bodyOf = (params: QuoteParams): string => JSON.stringify({ ...params, amount: textOf(params.amount) })

const textOf = (amount: bigint): string => {
  if (typeof amount === 'bigint') return amount.toString()
  throw new TypeError(
    `amount is ${JSON.stringify(amount)}; expected a bigint of base units, such as 25_000_000n`,
  )
}
