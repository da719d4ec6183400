import type { ChainId, ChainType, SolverSummary } from '@openrfq/sdk'
import type { Catalog } from '../../chains/catalog.ts'
import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import type { HistoryFault } from '../../chains/rpc/history-fault.ts'
import { ConfigError } from '../../core/config-error.ts'
import type { IntentTerms } from '../../core/network.ts'
import { tokenKey } from '../../core/token-key.ts'
import { type AttesterWatch, createAttesterWatch, UNWATCHED } from '../../intents/attester-watch.ts'
import type { OpeningChain } from '../../intents/opener/attempt.ts'
import { createOpener } from '../../intents/opener/index.ts'
import { createSolverList } from '../../intents/outcomes/list-solvers.ts'
import { createOfferCheck, type OfferCheck } from '../../intents/outcomes/offer-check.ts'
import { createOfferGate } from '../../intents/outcomes/offer-gate.ts'
import { createSolverNews, type SolverNews } from '../../intents/outcomes/solver-news.ts'
import { createSolverOutcomes } from '../../intents/outcomes/solver-outcomes.ts'
import { createSolverRecords } from '../../intents/outcomes/solver-records.ts'
import { createEscrowOrigins, type EscrowOrigins } from '../../intents/settlers/escrow-origins.ts'
import { createFillEvidence } from '../../intents/settlers/fill-evidence.ts'
import { createOrderEventIndex, type OrderEventIndex } from '../../intents/settlers/order-event-index.ts'
import { createSettlerChecks } from '../../intents/settlers/settler-checks.ts'
import type { Solver } from '../../intents/solver-api/best-offers.ts'
import { createBook } from '../../intents/solver-api/book.ts'
import { createSilentSolvers } from '../../intents/solver-api/silent-solvers.ts'
import { createSolverBalances } from '../../intents/solver-api/solver-balances.ts'
import { createSolverDirectory, type SolverDirectory } from '../../intents/solver-api/solver-directory.ts'
import { createSolverNetwork, type SolverNetwork } from '../../intents/solver-api/solver-network.ts'
import { createAbsenceEvidence } from '../../intents/vault/absence-evidence.ts'
import {
  evmFillFacts,
  evmFillTransactions,
  type FillFactOf,
  type FillTransactionOf,
} from '../../intents/vault/fill-facts.ts'
import { createOrderFacts, type OrderFacts } from '../../intents/vault/order-facts.ts'
import { createPaymentIndex, type PaymentIndex } from '../../intents/vault/payment-index.ts'
import type { VaultChain } from '../../intents/vault/payment-indexer.ts'
import { vaultChainsOf } from '../../intents/vault/vault-chains.ts'
import type { Clock } from '../../lib/clock.ts'
import { createHttpClient } from '../../lib/http-client.ts'
import { type Lifecycle, together } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import { createPoller } from '../../lib/poller.ts'
import type { PriceSource } from '../../pricing/price-source.ts'
import type { Carriage } from '../../protocols/axelar/carriage.ts'
import type { Store } from '../../store/store.ts'
import { createFactCheck, type FactCheck } from '../../transactions/fact-check.ts'
import type { RepeatableSender } from '../../transactions/repeatable-sender.ts'
import type { TransactionOutbox } from '../../transactions/transaction-outbox.ts'
import type { RunningBackend } from '../backend.ts'
import type { BackendDefinition } from '../backend-definition.ts'
import { type ChainCurrency, createChainCurrency } from './chain-currency.ts'
import { createDeposits, type Deposits } from './deposits.ts'
import { INTENT_NAME, intentBackend } from './intent-backend.ts'
import { createNamedFills } from './named-fills.ts'
import { createReoffers } from './reoffers.ts'
import { createSenderBalances } from './sender-balances.ts'

/** The parts of intents: the backend, the solvers' network, and what watches the settlers and vaults. */
export type Intents = {
  /** Its start restores reservations and watches settlers and vaults; the chains must be started. */
  readonly backend: RunningBackend
  /** Where solvers connect. */
  readonly solvers: SolverNetwork
  /** The named solvers that do not quote, or not yet into every chain. */
  readonly silentSolvers: () => readonly Solver[]
  /** The payment chains on which the operator has a vault. */
  readonly vaults: readonly VaultChain[]
  readonly paymentIndex: PaymentIndex
  /** The chains whose payments or orders are read. */
  readonly indexed: readonly ChainId[]
  /** Whether the payments or orders of an indexed chain are read up to its head. */
  readonly isCurrent: (chainId: ChainId) => boolean
  /** The chains of attested orders that the attester does not read now. */
  readonly attesterFaults: AttesterWatch['faults']
  /** Why a chain cannot be read on until the operator acts; undefined while it can. */
  readonly historyFault: (chainId: ChainId) => HistoryFault | undefined
  /** The status of an order's fill if its destination is an EVM chain. */
  readonly evmFillOf: FillFactOf
  /** The transaction of that fill, as far as it is known. */
  readonly evmFillTransactionOf: FillTransactionOf
  /** Where the attester takes requests; undefined if the operator named none. */
  readonly attesterUrl: string | undefined
  /** Stops quotes from and to a chain while its vault has a fault. */
  readonly watchVault: ChainCurrency['watchVault']
  readonly orderFacts: OrderFacts
  /** Holds payouts and refunds whose facts an endpoint contradicts. */
  readonly factCheck: FactCheck
  /** The solvers and how their orders ended. */
  readonly listSolvers: () => readonly SolverSummary[]
  readonly offerCheck: OfferCheck
  /** Counts the solvers' offers in an answer. */
  readonly quoted: SolverNews['quoted']
  /** Adds a listener for quotes with a deposit, whose transfers must be watched. */
  readonly onDeposit: Deposits['onDeposit']
}

type Deps = {
  readonly catalog: Catalog
  readonly terms: IntentTerms
  /** The name that the service presents to solvers; printable ASCII. */
  readonly serviceName: string
  readonly evmChains: ReadonlyMap<ChainId, EvmChain>
  readonly paymentChains: ReadonlyMap<ChainId, PaymentChain>
  /** The keeper's accounts on chains with an escrow program. */
  readonly keepers: ReadonlyMap<ChainId, RepeatableSender>
  /** Whether the keeper has an account on a chain. */
  readonly submitsRefunds: (chainId: ChainId) => boolean
  /** The opener's account on EVM chains; none if the operator gave no key. */
  readonly openers: ReadonlyMap<ChainId, Pick<TransactionOutbox, 'sender' | 'submit'>>
  /** What Axelar carries now, which proves fills between EVM chains; undefined without Axelar. */
  readonly carriage: Pick<Carriage, 'read'> | undefined
  readonly store: Store
  readonly prices: PriceSource
  /** The given number of secure random bytes as lower-case hex without `0x`. */
  readonly randomHex: (byteLength: number) => string
  readonly clock: Clock
  readonly log: Log
}

const SALT_BYTES = 16
const NONCE_BYTES = 32
/** Between two looks at deposits that an endpoint denied. */
const CHECK_MS = 5_000

/**
 * The terms with canonical solver addresses. Throws ConfigError for an invalid address and for one that two solvers share.
 */
const canonicalTerms = (terms: IntentTerms, catalog: Catalog): IntentTerms => {
  const parse = (owner: string, chainType: ChainType, text: string): string => {
    const { parseSender, expected } = catalog.rules(chainType)
    const canonical = parseSender(text)
    if (canonical === undefined)
      throw new ConfigError(`${owner}: ${text} is not an address: expected ${expected.sender}`)
    return canonical
  }
  const solvers = terms.solvers.map(({ name, address, accounts }) => {
    const owner = `intent.solvers ${name}`
    const { solana, stellar } = accounts ?? {}
    return {
      name,
      address: parse(owner, 'evm', address),
      accounts: {
        ...(solana === undefined ? {} : { solana: parse(owner, 'solana', solana) }),
        ...(stellar === undefined ? {} : { stellar: parse(owner, 'stellar', stellar) }),
      },
    }
  })
  const { attester } = terms
  return {
    ...terms,
    solvers,
    ...(attester === undefined ? {} : { attester: parse('intent.attester', 'evm', attester) }),
  }
}

/** The key of a token that intents move, by the address that a solver names. */
const assetKeyOf =
  (catalog: Catalog) =>
  (chainId: ChainId, text: string): string | undefined => {
    const chainType = catalog.chain(chainId)?.chainType
    const address = chainType === undefined ? undefined : catalog.rules(chainType).parseToken(text)
    const token = address === undefined ? undefined : catalog.token(chainId, address)
    return token?.intent === true ? tokenKey(token) : undefined
  }

/** The settlers of every EVM chain that has one. */
const settlersOf = (catalog: Catalog, evmChains: ReadonlyMap<ChainId, EvmChain>) =>
  catalog.chains.flatMap((configured) => {
    const { chainId, intent: proven, attested } = configured
    const chain = evmChains.get(chainId)
    const addresses = [proven?.settler, attested?.settler]
      .filter((address) => address !== undefined)
      .map((address) => catalog.contract(configured, address))
    return chain === undefined || addresses.length === 0 ? [] : [{ chain, addresses }]
  })

/** The watch of the network's attester, if the operator says where it answers. */
const watchAttester = (
  { catalog, evmChains, paymentChains, clock, log }: Deps,
  terms: IntentTerms,
): AttesterWatch => {
  const { attester, attesterUrl: url } = terms
  if (attester === undefined || url === undefined) return UNWATCHED
  const client = createHttpClient()
  const chainOf = (chainId: ChainId): EvmChain | PaymentChain | undefined =>
    evmChains.get(chainId) ?? paymentChains.get(chainId)
  const watch = createAttesterWatch({
    attester,
    url,
    chainIds: catalog.chains.flatMap(({ chainId, attested }) =>
      attested === undefined || chainOf(chainId) === undefined ? [] : [chainId],
    ),
    headOf: (chainId) => chainOf(chainId)?.head(),
    client,
    now: clock.steady,
    log,
  })
  return {
    ...watch,
    stop: async () => {
      client.close()
      await watch.stop()
    },
  }
}

/** What is read of payments on payment chains, and the facts about orders that follow from it. */
const readPaid = (deps: Deps, terms: IntentTerms, orders: OrderEventIndex) => {
  const { evmChains, paymentChains, store, log } = deps
  const { steady, now } = deps.clock
  const vaults = vaultChainsOf(deps)
  const attested = attestedChains(deps)
  const index = { vaults, paymentChains: attested, terms, store, now: steady, log }
  const orderFacts = createOrderFacts({ evmChains, paymentChains, orders, now })
  return {
    vaults,
    attested,
    paymentIndex: createPaymentIndex(index),
    orderFacts,
    absences: createAbsenceEvidence({ paymentChains, orderFacts, now: steady }),
    factCheck: createFactCheck({ now: steady, log }),
  }
}

/** The opener of the chains for which the operator has set terms. */
const connectOpener = (deps: Deps) => {
  const { catalog, evmChains, openers, clock } = deps
  const chains = catalog.chains.flatMap((configured): (readonly [ChainId, OpeningChain])[] => {
    const { chainId, intent } = configured
    const [evm, outbox] = [evmChains.get(chainId), openers.get(chainId)]
    if (intent?.opening === undefined || evm === undefined || outbox === undefined) return []
    return [
      [
        chainId,
        { evm, outbox, settler: catalog.contract(configured, intent.settler), terms: intent.opening },
      ],
    ]
  })
  return chains.length === 0
    ? undefined
    : createOpener({ ...deps, ...clock, chains: new Map(chains), tokenOf: catalog.token })
}

/** The payment chains of attested orders. */
const attestedChains = ({ catalog, paymentChains }: Deps): ReadonlyMap<ChainId, PaymentChain> =>
  new Map([...paymentChains].filter(([chainId]) => catalog.chain(chainId)?.attested !== undefined))

/** The book, the solvers that fill it, and what is known of them. */
const connectSolvers = (deps: Deps, terms: IntentTerms, directory: SolverDirectory) => {
  const { catalog, clock } = deps
  const records = createSolverRecords()
  const gate = createOfferGate({ ...deps, records, now: clock.now })
  const offerCheck = createOfferCheck({
    ...deps,
    solvers: terms.solvers,
    boundBps: terms.maximumAdvantageBps,
  })
  const book = createBook({
    directory,
    assetKey: assetKeyOf(catalog),
    isShown: gate.isShown,
    admits: offerCheck.admits,
    needsBalances: true,
    ...clock,
  })
  const solvers = createSolverNetwork({
    directory,
    terms,
    book,
    service: deps.serviceName,
    randomNonce: () => `0x${deps.randomHex(NONCE_BYTES)}`,
    now: clock.steady,
    log: deps.log,
  })
  solvers.onDecline(({ solver, ...decline }) =>
    deps.log('info', 'solver_declined_order', { solver: solver.name, ...decline }),
  )
  const solverBalances = createSolverBalances({ ...deps, book, directory, steady: clock.steady })
  const senderBalances = createSenderBalances({ ...deps, book, steady: clock.steady })
  const balances = together([senderBalances, solverBalances])
  const { exceeded } = solverBalances
  const listSolvers = createSolverList({ ...solvers, solvers: terms.solvers, records, exceeded })
  const news = createSolverNews({ ...deps, directory, tell: solvers.tell })
  offerCheck.onWithdrawn(news.withdrawn)
  const silentSolvers = createSilentSolvers({
    solvers: directory.all,
    book,
    chainsOf: (solver) =>
      [...attestedChains(deps)].flatMap(([chainId, { chainType }]) =>
        directory.accountOn(solver, chainType) === undefined ? [] : [chainId],
      ),
    steady: clock.steady,
  })
  return {
    records,
    gate,
    book,
    solvers,
    senderBalances,
    balances,
    listSolvers,
    offerCheck,
    news,
    silentSolvers,
  }
}

/**
 * Builds intents between all chains that have a settler or a vault. Throws ConfigError if the operator's terms contradict
 * each other.
 */
export const createIntents = (deps: Deps): Intents => {
  const { catalog, evmChains, store, randomHex, log } = deps
  const { steady, now } = deps.clock
  const terms = canonicalTerms(deps.terms, catalog)
  const chainIds = catalog.chains.map(({ chainId }) => chainId)
  const settlers = settlersOf(catalog, evmChains)
  const orders = createOrderEventIndex({ settlers, chainIds, store, now: steady, log })
  const evidence = createFillEvidence({ evmChains, orders })
  const { vaults, attested, paymentIndex, orderFacts, factCheck, absences } = readPaid(deps, terms, orders)
  const directory = createSolverDirectory(terms.solvers)
  const market = connectSolvers(deps, terms, directory)
  const { records, gate, book, solvers, senderBalances, news } = market
  const escrows = createEscrowOrigins({ ...deps, senders: deps.keepers, now, steady })
  const deposits = createDeposits({
    ...deps,
    ...{ now, terms, directory, book, paymentIndex, factCheck },
    paidFact: orderFacts.paid,
    follow: escrows.follow,
    notify: solvers.notify,
  })
  const outcomes = createSolverOutcomes({ ...deps, directory, book, paymentIndex, records, news, now })
  for (const { deposited } of [outcomes, news]) deposits.onComplete(deposited)
  const reoffers = createReoffers({ deposits, orders, directory, solvers, now, log })
  for (const listen of [deposits.resendOpenOrders, reoffers.loggedIn]) solvers.onLogin(listen)
  solvers.onFill(createNamedFills({ ...deps, directory, paymentIndex, tell: solvers.tell }))
  const attesterWatch = watchAttester(deps, terms)
  const settlerChecks = createSettlerChecks({ ...deps, ...catalog, ...terms, now: steady })
  const opener = connectOpener(deps)
  const currency = createChainCurrency({ paymentIndex, orders, escrows })
  const backend = intentBackend({
    ...deps,
    ...{ terms, directory, book, gate, senderBalances, orders, evidence, absences, orderFacts, factCheck },
    ...{ paymentIndex, escrows, attesterWatch, opener, settlers: settlerChecks },
    isCurrent: currency.isCurrent,
    randomSalt: () => randomHex(SALT_BYTES),
  })
  const open = opener === undefined ? [] : [opener]
  const others = [outcomes, news, reoffers, market.balances, attesterWatch, settlerChecks, ...open]
  return {
    backend: {
      ...backend,
      ...lifecycleOf({ deposits, solvers, orders, paymentIndex, escrows, news, others, log }),
    },
    solvers,
    vaults,
    paymentIndex,
    indexed: [...settlers.map(({ chain }) => chain.chainId), ...attested.keys()],
    ...currency,
    attesterFaults: attesterWatch.faults,
    evmFillOf: evmFillFacts(orders, evidence),
    evmFillTransactionOf: evmFillTransactions(orders),
    attesterUrl: terms.attesterUrl,
    orderFacts,
    factCheck,
    listSolvers: market.listSolvers,
    offerCheck: market.offerCheck,
    silentSolvers: market.silentSolvers,
    quoted: news.quoted,
    onDeposit: deposits.onDeposit,
  }
}

/**
 * Restores the state of an earlier run before any new event and before solvers log in; deposits listen only while the chains
 * are watched.
 */
const lifecycleOf = ({
  deposits,
  solvers,
  orders,
  paymentIndex,
  escrows,
  news,
  others,
  log,
}: {
  readonly deposits: Deposits
  readonly solvers: Pick<SolverNetwork, 'open'>
  readonly orders: OrderEventIndex
  readonly paymentIndex: PaymentIndex
  readonly escrows: EscrowOrigins
  readonly news: SolverNews
  readonly others: readonly Lifecycle[]
  readonly log: Log
}): Lifecycle => {
  const unsubscribers: (() => void)[] = []
  const checks = createPoller({ name: 'deposit_check', periodMs: CHECK_MS, run: deposits.round, log })
  return {
    start: async () => {
      await deposits.restore()
      unsubscribers.push(
        orders.onEvent(deposits.onSettlerEvent),
        orders.onEvent(news.onSettlerEvent),
        paymentIndex.onEvent(deposits.onPayment),
        paymentIndex.onEvent(news.onPayment),
        escrows.onChange(deposits.onEscrowChange),
        escrows.onChange(news.onEscrowChange),
      )
      solvers.open()
      await Promise.all([
        orders.start(),
        paymentIndex.start(),
        escrows.start(),
        checks.start(),
        ...others.map((other) => other.start()),
      ])
    },
    stop: async () => {
      for (const unsubscribe of unsubscribers.splice(0)) unsubscribe()
      await Promise.all([
        orders.stop(),
        paymentIndex.stop(),
        escrows.stop(),
        checks.stop(),
        ...others.map((other) => other.stop()),
      ])
    },
  }
}

/** The backend whose transfers solvers fill from their own inventory, against an escrow on the source chain. */
export const intent: BackendDefinition = {
  type: 'intent',
  name: INTENT_NAME,
  contracts: ({ intent: proven, attested }) =>
    [proven?.settler, attested?.settler, ...(attested?.treasury ?? [])].filter(
      (address) => address !== undefined,
    ),
  messageEvent: null,
  quotes: { output: 'priced', capacity: 'reserved' },
  demo: { assets: 'same', crossesFamilies: true, refunds: true },
  create: ({ intents }) => intents?.backend,
}
