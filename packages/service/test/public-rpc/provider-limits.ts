/** How a provider refuses a batch that holds too many calls, as its documents and its answers show. */
export type BatchRefusal =
  /** dRPC and 1rpc without a key: status 500 and one error object with code 31. */
  | 'status_500'
  /** The proxy of the OP stack: status 413 and one error object with code -32014. */
  | 'status_413'
  /** mainnet.base.org: status 200 and one error object with code -32014. */
  | 'one_error'

/** The limits that a public endpoint publishes, and how long it takes to answer. */
export type ProviderLimits = {
  readonly maximumBatch: number
  readonly batchRefusal: BatchRefusal
  /** The most blocks of one `eth_getLogs`. */
  readonly logBlocks: number
  /** Calls accepted within a window; more are answered by status 429 with `Retry-After`. */
  readonly calls: number
  readonly windowMs: number
  readonly latencyMs: number
}

/** What a node of one's own behind no proxy takes. */
export const UNLIMITED: ProviderLimits = {
  maximumBatch: Number.POSITIVE_INFINITY,
  batchRefusal: 'one_error',
  logBlocks: Number.POSITIVE_INFINITY,
  calls: Number.POSITIVE_INFINITY,
  windowMs: 1_000,
  latencyMs: 0,
}

/** dRPC's free tier: batches of three, about a hundred `eth_call` a second. Source: drpc.org, rate limiting. */
export const DRPC_FREE: ProviderLimits = {
  maximumBatch: 3,
  batchRefusal: 'status_500',
  logBlocks: 100,
  calls: 100,
  windowMs: 1_000,
  latencyMs: 310,
}

/** mainnet.optimism.io: batches of ten, 300 calls a minute. Source: ethereum-optimism/docs, issue 340. */
export const OPTIMISM_PUBLIC: ProviderLimits = {
  maximumBatch: 10,
  batchRefusal: 'status_413',
  logBlocks: 100,
  calls: 300,
  windowMs: 60_000,
  latencyMs: 310,
}

/** mainnet.base.org: batches of ten. Source: its answers. */
export const BASE_PUBLIC: ProviderLimits = { ...OPTIMISM_PUBLIC, batchRefusal: 'one_error' }

/** Two endpoints of a chain by its position: each pair refuses in different ways. */
export const limitsOf = (position: number): readonly [ProviderLimits, ProviderLimits] =>
  position % 2 === 0 ? [DRPC_FREE, OPTIMISM_PUBLIC] : [BASE_PUBLIC, DRPC_FREE]

/** A provider's whole refusal of a request: status, body and `Retry-After` in seconds. */
export type Refusal = {
  readonly status: number
  readonly error: { readonly code: number; readonly message: string }
  readonly retryAfterSeconds?: number
}

/** The refusal of a batch of that many calls; undefined for one that the provider takes. */
export const refusalOfBatch = (limits: ProviderLimits, count: number): Refusal | undefined => {
  const { maximumBatch, batchRefusal } = limits
  if (count <= maximumBatch) return undefined
  const message = `Batch of more than ${maximumBatch} requests are not allowed on free tier`
  if (batchRefusal === 'status_500') return { status: 500, error: { code: 31, message } }
  if (batchRefusal === 'status_413')
    return { status: 413, error: { code: -32_014, message: 'too many RPC calls in batch request' } }
  return { status: 200, error: { code: -32_014, message: `maximum ${maximumBatch} calls in 1 batch` } }
}

/** Counts the calls of one endpoint in fixed windows. */
export const createCallWindow = ({ calls, windowMs }: ProviderLimits, now: () => number) => {
  let startedAt = now()
  let used = 0
  /** The refusal of that many further calls; undefined if they fit into the window. */
  return (count: number): Refusal | undefined => {
    if (now() - startedAt >= windowMs) {
      startedAt = now()
      used = 0
    }
    if (used + count > calls) {
      const retryAfterSeconds = Math.max(1, Math.ceil((startedAt + windowMs - now()) / 1_000))
      return { status: 429, error: { code: -32_016, message: 'over rate limit' }, retryAfterSeconds }
    }
    used += count
    return undefined
  }
}
