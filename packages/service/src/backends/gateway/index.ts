import { together } from '../../lib/lifecycle.ts'
import { TOKEN_SENT_TOPIC } from '../../protocols/axelar/gateway-contract.ts'
import { createRelayTimes } from '../../protocols/axelar/relay-times.ts'
import type { RunningBackend } from '../backend.ts'
import type { BackendDefinition, BackendDeps } from '../backend-definition.ts'
import { unpriced } from '../decline.ts'
import { createMessageFinder } from '../find-message.ts'
import { NO_REFUND } from '../terms.ts'
import { createTransferFees } from './fees.ts'
import { quoteSend } from './quote.ts'
import { gatewayRoutes, gatewaySides } from './routes.ts'
import { createGatewayStates } from './states.ts'
import { expectedMessage, trackSend } from './track.ts'
import { createTransferHealth } from './transfer-health.ts'

const NAME = 'Axelar Gateway'

const create = ({ axelar, ...deps }: BackendDeps): RunningBackend | undefined => {
  if (axelar === undefined || deps.carriage === undefined) return undefined
  const { axelarscan, lcd, hubChain } = axelar
  const { carriage, now, log } = deps
  const sides = gatewaySides(deps)
  const routes = gatewayRoutes(sides)
  const states = createGatewayStates({ carriage, now, log }, sides)
  const fees = createTransferFees({ lcd, now, log })
  const relayTimes = createRelayTimes({ axelarscan, hubChain, now, log })
  const health = createTransferHealth({ axelarscan, now, log })
  const parts = [states, fees, relayTimes, health]
  const quoteDeps = { states, fees, relayTimes, health, name: NAME }
  return {
    serves: routes.serves,
    routes: (pair) =>
      routes.get(pair) === undefined ? [] : [{ backend: 'gateway', from: pair.from, to: pair.to }],
    quote: async (order, pair) => {
      const route = routes.get(pair)
      return route === undefined
        ? unpriced('the route is not configured')
        : quoteSend(quoteDeps, route, order)
    },
    track: (quote, lookup) => trackSend({ ...deps, axelarscan }, quote, lookup),
    recall: () => ({ refund: NO_REFUND, deposit: null }),
    locate: createMessageFinder(deps, expectedMessage),
    ...together(parts),
  }
}

/**
 * The backend that moves gateway assets with `sendToken`. Mint limits and transfer fees are read by need.
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
