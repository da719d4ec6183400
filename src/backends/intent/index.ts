import type { Catalog } from '../../chains/catalog.ts'
import { evmAddressRules } from '../../chains/evm/address.ts'
import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import type { LedgerChain } from '../../chains/ledger-chain.ts'
import type { ChainId } from '../../core/chain.ts'
import type { Instant } from '../../core/instant.ts'
import type { Log } from '../../core/log.ts'
import type { IntentTerms } from '../../core/network.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import { tokenKey } from '../../core/token.ts'
import type { PriceSource } from '../../pricing/price-source.ts'
import { createBook } from '../../solvers/book.ts'
import { createOrderFacts } from '../../solvers/order-facts.ts'
import { createSolverNetwork, type SolverNetwork } from '../../solvers/solver-network.ts'
import type { Store } from '../../store/store.ts'
import type { Backend } from '../backend.ts'
import { createDeposits } from './deposits.ts'
import { intentBackend } from './intent-backend.ts'

/** What intents are made of: the backend, who fills them, and what watches their settlers. */
export type Intents = {
  readonly backend: Backend
  /** Where solvers connect. */
  readonly solvers: SolverNetwork
  /** Counts again what stands from before, and starts watching; the chains have been started. */
  readonly start: () => Promise<void>
  /** Resolves when nothing reads or writes the store any more. */
  readonly stop: () => Promise<void>
}

type Deps = {
  readonly catalog: Catalog
  readonly terms: IntentTerms
  /** What the service calls itself to solvers; printable ASCII. */
  readonly serviceName: string
  readonly evmChains: ReadonlyMap<ChainId, EvmChain>
  readonly ledgers: ReadonlyMap<ChainId, LedgerChain>
  readonly store: Store
  readonly prices: PriceSource
  /** Makes the transfer of a deposited quote known to whoever watches it. */
  readonly onDeposit: (quote: QuoteRecord) => Promise<void>
  /** That many random bytes as lower-case hex without `0x`, from a secure source. */
  readonly randomHex: (byteLength: number) => string
  readonly now: () => Instant
  readonly log: Log
}

const SALT_BYTES = 16
const NONCE_BYTES = 32

/** The terms with the solvers' addresses in canonical form. Throws Error for an address that none can have, or two have. */
const canonicalTerms = (terms: IntentTerms): IntentTerms => {
  const solvers = terms.solvers.map(({ address, ...solver }) => {
    const canonical = evmAddressRules.parseSender(address)
    if (canonical === undefined)
      throw new Error(
        `intent.solvers ${solver.name}: ${address} is not an address: expected ${evmAddressRules.expected}`,
      )
    return { ...solver, address: canonical }
  })
  return { ...terms, solvers }
}

/** The intents between all EVM chains that have a settler. Throws Error when the operator's terms contradict themselves. */
export const createIntents = (deps: Deps): Intents => {
  const { catalog, evmChains, store, randomHex, now, log } = deps
  const terms = canonicalTerms(deps.terms)
  const settlers = catalog.chains.flatMap(({ chainId, intent }) => {
    const chain = evmChains.get(chainId)
    return chain === undefined || intent === undefined ? [] : [{ chain, settler: intent.settler }]
  })
  const orders = createOrderFacts({ settlers, store, now, log })
  const book = createBook({
    solvers: terms.solvers,
    assetKey: (chainId, text) => {
      const address = evmAddressRules.parseToken(text)
      const token = address === undefined ? undefined : catalog.token(chainId, address)
      return token?.intent === true ? tokenKey(token) : undefined
    },
    now,
  })
  const solvers = createSolverNetwork({
    terms,
    book,
    service: deps.serviceName,
    randomNonce: () => `0x${randomHex(NONCE_BYTES)}`,
    now,
    log,
    onLogin: (solver) => deposits.remind(solver),
    onDecline: ({ name }, orderId, reason) =>
      log('info', 'a solver will not fill an order', { solver: name, orderId, reason }),
  })
  const deposits = createDeposits({ ...deps, terms, book, notify: solvers.notify })
  const backend = intentBackend({ ...deps, terms, book, orders, randomSalt: () => randomHex(SALT_BYTES) })
  let unsubscribe = (): void => undefined
  return {
    backend,
    solvers,
    start: async () => {
      await deposits.restore()
      unsubscribe = orders.onEvent(deposits.saw)
      await orders.start()
    },
    stop: async () => {
      unsubscribe()
      await orders.stop()
    },
  }
}
