import type { ChainId } from '@openrfq/sdk'
import type { Catalog } from '../chains/catalog.ts'
import type { EvmChain } from '../chains/evm/evm-chain.ts'
import type { PaymentChain } from '../chains/payment-chain.ts'
import type { Instant } from '../core/instant.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import type { Log } from '../lib/log.ts'
import type { Axelar } from '../protocols/axelar/axelar.ts'
import type { Carriage } from '../protocols/axelar/carriage.ts'
import type { Store } from '../store/store.ts'
import type { BackendIdentity, RunningBackend } from './backend.ts'

/** Dependencies that the service offers to its backends. */
export type BackendDeps = {
  readonly catalog: Catalog
  readonly evmChains: ReadonlyMap<ChainId, EvmChain>
  /** The chains of other families. */
  readonly paymentChains: ReadonlyMap<ChainId, PaymentChain>
  /** After how many blocks a quote's delivery on an EVM chain counts; undefined where it must be final. */
  readonly deliveryConfirmations: (quote: QuoteRecord) => number | undefined
  /** Undefined if the network has no Axelar. */
  readonly axelar: Axelar | undefined
  /** What Axelar carries now; undefined without Axelar. */
  readonly carriage: Carriage | undefined
  /** Undefined if the operator names no solvers. */
  readonly intents: { readonly backend: RunningBackend } | undefined
  readonly store: Store
  /** The address of the keeper, which submits refunds; undefined if the operator has none. */
  readonly keeper: string | undefined
  /** Returns random bytes from a secure source, as lower-case hex without `0x`. */
  readonly randomHex: (byteLength: number) => string
  /** Dates what was read; deadlines come with the order. */
  readonly now: () => Instant
  readonly log: Log
}

/** The configured chains and tokens, and the chains that can be read. */
export type ChainDeps = Pick<BackendDeps, 'catalog' | 'evmChains' | 'paymentChains'>

/** Properties of every quote of a backend, checked by the conformance test. */
type QuoteTraits = {
  /**
   * `transferred`: the recipient gets the input less an included fee, in the decimals of the output token.
   * `priced`: a price decides what the recipient gets.
   */
  readonly output: 'transferred' | 'priced'
  /** `reserved`: a quote takes capacity from the next one, so that a bound need not quote twice. */
  readonly capacity: 'reserved' | 'unreserved'
}

/** Which transfers of the backend `rfq demo` executes. */
type DemoCases = {
  /** Whether the demo moves a token between EVM chains to the same asset or to another one. */
  readonly assets: 'same' | 'other'
  /** Whether it also goes from one chain family to another. */
  readonly crossesFamilies: boolean
  /** Whether the modes of the sandbox's solvers can force a refund. */
  readonly refunds: boolean
}

/** One kind of backend, as `backends/index.ts` lists it. */
export type BackendDefinition = BackendIdentity & {
  readonly quotes: QuoteTraits
  readonly demo: DemoCases
  /**
   * Makes what runs; undefined if the network does not configure the backend. Throws ConfigError for an operator's
   * mistake.
   */
  readonly create: (deps: BackendDeps) => RunningBackend | undefined
}
