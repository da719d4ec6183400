import { privateKeyToAccount } from 'viem/accounts'
import { createAxelarscan } from '../axelar/gmp.ts'
import type { ChainId } from '../core/chain.ts'
import type { Instant } from '../core/instant.ts'
import type { Log } from '../core/log.ts'
import { createOutbox, type Outbox } from '../outbox/outbox.ts'
import { openSqliteStore } from '../store/sqlite.ts'
import type { Store } from '../store/store.ts'
import { connectChains, intentAssets, type SolverAsset, type SolverChain } from './assets.ts'
import { createCalmLog } from './calm-log.ts'
import type { KeyedSolverConfig } from './config.ts'
import { createFiller } from './filler.ts'
import { createInventory, type Inventory } from './inventory.ts'
import { createModeSwitch, type ModeSwitch } from './modes.ts'
import { createOrderLedger, type OrderEnd, type OrderLedger, type SeenEvent } from './order-ledger.ts'
import { createOutboxStates } from './outbox-states.ts'
import { createProver } from './prover.ts'
import { createQuoter } from './quoter.ts'
import { createRounds, type Rounds } from './rounds.ts'
import { createServiceLink, type ServiceLink } from './service-link.ts'
import { createSettlerWatch, type SettlerWatch } from './settler-watch.ts'
import { createReport, type SolverStatus } from './solver-status.ts'
import { createUpkeep } from './upkeep.ts'

/** A solver at work. */
export type ReferenceSolver = {
  readonly status: () => SolverStatus
  readonly modes: ModeSwitch
  /** Takes its quotes back, finishes what it is doing and lets go of everything. What is signed is kept for the next start. */
  readonly stop: () => Promise<void>
}

type SolverDeps = {
  readonly now: () => Instant
  readonly log: Log
  /** Called whenever the service has been told every price. */
  readonly onQuoting?: () => void
}

/** Everything a solver is made of, before it starts. */
type Parts = SolverDeps & {
  readonly config: KeyedSolverConfig
  readonly account: string
  readonly store: Store
  readonly chains: ReadonlyMap<ChainId, SolverChain>
  readonly assets: readonly SolverAsset[]
  readonly outboxes: ReadonlyMap<ChainId, Outbox>
  readonly inventory: Inventory
  readonly ledger: OrderLedger
  readonly watch: SettlerWatch
  readonly modes: ModeSwitch
  readonly report: ReturnType<typeof createReport>
  /** Set by the composition below; events and messages call it. */
  readonly wakers: Set<() => void>
}

const WORK_MS = 500
const QUOTE_MS = 1_000
const UPKEEP_MS = 15_000
const REPORT_MS = 30_000

const wakeAll = (wakers: ReadonlySet<() => void>): void => {
  for (const wake of wakers) wake()
}

/** The ledger and the watchers that fill it. */
const createBooks = (
  deps: SolverDeps,
  part: Pick<Parts, 'account' | 'store' | 'chains' | 'wakers'>,
  onEnd: (end: OrderEnd) => void,
): Pick<Parts, 'ledger' | 'watch'> => {
  const { account, store, chains, wakers } = part
  const ledger: OrderLedger = createOrderLedger({
    address: account,
    now: deps.now,
    readUpTo: (chainId) => watch.readUpTo(chainId),
  })
  const watch = createSettlerWatch({
    ...deps,
    chains,
    store,
    lowWater: ledger.lowWater,
    onEvent: (seen: SeenEvent) => {
      const end = ledger.add(seen)
      // While the chain is read again after a start, ends are old news.
      if (end !== undefined && watch.isCurrent(seen.chainId)) onEnd(end)
      wakeAll(wakers)
    },
    onRemoved: ledger.remove,
  })
  return { ledger, watch }
}

const assemble = async (config: KeyedSolverConfig, deps: SolverDeps): Promise<Parts> => {
  const { network, strategy, privateKey } = config
  const account = privateKeyToAccount(privateKey).address
  const chains = connectChains(network, deps)
  const assets = intentAssets(network, chains)
  const store = await openSqliteStore({ directory: config.dataDirectory, log: deps.log })
  const outboxes = new Map(
    [...chains].map(([chainId, { evm }]) => [
      chainId,
      createOutbox({ ...deps, store, chain: evm, privateKey }),
    ]),
  )
  const inventory = createInventory({ ...deps, chains, assets, account, strategy })
  const modes = createModeSwitch((mode) => deps.log('info', 'mode changed', { mode }))
  const wakers = new Set<() => void>()
  const report = createReport(deps.log)
  const books = createBooks(deps, { account, store, chains, wakers }, report.onEnd)
  return {
    ...deps,
    ...books,
    config,
    account,
    store,
    chains,
    assets,
    outboxes,
    inventory,
    modes,
    report,
    wakers,
  }
}

/** What speaks with the service: the link and the quotes on it. */
const createTrade = (parts: Parts) => {
  const { config, assets, chains, inventory, ledger, watch, log } = parts
  const { strategy, serviceUrl, serviceName, privateKey } = config
  const link: ServiceLink = createServiceLink({
    url: serviceUrl,
    serviceName,
    privateKey,
    onWelcome: () => {
      quoter.reset()
      quotes.wake()
    },
    onOrder: () => wakeAll(parts.wakers),
    log,
  })
  const quoter = createQuoter({
    ...parts,
    assets,
    chains,
    inventory,
    ledger,
    strategy,
    link,
    isCurrent: watch.isCurrent,
    onQuoting: parts.onQuoting ?? (() => undefined),
  })
  const quotes = createRounds({ name: 'quoting', periodMs: QUOTE_MS, run: quoter.round, log })
  return { link, quoter, quotes }
}

/** What moves money: fills and declines, proofs, allowances. */
const createWork = (parts: Parts, link: ServiceLink): readonly Rounds[] => {
  const { config, watch, modes, store, log, now } = parts
  const { strategy, settlement, network } = config
  const states = createOutboxStates(store)
  const isCurrent = watch.isCurrent
  const shared = { ...parts, states, strategy, settlement, isCurrent }
  const filler = createFiller({
    ...shared,
    assets: new Map(parts.assets.map((asset) => [asset.key, asset])),
    mode: modes.mode,
    onDeclined: (orderId, reason) => {
      parts.report.onDeclined()
      link.send({ type: 'decline', orderId, reason })
    },
  })
  const prover = createProver({
    ...shared,
    readUpTo: watch.readUpTo,
    axelarscan: createAxelarscan({ url: network.axelar?.scanUrl ?? '', now, log }),
    gasMarginBps: network.axelar?.gasMarginBps ?? 12_000,
  })
  const upkeep = createUpkeep(shared)
  return [
    createRounds({ name: 'filling', periodMs: WORK_MS, run: filler.round, log }),
    createRounds({ name: 'proving', periodMs: WORK_MS, run: prover.round, log }),
    createRounds({ name: 'upkeep', periodMs: UPKEEP_MS, run: upkeep.round, log }),
  ]
}

/**
 * Starts a solver: it reads the chains, logs in, quotes, fills what is deposited for it and has itself repaid. Rejects
 * when its database cannot be opened or its network makes no sense; chains and service may be down and are waited for.
 */
export const startReferenceSolver = async (
  config: KeyedSolverConfig,
  deps: SolverDeps,
): Promise<ReferenceSolver> => {
  const parts = await assemble(config, { ...deps, log: createCalmLog(deps.log, deps.now) })
  const { chains, outboxes, inventory, watch, store, wakers, log } = parts
  const { link, quoter, quotes } = createTrade(parts)
  const work = createWork(parts, link)
  const status = (): SolverStatus => parts.report.status({ ...parts, isConnected: link.isOpen() })
  const reporting = createRounds({
    name: 'reporting',
    periodMs: REPORT_MS,
    run: async () => parts.report.tell(status()),
    log,
  })
  await Promise.all([...chains.values()].map(({ evm }) => evm.start()))
  await Promise.all([inventory.start(), watch.start()])
  for (const outbox of outboxes.values()) outbox.start()
  const rounds = [...work, quotes, reporting]
  for (const { start } of rounds) start()
  for (const { wake } of work.slice(0, 2)) wakers.add(wake)
  link.start()

  const stop = async (): Promise<void> => {
    wakers.clear()
    await Promise.all(rounds.map((round) => round.stop()))
    await quoter.withdraw()
    link.stop()
    inventory.stop()
    await watch.stop()
    await Promise.all([...outboxes.values()].map((outbox) => outbox.stop()))
    for (const { evm } of chains.values()) evm.stop()
    await store.close()
  }
  return { status, modes: parts.modes, stop }
}
