import type { Exchange } from '../../core/network.ts'
import { requireBinding } from '../../core/require-binding.ts'
import type { Observation } from '../../core/transfer.ts'
import { together } from '../../lib/lifecycle.ts'
import { createAxelarCore } from '../../protocols/axelar/core.ts'
import { CONTRACT_CALL_WITH_TOKEN_TOPIC } from '../../protocols/axelar/gateway-contract.ts'
import { createRelayTimes } from '../../protocols/axelar/relay-times.ts'
import { createPoolMirror } from '../../protocols/uniswap-v3/pool-mirror.ts'
import type { RunningBackend } from '../backend.ts'
import type { BackendDefinition, BackendDeps } from '../backend-definition.ts'
import { unpriced } from '../decline.ts'
import { createMessageFinder } from '../find-message.ts'
import { createGatewayStates } from '../gateway/states.ts'
import { createRangeDeclines } from './amount-range.ts'
import { isOfRouter } from './binding.ts'
import { createFailingDeliveries } from './delivery-trial.ts'
import { createMessageFees } from './gas-fees.ts'
import { expressRefund } from './metadata.ts'
import { type ExpressQuoteDeps, quoteExpress } from './quote.ts'
import { expressRecoveries } from './recover.ts'
import { dueExpressRefund } from './refund-call.ts'
import { isReturnPaid } from './return-gas.ts'
import { createRouterChecks } from './router-facts.ts'
import { expressRoutes } from './routes.ts'
import { expectedMessage, trackExpress } from './track.ts'

const NAME = 'Gateway Express'

/** What is said of a quote for a router that the service does not know any more. */
const OTHER_ROUTER: Observation = { seen: 'unreadable', details: {} }

/** The terms of a stored quote, of an earlier router too. */
const recall: NonNullable<RunningBackend['recall']> = (quote) => ({
  refund: expressRefund({
    address: quote.sender,
    chain: quote.fromChain,
    token: requireBinding(quote, 'sourceBridge'),
    relaySeconds: quote.estimatedTimeSeconds,
    isFloating: quote.minimumOutput < quote.output,
  }),
  deposit: null,
})

const create = ({ axelar, ...deps }: BackendDeps): RunningBackend | undefined => {
  if (axelar === undefined || deps.carriage === undefined) return undefined
  const { axelarscan, hubChain, gasMarginBps: marginBps } = axelar
  const { carriage, store, now, log } = deps
  const routes = expressRoutes(deps)
  const { bridges } = routes
  const byChain = new Map(bridges.map((bridge) => [bridge.chain.chainId, bridge]))
  const mirrors = new Map(
    [...byChain].map(([chainId, { evm, exchange }]) => [
      chainId,
      createPoolMirror({ chain: evm, exchange, now, log }),
    ]),
  )
  const states = createGatewayStates({ carriage, now, log }, bridges)
  const fees = createMessageFees({ axelarscan, marginBps, now, log })
  const routers = createRouterChecks({ now, log })
  const relayTimes = createRelayTimes({ axelarscan, hubChain, now, log })
  const parts = [...mirrors.values(), states, routers, fees, relayTimes]
  const quoteDeps: ExpressQuoteDeps = {
    mirrors,
    states,
    routers,
    fees,
    relayTimes,
    ranges: createRangeDeclines(),
    randomHex: deps.randomHex,
    name: NAME,
    keeper: deps.keeper,
  }
  const failing = createFailingDeliveries(now)
  const trackDeps = {
    ...deps,
    axelarscan,
    core: createAxelarCore(axelar.lcd),
    failing,
    isReturnPaid: (transferId: string) => isReturnPaid({ store }, transferId),
  }
  const locate = createMessageFinder(deps, expectedMessage)
  return {
    serves: routes.serves,
    routes: (pair) =>
      routes.between(pair).length === 0 ? [] : [{ backend: 'gateway-express', from: pair.from, to: pair.to }],
    quote: async (order, pair) => {
      const candidates = routes.between(pair)
      return candidates.length === 0
        ? unpriced('the route is not configured')
        : quoteExpress(quoteDeps, candidates, order)
    },
    track: async (quote, lookup) =>
      isOfRouter(quote) ? trackExpress(trackDeps, quote, lookup) : OTHER_ROUTER,
    refundCall: async (quote, lookup) =>
      isOfRouter(quote)
        ? dueExpressRefund({ ...deps, axelarscan, fees, bridges, failing }, quote, lookup)
        : undefined,
    recoveries: async (quote, lookup) =>
      isOfRouter(quote) ? expressRecoveries({ ...deps, axelarscan, fees, bridges }, quote, lookup) : [],
    recall,
    locate: async (quote, name, client) =>
      isOfRouter(quote) ? locate(quote, name, client) : { located: 'unreadable' },
    ...together(parts),
  }
}

/** Contracts of an exchange, including its pools: a pool gives a payment it receives to its next trader. */
const exchangeContracts = (exchange: Exchange | undefined): readonly (string | undefined)[] => {
  if (exchange === undefined) return []
  const { router, factory, tickLens, quoter, wrappedNative, pools } = exchange
  return [router, factory, tickLens, quoter, wrappedNative, ...pools.map(({ address }) => address)]
}

/**
 * The backend that swaps, bridges and swaps again, between any two tokens that the pools connect. Pools are mirrored;
 * limits and gas fees are read by need; the keeper gives back what cannot be delivered. Source: contracts/router,
 * docs/decisions/0012 and 0062.
 */
export const gatewayExpress: BackendDefinition = {
  type: 'gateway-express',
  name: NAME,
  contracts: ({ axelar, exchange, express }) =>
    [axelar?.gateway, axelar?.gasService, express?.router, ...exchangeContracts(exchange)].filter(
      (address) => address !== undefined,
    ),
  messageEvent: {
    topic: CONTRACT_CALL_WITH_TOKEN_TOPIC,
    caller: 'contract',
    emitter: ({ axelar }) => axelar?.gateway,
  },
  quotes: { output: 'priced', capacity: 'unreserved' },
  demo: { assets: 'other', crossesFamilies: false, refunds: false },
  create,
}
