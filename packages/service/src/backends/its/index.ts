import { tokenIdsOf } from '../../core/interchain-token.ts'
import { valueScaleOf } from '../../core/value-scale.ts'
import { together } from '../../lib/lifecycle.ts'
import { rollupCharge } from '../../protocols/axelar/execution-data.ts'
import { createGasFees } from '../../protocols/axelar/gas-fees.ts'
import { CONTRACT_CALL_TOPIC } from '../../protocols/axelar/gateway-contract.ts'
import { createRelayTimes } from '../../protocols/axelar/relay-times.ts'
import { tokenManagerAddress } from '../../protocols/axelar/token-manager-address.ts'
import type { RunningBackend } from '../backend.ts'
import type { BackendDefinition, BackendDeps } from '../backend-definition.ts'
import { unpriced } from '../decline.ts'
import { createMessageFinder } from '../find-message.ts'
import { NO_REFUND } from '../terms.ts'
import { locateOnSolana } from './from-solana.ts'
import { createGivingTrials } from './giving-trial.ts'
import { createHubReader } from './hub-facts.ts'
import type { ItsQuoteDeps } from './pricing.ts'
import { quoteTransfer } from './quote.ts'
import { quoteFromSolana } from './quote-from-solana.ts'
import { itsRecoveries } from './recover.ts'
import { isFromSolana, itsRoutes, itsSides } from './routes.ts'
import { createItsStates } from './states.ts'
import { expectedMessage, trackTransfer } from './track.ts'

const NAME = 'Interchain Token Service'

const create = ({ axelar, ...deps }: BackendDeps): RunningBackend | undefined => {
  if (axelar === undefined) return undefined
  const { axelarscan, gasMarginBps: marginBps } = axelar
  const { now, log } = deps
  const sides = itsSides(deps)
  const routes = itsRoutes(sides)
  const states = createItsStates({ now, log }, sides)
  const hub = { chain: axelar.hubChain, address: axelar.hubAddress }
  const deployments = [...new Set(sides.map(({ chain }) => chain))].flatMap((chain) => {
    const { chainId, axelar, tokenReceiver, nativeToken } = chain
    const charge = () => rollupCharge(deps.evmChains.get(chainId)?.head())
    const nativeDecimals = valueScaleOf(chain) === 1n ? undefined : nativeToken.decimals
    return axelar === undefined ? (tokenReceiver ?? []) : { ...axelar, charge, nativeDecimals }
  })
  const gasFees = createGasFees({ axelarscan, chains: deployments, hubChain: hub.chain, marginBps, now, log })
  const relayTimes = createRelayTimes({ axelarscan, hubChain: hub.chain, now, log })
  const hubReader = axelar.hub && createHubReader(axelar.hub, { now, log })
  const parts = [states, gasFees, relayTimes, ...(hubReader === undefined ? [] : [hubReader])]
  const findOnEvm = createMessageFinder(deps, expectedMessage)
  const trials = createGivingTrials(now)
  const { carriage } = deps
  const quoteDeps: ItsQuoteDeps = {
    ...{ states, hubReader, trials, carriage, gasFees, relayTimes, hub, name: NAME },
  }
  const trackDeps = { ...deps, axelarscan, hub: axelar.hub }
  return {
    serves: routes.serves,
    routes: (pair) =>
      routes.get(pair) === undefined ? [] : [{ backend: 'its', from: pair.from, to: pair.to }],
    quote: async (order, pair) => {
      const route = routes.get(pair)
      if (route === undefined) return unpriced('the route is not configured')
      return isFromSolana(route)
        ? quoteFromSolana(quoteDeps, route, order)
        : quoteTransfer(quoteDeps, route, order)
    },
    track: (quote, lookup) => trackTransfer(trackDeps, quote, lookup),
    recoveries: (quote, lookup) => itsRecoveries({ ...trackDeps, gasFees }, quote, lookup),
    recall: () => ({ refund: NO_REFUND, deposit: null }),
    locate: (quote, name, client) => locateOnSolana(deps, quote, name) ?? findOnEvm(quote, name, client),
    ...together(parts),
  }
}

/**
 * The backend that moves interchain tokens through Axelar's Interchain Token Service and its hub. Limits, trust and gas
 * fees are read by need. Source: InterchainTokenService 2.x.
 */
export const its: BackendDefinition = {
  type: 'its',
  name: NAME,
  contracts: ({ axelar, tokenReceiver }, tokens) => [
    ...[
      axelar?.gateway,
      axelar?.gasService,
      axelar?.its,
      axelar?.itsFactory,
      tokenReceiver?.gateway,
      tokenReceiver?.its,
      tokenReceiver?.gasService,
    ].filter((address) => address !== undefined),
    ...tokens.flatMap((token) => {
      const service = axelar?.its
      if (service === undefined) return []
      return [
        ...tokenIdsOf(token).map((tokenId) => tokenManagerAddress(service, tokenId)),
        ...(token.its?.contract === undefined ? [] : [token.its.contract]),
      ]
    }),
  ],
  messageEvent: { topic: CONTRACT_CALL_TOPIC, caller: 'contract', emitter: ({ axelar }) => axelar?.gateway },
  quotes: { output: 'transferred', capacity: 'unreserved' },
  demo: { assets: 'same', crossesFamilies: false, refunds: false },
  create,
}
