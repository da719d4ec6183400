import type { ChainId } from '@openrfq/sdk'
import type { OrderId } from '../../core/intent-order.ts'
import { createPoller, type Poller } from '../../lib/poller.ts'
import { createThrottledLog } from '../../lib/throttled-log.ts'
import { SETTLER_KINDS, type SettlerKind } from '../settlers/order-status.ts'
import { assembleSolver, type Parts, type SolverDeps } from './assemble-solver.ts'
import type { SolverAsset } from './assets.ts'
import { type ClaimLink, createClaimLink } from './attested/claim-link.ts'
import { createFillNotices, type FillNotices } from './attested/fill-notices.ts'
import { createAttestedFiller } from './attested/filler.ts'
import { programOrigin, settlerOrigin } from './attested/repayment-origins.ts'
import { createRepayments } from './attested/repayments.ts'
import { isAddressed } from './attested/sides.ts'
import { createClaimer } from './claimer.ts'
import type { KeyedSolverConfig } from './config.ts'
import { freeOf } from './examine.ts'
import { createFiller } from './filler.ts'
import type { ModeSwitch } from './modes.ts'
import { directionOf, pairsOf } from './pairs.ts'
import { createProver } from './prover.ts'
import { createQuoter } from './quoter.ts'
import { createServiceLink, type OrderNotice, type ServiceLink } from './service-link.ts'
import type { SolverStatus } from './solver-status.ts'
import { createTakeovers, type Takeovers } from './takeover/takeovers.ts'
import { createUpkeep } from './upkeep.ts'

/** A running solver. */
export type ReferenceSolver = {
  readonly status: () => SolverStatus
  readonly modes: ModeSwitch
  /**
   * Withdraws its quotes, waits for work in progress, then releases all resources. Signed transactions stay stored for
   * the next start.
   */
  readonly stop: () => Promise<void>
}

const WORK_MS = 500
const QUOTE_MS = 1_000
const UPKEEP_MS = 15_000
const REPORT_MS = 30_000

/** Notes that the order was announced, and adds an attested one; an order between EVM chains is found on chain. */
const takeNotice = (parts: Parts, { orderId, order, final }: OrderNotice): void => {
  const { pendingOrders, commitments, log } = parts
  commitments.announce(orderId)
  if (order.attester !== undefined) {
    if (!isAddressed(parts, orderId, order)) log('warn', 'foreign_order_notice', { orderId })
    else if (!pendingOrders.take({ orderId, order, isFinal: final }))
      log('warn', 'too_many_orders', { orderId })
  }
  parts.wakeUp.emit()
}

/**
 * Whether the solver may take on orders of a kind on a chain: it was read up to a moment ago, and its settler of that kind is
 * what the network file says. A fill on a settler that is not could succeed, and its proof never arrive.
 */
const isFitOf = ({ watch, paymentChains, settlerChecks }: Parts) => {
  return (chainId: ChainId, kind: SettlerKind): boolean => {
    const paymentChain = paymentChains.get(chainId)?.paymentChain
    if (paymentChain !== undefined) return paymentChain.head() !== undefined
    return settlerChecks.lastConfirmed(kind, chainId) === true && watch.isCurrent(chainId)
  }
}

const assetsByKey = ({ assets }: Parts): ReadonlyMap<string, SolverAsset> =>
  new Map(assets.map((asset) => [asset.key, asset]))

/** The orders of other solvers that this one may fill. */
const takeoversOf = (parts: Parts): Takeovers =>
  createTakeovers({
    ...parts,
    ...parts.config,
    assets: assetsByKey(parts),
    freeOf: (asset) => freeOf(parts, asset),
  })

/** The parts that talk to the service: the link and the quotes on it. */
const createTrade = (parts: Parts, takeovers: Takeovers) => {
  const { config, log } = parts
  const { strategy, serviceUrl, serviceName, privateKey } = config
  const notices = createFillNotices({
    ...parts,
    sayFilled: (order, transaction) => link.send({ type: 'fill', order, transaction }),
  })
  const link: ServiceLink = createServiceLink({
    url: serviceUrl,
    serviceName,
    privateKey,
    onWelcome: ({ terms }) => {
      parts.commitments.setLifetime(terms.quoteLifetimeSeconds)
      quoter.reset()
      quotes.wake()
    },
    onOrder: (notice) => takeNotice(parts, notice),
    onReoffer: takeovers.offer,
    onFillKnown: notices.known,
    random: parts.random,
    log,
  })
  const isFit = isFitOf(parts)
  const quoter = createQuoter({
    ...parts,
    now: parts.steady,
    strategy,
    link,
    isFit: (chainId, kind) =>
      isFit(chainId, kind) && (kind !== 'intent' || parts.carriage?.of(chainId) === true),
    onQuoting: parts.onQuoting ?? (() => undefined),
  })
  const quotes = createPoller({ name: 'quote_round', periodMs: QUOTE_MS, run: quoter.round, log })
  return { link, quoter, quotes, notices }
}

/** The chains whose escrows pay the solver, and the attester whose signature has them do so. */
const claimingOf = ({ sides, config, client, log }: Parts) => {
  const { network, privateKey } = config
  const origins = new Map(
    [...sides.values()].flatMap((side) => {
      if (side.kind === 'evm') return [[side.chainId, settlerOrigin(side)] as const]
      return side.escrow === undefined ? [] : [[side.chainId, programOrigin(side.escrow, log)] as const]
    }),
  )
  const url = network.intent?.attesterUrl
  const claim: ClaimLink =
    url === undefined
      ? () => Promise.reject(new Error('network.intent.attesterUrl is not configured'))
      : createClaimLink({ client, url, privateKey })
  return { origins, claim }
}

/** The parts that move money: fills and declines, proofs, claims; the last one keeps allowances. */
const createWork = (
  parts: Parts,
  { link, notices }: { readonly link: ServiceLink; readonly notices: FillNotices },
  takeovers: Takeovers,
): readonly Poller[] => {
  const { config, watch, modes, report, log, steady } = parts
  const { strategy, settlement } = config
  const assets = assetsByKey(parts)
  const isFit = isFitOf(parts)
  const shared = { ...parts, strategy, settlement, isCurrent: watch.isCurrent }
  const sayDeclined = (orderId: OrderId, reason: string): boolean =>
    link.send({ type: 'decline', orderId, reason })
  const filler = createFiller({
    ...shared,
    isCurrent: (chainId) => isFit(chainId, 'intent'),
    takeovers,
    assets,
    mode: modes.mode,
    onDeclined: (orderId, reason) => {
      report.onDeclined()
      sayDeclined(orderId, reason)
    },
  })
  const repayments = createRepayments({ ...parts, ...claimingOf(parts) })
  const attested = createAttestedFiller({
    ...shared,
    repayments,
    notices,
    assets,
    mode: modes.mode,
    sayDeclined,
    onDeclined: report.onDeclined,
  })
  const prover = createProver({
    ...shared,
    assets,
    now: steady,
    ...parts.relay,
  })
  const claimer = createClaimer({ ...shared, assets, now: steady })
  const upkeep = createUpkeep(shared)
  return [
    createPoller({ name: 'fill_round', periodMs: WORK_MS, run: filler.round, log }),
    createPoller({ name: 'attested_fill_round', periodMs: WORK_MS, run: attested.round, log }),
    createPoller({ name: 'repayment_round', periodMs: WORK_MS, run: repayments.round, log }),
    createPoller({ name: 'proof_round', periodMs: WORK_MS, run: prover.round, log }),
    createPoller({ name: 'claim_round', periodMs: WORK_MS, run: claimer.round, log }),
    createPoller({ name: 'takeover_round', periodMs: UPKEEP_MS, run: takeovers.round, log }),
    createPoller({ name: 'upkeep_round', periodMs: UPKEEP_MS, run: upkeep.round, log }),
  ]
}

/**
 * Starts a solver: it reads the chains, logs in, quotes, fills deposited orders and collects its repayments. Rejects if
 * its database cannot be opened or the network config is invalid; unreachable chains and services are retried.
 */
export const startReferenceSolver = async (
  config: KeyedSolverConfig,
  deps: SolverDeps,
): Promise<ReferenceSolver> => {
  const parts = await assembleSolver(config, { ...deps, log: createThrottledLog(deps.log, deps.steady) })
  const { chains, paymentChains, inventory, watch, store, wakeUp, log } = parts
  const takeovers = takeoversOf(parts)
  const { link, quoter, quotes, notices } = createTrade(parts, takeovers)
  const work = createWork(parts, { link, notices }, takeovers)
  const status = (): SolverStatus => parts.report.status({ ...parts, isConnected: link.isOpen() })
  const reporting = createPoller({
    name: 'status_report',
    periodMs: REPORT_MS,
    run: async () => parts.report.logStatus(status()),
    log,
  })
  const directions = pairsOf(parts.assets, parts.sides).map(directionOf)
  const costing = createPoller({
    name: 'cost_round',
    periodMs: UPKEEP_MS,
    run: () => parts.costs.look(directions),
    log,
  })
  const live = [
    ...[...chains.values()].map(({ evm }) => evm),
    ...[...paymentChains.values()].map(({ paymentChain }) => paymentChain),
  ]
  const outboxes = [...parts.outboxes.values(), ...parts.payouts.values()]
  const checks = [parts.settlerChecks, ...(parts.carriage === undefined ? [] : [parts.carriage])]
  await Promise.all([...live, ...checks].map(({ start }) => start()))
  // Asked now, so that the first round after the login knows.
  for (const chainId of chains.keys())
    for (const kind of SETTLER_KINDS) parts.settlerChecks.lastConfirmed(kind, chainId)
  await takeovers.round()
  await Promise.all([inventory.start(), watch.start()])
  for (const outbox of outboxes) outbox.start()
  const rounds = [...work, quotes, reporting, costing]
  for (const { start } of rounds) void start()
  for (const { wake } of work.slice(0, -1)) wakeUp.on(wake)
  link.start()

  const stop = async (): Promise<void> => {
    await Promise.all(rounds.map((round) => round.stop()))
    await quoter.withdraw()
    link.stop()
    await inventory.stop()
    await watch.stop()
    await Promise.all(checks.map(({ stop }) => stop()))
    await Promise.all(outboxes.map((outbox) => outbox.stop()))
    await Promise.all(live.map((chain) => chain.stop()))
    parts.client.close()
    await store.close()
  }
  return { status, modes: parts.modes, stop }
}
