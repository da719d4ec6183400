import type { Exchange } from '../../core/network.ts'
import { together } from '../../lib/lifecycle.ts'
import { CONTRACT_CALL_WITH_TOKEN_TOPIC } from '../../protocols/axelar/gateway-contract.ts'
import { createRelayTimes } from '../../protocols/axelar/relay-times.ts'
import { createPoolMirror } from '../../protocols/uniswap-v3/pool-mirror.ts'
import type { RunningBackend } from '../backend.ts'
import type { BackendDefinition, BackendDeps } from '../backend-definition.ts'
import { unpriced } from '../decline.ts'
import { createMessageFinder } from '../find-message.ts'
import { createGatewayStates } from '../gateway/states.ts'
import { createRangeDeclines } from './amount-range.ts'
import { boundTransfer } from './binding.ts'
import { createMessageFees } from './gas-fees.ts'
import { expressRefund } from './metadata.ts'
import { type ExpressQuoteDeps, quoteExpress } from './quote.ts'
import { expressRecoveries } from './recover.ts'
import { dueReturnGas, isReturnPaid } from './return-gas.ts'
import { expressRoutes } from './routes.ts'
import { expectedMessage, trackExpress } from './track.ts'

const NAME = 'Gateway Express'

const create = ({ axelar, ...deps }: BackendDeps): RunningBackend | undefined => {
  if (axelar === undefined) return undefined
  const { axelarscan, hubChain, gasMarginBps: marginBps } = axelar
  const { store, now, log } = deps
  const routes = expressRoutes(deps)
  const { bridges } = routes
  const byChain = new Map(bridges.map((bridge) => [bridge.chain.chainId, bridge]))
  const mirrors = new Map(
    [...byChain].map(([chainId, { evm, exchange }]) => [
      chainId,
      createPoolMirror({ chain: evm, exchange, now, log }),
    ]),
  )
  const states = createGatewayStates({ now, log }, bridges)
  const fees = createMessageFees({ axelarscan, marginBps, now, log })
  const relayTimes = createRelayTimes({ axelarscan, hubChain, now, log })
  const parts = [...mirrors.values(), states, fees, relayTimes]
  const quoteDeps: ExpressQuoteDeps = {
    mirrors,
    states,
    fees,
    relayTimes,
    ranges: createRangeDeclines(),
    randomHex: deps.randomHex,
    name: NAME,
  }
  const trackDeps = {
    ...deps,
    axelarscan,
    isReturnPaid: (transferId: string) => isReturnPaid({ store }, transferId),
  }
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
    track: (quote, lookup) => trackExpress(trackDeps, quote, lookup),
    refundCall: (quote, lookup) => dueReturnGas({ ...deps, fees, bridges }, quote, lookup),
    recoveries: (quote, lookup) => expressRecoveries({ ...deps, axelarscan, fees, bridges }, quote, lookup),
    recall: (quote) => ({
      refund: expressRefund({
        address: quote.sender,
        chain: quote.fromChain,
        token: boundTransfer(quote).sourceBridge,
        relaySeconds: quote.estimatedTimeSeconds,
        isFloating: quote.minimumOutput < quote.output,
      }),
      deposit: null,
    }),
    locate: createMessageFinder(deps, expectedMessage),
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
 * limits and gas fees are read by need; the keeper pays for return legs. Source: contracts/express, docs/decisions/0011
 * and 0012.
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
