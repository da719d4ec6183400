import { tokenKey } from '../../core/token-key.ts'
import { together } from '../../lib/lifecycle.ts'
import { TOKEN_SENT_TOPIC } from '../../protocols/axelar/gateway-contract.ts'
import { createRelayTimes } from '../../protocols/axelar/relay-times.ts'
import type { RunningBackend } from '../backend.ts'
import type { BackendDefinition, BackendDeps } from '../backend-definition.ts'
import { unpriced } from '../decline.ts'
import { pairKey } from '../pair-key.ts'
import { createTransferFees } from './fees.ts'
import { quoteSend } from './quote.ts'
import { gatewayRoutes, gatewaySides } from './routes.ts'
import { createGatewayStates } from './states.ts'
import { trackSend } from './track.ts'

const NAME = 'Axelar Gateway'

const create = ({ axelar, ...deps }: BackendDeps): RunningBackend | undefined => {
  if (axelar === undefined) return undefined
  const { axelarscan, lcd, hubChain } = axelar
  const { now, log } = deps
  const sides = gatewaySides(deps)
  const routes = gatewayRoutes(sides)
  const served = new Set(
    [...routes.values()].flatMap(({ from, to }) => [tokenKey(from.token), tokenKey(to.token)]),
  )
  const states = createGatewayStates({ now, log }, sides)
  const fees = createTransferFees({ lcd, now, log }, sides)
  const chains = [...new Set(sides.map(({ axelarName }) => axelarName))]
  const relayTimes = createRelayTimes({ axelarscan, chains, hubChain, now, log })
  const parts = [states, fees, relayTimes]
  const quoteDeps = { states, fees, relayTimes, name: NAME }
  return {
    serves: (token) => served.has(tokenKey(token)),
    routes: ({ from, to }) =>
      routes.has(pairKey(from.token, to.token)) ? [{ backend: 'gateway', from, to }] : [],
    quote: async (order, { from, to }) => {
      const route = routes.get(pairKey(from.token, to.token))
      return route === undefined
        ? unpriced('the route is not configured')
        : quoteSend(quoteDeps, route, order)
    },
    track: (quote, lookup) => trackSend({ ...deps, axelarscan }, quote, lookup),
    ...together(parts),
  }
}

/**
 * The backend that moves gateway assets with `sendToken`. Mint limits and transfer fees are refreshed in the background.
 * Source: AxelarGateway 6.x.
 */
export const gateway: BackendDefinition = {
  type: 'gateway',
  name: NAME,
  contracts: ({ axelar }) => (axelar === undefined ? [] : [axelar.gateway]),
  messageEvent: { topic: TOKEN_SENT_TOPIC, caller: 'sender', emitter: ({ axelar }) => axelar?.gateway },
  quotes: { output: 'transferred', capacity: 'unreserved' },
  demo: { assets: 'same', crossesFamilies: false, refunds: false },
  create,
}
