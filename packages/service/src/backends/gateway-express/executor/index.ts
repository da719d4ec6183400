import { createCatalog } from '../../../chains/catalog.ts'
import { createEvmChain } from '../../../chains/evm/index.ts'
import { ConfigError } from '../../../core/config-error.ts'
import type { Clock } from '../../../lib/clock.ts'
import { together } from '../../../lib/lifecycle.ts'
import type { Log } from '../../../lib/log.ts'
import { createPoller } from '../../../lib/poller.ts'
import { createAxelarscan } from '../../../protocols/axelar/gmp.ts'
import { openSqliteStore } from '../../../store/sqlite.ts'
import type { FrontedDelivery, Store } from '../../../store/store.ts'
import { createTransactionOutbox } from '../../../transactions/transaction-outbox.ts'
import { createMessageFees } from '../../router/gas-fees.ts'
import { createRouterChecks } from '../../router/router-facts.ts'
import { type BridgeSide, bridgeSides, isConnected } from '../../router/routes.ts'
import { hasRouter, type KeyedExecutorConfig } from './config.ts'
import { boundsOf, createExposure } from './exposure.ts'
import { createExpressQueue, type ExpressQueue } from './express-queue.ts'
import { lookAt } from './fronter.ts'
import { createRepayments } from './repayments.ts'
import type { Direction, SentTransfer, ServedTransfer } from './sent-message.ts'
import { createSentWatch } from './sent-watch.ts'

/** A running executor. */
export type Executor = {
  /** Waits for work in progress. Signed transactions stay stored for the next start. */
  readonly stop: () => Promise<void>
}

type Deps = Clock & { readonly log: Log; readonly openStore?: typeof openSqliteStore }

const REPAYMENT_ROUND_MS = 5_000
/** What a repayment takes beside twice the source's finality: the relay, and what may hold it up. */
const REPAYMENT_SECONDS = 3_600
/** The sender paid for the relay at the fees of its quote; the executor adds no margin. */
const NO_MARGIN_BPS = 10_000

/** The directions that the executor serves. */
const directionsOf = (config: KeyedExecutorConfig, bridges: readonly BridgeSide[]): readonly Direction[] =>
  bridges
    .filter(({ chain, token }) => boundsOf(config, chain.chainId, token.address) !== undefined)
    .flatMap((to) => bridges.filter((from) => isConnected(from, to)).map((from) => ({ from, to })))

const patienceOf =
  (directions: readonly Direction[]) =>
  (sourceChain: string): number => {
    const source = directions.find(({ from }) => from.chain.chainId === sourceChain)?.from
    return ((source?.finalitySeconds ?? 0) * 2 + REPAYMENT_SECONDS) * 1_000
  }

/** Finds the direction of what was sent, and of what was fronted. */
const createFinder = (directions: readonly Direction[]) => ({
  ofSent: ({ sourceChain, destinationNumber, bridgeToken }: SentTransfer): Direction | undefined =>
    directions.find(
      ({ from, to }) =>
        from.chain.chainId === sourceChain &&
        to.chainNumber === destinationNumber &&
        from.token.address.toLowerCase() === bridgeToken,
    ),
  ofFronted: ({ sourceChain, chainId, token }: FrontedDelivery): Direction | undefined =>
    directions.find(
      ({ from, to }) =>
        from.chain.chainId === sourceChain && to.chain.chainId === chainId && to.token.address === token,
    ),
})

/** Connects the EVM chains with a router, and what their routers bridge. */
const connect = ({ network }: KeyedExecutorConfig, { now, steady, log }: Deps) => {
  const catalog = createCatalog(network)
  const evmChains = new Map(
    catalog.chains
      .filter(hasRouter)
      .map((chain) => [chain.chainId, createEvmChain({ ...chain, now: steady, wallTime: now, log })]),
  )
  return { evmChains, bridges: bridgeSides({ catalog, evmChains, paymentChains: new Map() }) }
}

const isWithin = (config: KeyedExecutorConfig, { to }: Direction, amount: bigint): boolean => {
  const bounds = boundsOf(config, to.chain.chainId, to.token.address)
  return (
    bounds !== undefined && amount >= BigInt(bounds.minimumAmount) && amount <= BigInt(bounds.maximumAmount)
  )
}

const assemble = async (config: KeyedExecutorConfig, deps: Deps, store: Store) => {
  const { now, steady, log } = deps
  const { evmChains, bridges } = connect(config, deps)
  const directions = directionsOf(config, bridges)
  if (directions.length === 0)
    throw new ConfigError('no other chain of the network has the same router and token')
  const find = createFinder(directions)
  const patienceMs = patienceOf(directions)
  const destinations = new Set(directions.map(({ to }) => to.chain.chainId))
  const outboxes = new Map(
    [...evmChains]
      .filter(([chainId]) => destinations.has(chainId))
      .map(([chainId, chain]) => [
        chainId,
        createTransactionOutbox({ now, log, store, chain, privateKey: config.privateKey }),
      ]),
  )
  const axelarscan = createAxelarscan({ urls: config.network.axelar?.scanUrl ?? '', now: steady, log })
  const fees = createMessageFees({ axelarscan, marginBps: NO_MARGIN_BPS, now: steady, log })
  const routers = createRouterChecks({ now: steady, log })
  const exposure = createExposure({ store, config, patienceMs, now })
  const front = { config, exposure, outboxes, fees, routers, store, log }
  const queues = new Map(
    [...destinations].map((chainId) => [
      chainId,
      createExpressQueue({
        chainId,
        lookAt: (transfer) => lookAt(front, transfer),
        now: steady,
        log,
      }),
    ]),
  )
  const serve = (sent: SentTransfer, act: (queue: ExpressQueue, served: ServedTransfer) => void): void => {
    const direction = find.ofSent(sent)
    if (direction === undefined || !isWithin(config, direction, sent.amount)) return
    const queue = queues.get(direction.to.chain.chainId)
    if (queue !== undefined) act(queue, { ...sent, direction })
  }
  const sources = new Map(directions.map(({ from }) => [from.chain.chainId, from]))
  const watches = await Promise.all(
    [...sources].map(([chainId, { evm, router }]) =>
      createSentWatch({
        ...{ chainId, evm, router, store, now, steady, log },
        onSent: (sent, isFinal) => serve(sent, (queue, served) => queue.note(served, isFinal)),
        onRemoved: (sent) => serve(sent, (queue, served) => queue.drop(served)),
      }),
    ),
  )
  const repayments = createPoller({
    name: 'express_repayments',
    periodMs: REPAYMENT_ROUND_MS,
    run: createRepayments({ exposure, store, directionOf: find.ofFronted, patienceMs, now, log }),
    log,
  })
  return { evmChains, outboxes, exposure, fees, routers, queues, watches, repayments }
}

/**
 * Starts an executor: it delivers what the network's routers send to the chains of its inventory, from its own tokens, before
 * Axelar does, and is repaid by the message. Rejects if the database cannot be opened or the configuration contradicts itself;
 * unreachable chains are retried. Source: docs/decisions/0091.
 */
export const startExecutor = async (config: KeyedExecutorConfig, deps: Deps): Promise<Executor> => {
  const { log, openStore = openSqliteStore } = deps
  const store = await openStore({ directory: config.dataDirectory, log })
  try {
    const parts = await assemble(config, deps, store)
    const { evmChains, outboxes, exposure, fees, routers, queues, watches, repayments } = parts
    await exposure.load()
    await Promise.all([...evmChains.values()].map((chain) => chain.start()))
    for (const outbox of outboxes.values()) outbox.start()
    const working = together([fees, routers, ...queues.values(), ...watches, repayments])
    await working.start()
    return {
      stop: async () => {
        await working.stop()
        await Promise.all([...outboxes.values()].map((outbox) => outbox.stop()))
        await Promise.all([...evmChains.values()].map((chain) => chain.stop()))
        await store.close()
      },
    }
  } catch (cause) {
    await store.close()
    throw cause
  }
}
