import type { ChainId } from '@openrfq/sdk'
import { privateKeyToAccount } from 'viem/accounts'
import { OrderId } from '../../core/intent-order.ts'
import type { Clock } from '../../lib/clock.ts'
import { createEmitter, type Emitter } from '../../lib/emitter.ts'
import { createHttpClient, type HttpClient } from '../../lib/http-client.ts'
import type { Log } from '../../lib/log.ts'
import { type Carriage, createCarriage } from '../../protocols/axelar/carriage.ts'
import { createAxelarscan } from '../../protocols/axelar/gmp.ts'
import { createLcd } from '../../protocols/axelar/lcd.ts'
import { openSqliteStore } from '../../store/sqlite.ts'
import type { Store } from '../../store/store.ts'
import { createPayoutOutbox, type PayoutOutbox } from '../../transactions/payout-outbox.ts'
import { createTransactionOutbox, type TransactionOutbox } from '../../transactions/transaction-outbox.ts'
import { createSettlerChecks, type SettlerChecks } from '../settlers/settler-checks.ts'
import {
  connectSolverChains,
  connectSolverPaymentChains,
  intentAssets,
  nativePrices,
  type SolverAsset,
  type SolverChain,
  type SolverPaymentChain,
} from './assets.ts'
import { createPendingOrders, type PendingOrders } from './attested/pending-orders.ts'
import { type AttestedReservations, createAttestedReservations } from './attested/reservations.ts'
import { type AttestedSides, attestedSides } from './attested/sides.ts'
import { evmBalances, paymentChainBalances } from './balance-source.ts'
import { type Commitments, createCommitments } from './commitments.ts'
import type { KeyedSolverConfig } from './config.ts'
import { createInventory, type Inventory } from './inventory.ts'
import { createModeSwitch, type ModeSwitch } from './modes.ts'
import { createOrderCosts, type OrderCosts } from './order-costs.ts'
import { createOrderTracker, type OrderEnd, type OrderEvent, type OrderTracker } from './order-tracker.ts'
import type { RelayFeeDeps } from './relay-fee.ts'
import { createSettlerWatch, type SettlerWatch } from './settler-watch.ts'
import { createReport } from './solver-status.ts'
import { createTransactionStates, type TransactionStates } from './transaction-states.ts'

/** Dependencies of a solver: clock, randomness, log and listeners. */
export type SolverDeps = Clock & {
  /** A number from 0 up to 1, for pauses. */
  readonly random: () => number
  readonly log: Log
  /** Called whenever every price has been sent to the service. */
  readonly onQuoting?: () => void
}

/** All parts of a solver, not started. */
export type Parts = SolverDeps & {
  readonly config: KeyedSolverConfig
  readonly account: string
  readonly store: Store
  readonly chains: ReadonlyMap<ChainId, SolverChain>
  readonly paymentChains: ReadonlyMap<ChainId, SolverPaymentChain>
  readonly assets: readonly SolverAsset[]
  readonly outboxes: ReadonlyMap<ChainId, TransactionOutbox>
  readonly payouts: ReadonlyMap<ChainId, PayoutOutbox>
  readonly states: TransactionStates
  readonly inventory: Inventory
  /** The attester whose signature releases attested escrows; without one there are no attested orders. */
  readonly attester: string | undefined
  readonly sides: AttestedSides
  readonly pendingOrders: PendingOrders
  readonly commitments: Commitments
  readonly relay: RelayFeeDeps
  readonly costs: OrderCosts
  readonly reservations: AttestedReservations
  readonly tracker: OrderTracker
  readonly watch: SettlerWatch
  readonly settlerChecks: SettlerChecks
  /** What Axelar carries, which proves fills between EVM chains; undefined without Axelar. */
  readonly carriage: Carriage | undefined
  readonly modes: ModeSwitch
  readonly report: ReturnType<typeof createReport>
  /** For requests to the attester. */
  readonly client: HttpClient
  /** Wakes all pending work. */
  readonly wakeUp: Emitter<void>
}

/** The order tracker and the watchers that feed it. */
const createBooks = (
  deps: SolverDeps,
  part: Pick<Parts, 'account' | 'store' | 'chains' | 'wakeUp'>,
  onEnd: (end: OrderEnd) => void,
): Pick<Parts, 'tracker' | 'watch'> => {
  const { account, store, chains, wakeUp } = part
  const tracker: OrderTracker = createOrderTracker({
    address: account,
    now: deps.steady,
    readUpTo: (chainId) => watch.readUpTo(chainId),
  })
  const watch = createSettlerWatch({
    ...deps,
    now: deps.steady,
    chains,
    store,
    lowWater: tracker.lowWater,
    onEvent: (seen: OrderEvent) => {
      const end = tracker.add(seen)
      // While the chain is read again after a start, ended orders are not news.
      if (end !== undefined && watch.isCurrent(seen.chainId)) onEnd(end)
      wakeUp.emit()
    },
    onRemoved: tracker.remove,
  })
  return { tracker, watch }
}

/** The outboxes of the account on every chain. */
const createOutboxes = (
  { privateKey }: KeyedSolverConfig,
  deps: SolverDeps,
  part: Pick<Parts, 'store' | 'chains' | 'paymentChains' | 'pendingOrders'>,
): Pick<Parts, 'outboxes' | 'payouts'> => ({
  outboxes: new Map(
    [...part.chains].map(([chainId, { evm }]) => [
      chainId,
      createTransactionOutbox({ ...deps, store: part.store, chain: evm, privateKey }),
    ]),
  ),
  payouts: new Map(
    [...part.paymentChains].map(([chainId, { paymentChain, secret }]) => [
      chainId,
      createPayoutOutbox({
        ...deps,
        store: part.store,
        chain: paymentChain,
        secret,
        decideRenewal: async ({ memo }) =>
          part.pendingOrders.find(OrderId.parse(memo))?.isRelied === true ? 'sign' : 'wait',
      }),
    ]),
  ),
})

/** Attested orders: their chains, the pending ones, and their reservations. */
const createAttestedBooks = (
  deps: SolverDeps,
  part: Pick<Parts, 'chains' | 'paymentChains' | 'account' | 'attester' | 'inventory' | 'states'>,
): Pick<Parts, 'sides' | 'pendingOrders' | 'reservations'> => {
  const pendingOrders = createPendingOrders()
  return {
    sides: attestedSides(part),
    pendingOrders,
    reservations: createAttestedReservations({
      ...deps,
      pendingOrders,
      inventory: part.inventory,
      states: part.states,
    }),
  }
}

/** Checks of the settlers on the solver's chains. */
const checkSettlers = (
  { network }: KeyedSolverConfig,
  deps: SolverDeps,
  chains: Parts['chains'],
): SettlerChecks =>
  createSettlerChecks({
    chains: network.chains.filter(({ chainId }) => chains.has(chainId)),
    evmChains: new Map([...chains].map(([chainId, { evm }]) => [chainId, evm])),
    refundDelaySeconds: network.intent?.refundDelaySeconds ?? Number.POSITIVE_INFINITY,
    now: deps.steady,
    log: deps.log,
  })

/** What Axelar carries between the solver's chains; undefined without Axelar, and then no fill is proven. */
const carriageOf = (
  { network: { axelar, chains: configured } }: KeyedSolverConfig,
  { steady: now, log }: SolverDeps,
  chains: Parts['chains'],
): Carriage | undefined =>
  axelar === undefined
    ? undefined
    : createCarriage({
        chains: configured,
        evmChains: new Map([...chains].map(([chainId, { evm }]) => [chainId, evm])),
        lcd: createLcd({ urls: axelar.lcdUrl, now, log }),
        routerAddress: axelar.routerAddress,
        now,
        log,
      })

/** What prices the relay of proofs. */
const relayOf = ({ network, settlement }: KeyedSolverConfig, { steady, log }: SolverDeps): RelayFeeDeps => ({
  axelarscan: createAxelarscan({ urls: network.axelar?.scanUrl ?? '', now: steady, log }),
  gasMarginBps: network.axelar?.gasMarginBps ?? 12_000,
  settlement,
  natives: nativePrices(network),
})

/** Builds a solver; it neither reads nor sends before it starts. Rejects if its store cannot be opened. */
export const assembleSolver = async (config: KeyedSolverConfig, deps: SolverDeps): Promise<Parts> => {
  const { network, strategy, privateKey } = config
  const account = privateKeyToAccount(privateKey).address
  const chainDeps = { now: deps.steady, wallTime: deps.now, log: deps.log }
  const chains = connectSolverChains(network, chainDeps)
  const paymentChains = connectSolverPaymentChains(network, config.accounts, chainDeps)
  const assets = intentAssets(network, new Set([...chains.keys(), ...paymentChains.keys()]))
  const store = await openSqliteStore({ directory: config.dataDirectory, log: deps.log })
  const sources = [
    ...[...chains.values()].map((chain) => evmBalances(chain, account)),
    ...[...paymentChains.values()].map(paymentChainBalances),
  ]
  const inventory = createInventory({ ...deps, now: deps.steady, sources, assets, strategy })
  const modes = createModeSwitch((mode) => deps.log('info', 'solver_mode_changed', { mode }))
  const wakeUp = createEmitter<void>((error) =>
    deps.log('error', 'listener_failed', { listener: 'wake_up', error }),
  )
  const report = createReport(deps.log)
  const states = createTransactionStates(store)
  const attester = network.intent?.attester
  const relay = relayOf(config, deps)
  const base = {
    relay,
    costs: createOrderCosts({ ...deps, ...relay, strategy, chains }),
    account,
    store,
    chains,
    paymentChains,
    assets,
    inventory,
    modes,
    report,
    client: createHttpClient(),
    wakeUp,
    states,
    attester,
    commitments: createCommitments(deps.steady),
  }
  const attested = createAttestedBooks(deps, base)
  return {
    ...deps,
    ...base,
    ...createBooks(deps, base, report.onEnd),
    ...createOutboxes(config, deps, { ...base, ...attested }),
    ...attested,
    settlerChecks: checkSettlers(config, deps, chains),
    carriage: carriageOf(config, deps, chains),
    config,
  }
}
