import type { ChainId } from '@openrfq/sdk'
import type { Exchange, NetworkChain } from '../../core/network.ts'
import { requireBinding } from '../../core/require-binding.ts'
import type { Observation } from '../../core/transfer.ts'
import { type Lifecycle, shared, together } from '../../lib/lifecycle.ts'
import type { Axelar } from '../../protocols/axelar/axelar.ts'
import type { Carriage } from '../../protocols/axelar/carriage.ts'
import { createAxelarCore } from '../../protocols/axelar/core.ts'
import { CONTRACT_CALL_WITH_TOKEN_TOPIC } from '../../protocols/axelar/gateway-contract.ts'
import { createRelayTimes } from '../../protocols/axelar/relay-times.ts'
import type { PoolMirror } from '../../protocols/uniswap-v3/pool-mirror.ts'
import type { RunningBackend } from '../backend.ts'
import type { BackendDefinition, BackendDeps } from '../backend-definition.ts'
import { unpriced } from '../decline.ts'
import { createMessageFinder } from '../find-message.ts'
import { NO_REFUND } from '../terms.ts'
import { createRangeDeclines } from './amount-range.ts'
import { isOfRouter } from './binding.ts'
import { createFailingDeliveries } from './delivery-trial.ts'
import { createMessageFees, type MessageFees } from './gas-fees.ts'
import { routerRefund } from './metadata.ts'
import { quoteRoutes, type RouterBackendType } from './quote.ts'
import { routerRecoveries } from './recover.ts'
import { dueRouterRefund } from './refund-call.ts'
import { isReturnPaid } from './return-gas.ts'
import { createRouterChecks } from './router-facts.ts'
import { type BridgeSide, bridgeSides, type RouteChoice, routerRoutes } from './routes.ts'
import { createGatewayStates } from './states.ts'
import { expectedMessage, trackTransfer } from './track.ts'

/** How the backends over the router differ. */
export type RouterKind = RouteChoice & {
  readonly type: RouterBackendType
  readonly name: string
  /** What a message costs, and whether an executor is paid for it. */
  readonly feesOf: (fees: MessageFees) => MessageFees
  /** The pools that the backend swaps in, by chain. */
  readonly mirrorsOf: (
    bridges: readonly BridgeSide[],
    deps: Pick<BackendDeps, 'now' | 'log'>,
  ) => ReadonlyMap<ChainId, PoolMirror>
}

/** What is said of a quote for a router that the service does not know any more. */
const OTHER_ROUTER: Observation = { seen: 'unreadable', details: {} }

/** The terms of a stored quote, of an earlier router too; one without a bridge token crossed by no router. */
const recall: NonNullable<RunningBackend['recall']> = (quote) => ({
  refund:
    quote.binding['sourceBridge'] === undefined
      ? { ...NO_REFUND, terms: 'No refund: Axelar no longer delivers transfers of this kind.' }
      : routerRefund({
          address: quote.sender,
          chain: quote.fromChain,
          token: requireBinding(quote, 'sourceBridge'),
          relaySeconds: quote.estimatedTimeSeconds,
          isFloating: quote.minimumOutput < quote.output,
        }),
  deposit: null,
})

const createParts = (deps: BackendDeps, axelar: Axelar, carriage: Carriage) => {
  const { axelarscan, hubChain, gasMarginBps: marginBps } = axelar
  const { now, log } = deps
  const bridges = bridgeSides(deps)
  const states = createGatewayStates({ carriage, now, log }, bridges)
  const fees = createMessageFees({ axelarscan, marginBps, now, log })
  const routers = createRouterChecks({ now, log })
  const relayTimes = createRelayTimes({ axelarscan, hubChain, now, log })
  return {
    ...{ bridges, states, fees, routers, relayTimes },
    failing: createFailingDeliveries(now),
    locate: createMessageFinder(deps, expectedMessage),
    lifecycle: shared(together([states, routers, fees, relayTimes])),
  }
}

/** What the backends of a service read together, so that nothing is read twice. */
const partsOf = (() => {
  const known = new WeakMap<BackendDeps, ReturnType<typeof createParts>>()
  return (deps: BackendDeps, axelar: Axelar, carriage: Carriage) => {
    const parts = known.get(deps) ?? createParts(deps, axelar, carriage)
    known.set(deps, parts)
    return parts
  }
})()

/** What a backend over the router runs with; undefined without Axelar. */
const createRunning = (kind: RouterKind, deps: BackendDeps): RunningBackend | undefined => {
  const { axelar, carriage, store } = deps
  if (axelar === undefined || carriage === undefined) return undefined
  const { bridges, failing, locate, lifecycle, ...parts } = partsOf(deps, axelar, carriage)
  const { axelarscan } = axelar
  const routes = routerRoutes(deps.catalog.tokens, bridges, kind)
  const mirrors = kind.mirrorsOf(bridges, deps)
  const fees = kind.feesOf(parts.fees)
  const { type, name, offers } = kind
  const { randomHex, keeper } = deps
  const ranges = createRangeDeclines()
  const quoteDeps = { ...parts, ...{ type, name, offers, mirrors, fees, ranges, randomHex, keeper } }
  const followDeps = { ...deps, ...{ axelarscan, fees, bridges, failing } }
  const trackDeps = {
    ...followDeps,
    core: createAxelarCore(axelar.lcd),
    isReturnPaid: (transferId: string) => isReturnPaid({ store }, transferId),
  }
  const lives: readonly Lifecycle[] = [lifecycle, ...mirrors.values()]
  return {
    serves: routes.serves,
    routes: (pair) =>
      routes.between(pair).length === 0 ? [] : [{ backend: type, from: pair.from, to: pair.to }],
    quote: async (order, pair) => {
      const candidates = routes.between(pair)
      return candidates.length === 0
        ? unpriced('the route is not configured')
        : quoteRoutes(quoteDeps, candidates, order)
    },
    track: async (quote, lookup) =>
      isOfRouter(quote) ? trackTransfer(trackDeps, quote, lookup) : OTHER_ROUTER,
    refundCall: async (quote, lookup) =>
      isOfRouter(quote) ? dueRouterRefund(followDeps, quote, lookup) : undefined,
    recoveries: async (quote, lookup) =>
      isOfRouter(quote) ? routerRecoveries(followDeps, quote, lookup) : [],
    recall,
    locate: async (quote, messageName, client) =>
      isOfRouter(quote) ? locate(quote, messageName, client) : { located: 'unreadable' },
    ...together(lives),
  }
}

/** Contracts of an exchange, including its pools: a pool gives a payment it receives to its next trader. */
const exchangeContracts = (exchange: Exchange | undefined): readonly (string | undefined)[] => {
  if (exchange === undefined) return []
  const { router, factory, tickLens, quoter, wrappedNative, pools } = exchange
  return [router, factory, tickLens, quoter, wrappedNative, ...pools.map(({ address }) => address)]
}

const contractsOf = ({ axelar, exchange, express }: NetworkChain): readonly string[] =>
  [axelar?.gateway, axelar?.gasService, express?.router, ...exchangeContracts(exchange)].filter(
    (address) => address !== undefined,
  )

/**
 * The members that the backends over the router share. Limits and gas fees are read by need; the keeper gives back what cannot
 * be delivered. Source: contracts/router, docs/decisions/0062 and 0101.
 */
export const routerBackend = (
  kind: RouterKind,
): Pick<BackendDefinition, 'type' | 'name' | 'contracts' | 'messageEvent' | 'create'> => ({
  type: kind.type,
  name: kind.name,
  contracts: contractsOf,
  messageEvent: {
    topic: CONTRACT_CALL_WITH_TOKEN_TOPIC,
    caller: 'contract',
    emitter: ({ axelar }) => axelar?.gateway,
  },
  create: (deps) => createRunning(kind, deps),
})
