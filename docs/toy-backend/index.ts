import { ERC20_TRANSFER_TOPIC } from '../../chains/evm/erc20.ts'
import type { RunningBackend } from '../backend.ts'
import type { BackendDefinition, BackendDeps } from '../backend-definition.ts'
import { unpriced } from '../decline.ts'
import { createMessageFinder } from '../find-message.ts'
import { createBalances } from './balances.ts'
import { quoteToy } from './quote.ts'
import { bridgeOn, TYPE, toyRoutes, toySides } from './routes.ts'
import { expectedMessage, trackToy } from './track.ts'

const NAME = 'Toy Bridge'

const create = (deps: BackendDeps): RunningBackend | undefined => {
  const sides = toySides(deps)
  const routes = toyRoutes(sides)
  if (routes.size === 0) return undefined
  const balances = createBalances(deps, sides)
  return {
    serves: routes.serves,
    routes: (pair) =>
      routes.get(pair) === undefined ? [] : [{ backend: TYPE, from: pair.from, to: pair.to }],
    quote: async (order, pair) => {
      const route = routes.get(pair)
      return route === undefined
        ? unpriced('the route is not configured')
        : quoteToy({ balances, name: NAME }, route, order)
    },
    locate: createMessageFinder(deps, expectedMessage),
    track: (quote, lookup) => trackToy(deps, quote, lookup),
    start: balances.start,
    stop: balances.stop,
  }
}

/**
 * An example: a bridge account on each EVM chain that takes plain ERC-20 transfers and pays out of its own balance on
 * another chain, less one part in a thousand. Its users trust its owner.
 */
export const toy: BackendDefinition = {
  type: TYPE,
  name: NAME,
  contracts: (chain) => [bridgeOn(chain)].filter((address) => address !== undefined),
  messageEvent: {
    topic: ERC20_TRANSFER_TOPIC,
    caller: 'sender',
    emitter: (chain, fromToken) => (bridgeOn(chain) === undefined ? undefined : fromToken),
  },
  quotes: { output: 'transferred', capacity: 'unreserved' },
  demo: { assets: 'same', crossesFamilies: false, refunds: false },
  create,
}
