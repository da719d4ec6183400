import type { OrderType } from '@openrfq/sdk'
import type { BaseUnits } from '../../core/amount.ts'
import { baseUnits, MAX_BASE_UNITS } from '../../core/amount.ts'
import {
  bestPathForInput,
  bestPathForOutput,
  type NoPathPrice,
  type PathPrice,
} from '../../protocols/uniswap-v3/path-price.ts'
import type { PoolState } from '../../protocols/uniswap-v3/pool.ts'
import { type ExpressRoute, isBridge, tradedAddress } from './routes.ts'

/** What pricing a route needs: the pools of both chains, and how much the destination can pay out. */
export type Markets = {
  readonly source: readonly PoolState[]
  readonly destination: readonly PoolState[]
  /** Base units of the bridge token left of its mint limit and the express executors' cap; null for no limit. */
  readonly room: bigint | null
}

/** A priced route: base units at each step, and the swaps; undefined where nothing is swapped. */
export type RoutePrice = {
  readonly route: ExpressRoute
  readonly input: BaseUnits
  readonly bridged: BaseUnits
  readonly output: BaseUnits
  readonly before: PathPrice | undefined
  readonly after: PathPrice | undefined
}

/** An amount to price on a route: base units of the input or of the output, as the order type says. */
type RouteAmount = {
  readonly route: ExpressRoute
  readonly markets: Markets
  readonly orderType: OrderType
  readonly amount: bigint
}

/** Why an amount cannot be priced. */
export type NoPrice = 'too_small' | 'too_large'

type Swap = { readonly amountIn: bigint; readonly amountOut: bigint; readonly path: PathPrice | undefined }

const reasonOf = (reason: NoPathPrice): NoPrice => (reason === 'too_small' ? 'too_small' : 'too_large')

const swapped = (price: PathPrice | NoPathPrice): Swap | NoPrice =>
  typeof price === 'string'
    ? reasonOf(price)
    : { amountIn: price.amountIn, amountOut: price.amountOut, path: price }

const kept = (amount: bigint): Swap => ({ amountIn: amount, amountOut: amount, path: undefined })

type PriceSwap = (pools: readonly PoolState[], from: string, to: string, amount: bigint) => Swap | NoPrice

const exactInput: PriceSwap = (pools, from, to, amount) =>
  from === to ? kept(amount) : swapped(bestPathForInput(pools, from, to, amount))
const exactOutput: PriceSwap = (pools, from, to, amount) =>
  from === to ? kept(amount) : swapped(bestPathForOutput(pools, from, to, amount))

type Swaps = Pick<RouteAmount, 'route'> & {
  readonly room: bigint | null
  readonly first: Swap
  readonly second: Swap
}

const assemble = ({ route, room, first, second }: Swaps): RoutePrice | NoPrice => {
  if (second.amountIn < route.from.minimumBridged) return 'too_small'
  if (room !== null && second.amountIn > room) return 'too_large'
  if (first.amountIn > MAX_BASE_UNITS) return 'too_large'
  return {
    route,
    input: baseUnits(first.amountIn),
    bridged: baseUnits(second.amountIn),
    output: baseUnits(second.amountOut),
    before: first.path,
    after: second.path,
  }
}

/**
 * The output for an input, or the input for an output, in exact base units at the pools' current state. An EXACT_OUTPUT
 * price never promises more than sending that input would yield.
 */
export const priceRoute = ({ route, markets, orderType, amount }: RouteAmount): RoutePrice | NoPrice => {
  const { source, destination, room } = markets
  const bridgeFrom = route.from.token.address.toLowerCase()
  const bridgeTo = route.to.token.address.toLowerCase()
  const input = tradedAddress(route.input, route.from.exchange)
  const output = tradedAddress(route.output, route.to.exchange)
  if (orderType === 'EXACT_INPUT') {
    const first = exactInput(source, input, bridgeFrom, amount)
    if (typeof first === 'string') return first
    const second = exactInput(destination, bridgeTo, output, first.amountOut)
    return typeof second === 'string' ? second : assemble({ route, room, first, second })
  }
  const second = exactOutput(destination, bridgeTo, output, amount)
  if (typeof second === 'string') return second
  const first = exactOutput(source, input, bridgeFrom, second.amountIn)
  return typeof first === 'string' ? first : assemble({ route, room, first, second })
}

/** Whether the route includes a swap, so that the output is priced at execution. */
export const isFloating = ({ route }: Pick<RoutePrice, 'route'>): boolean =>
  !isBridge(route.input, route.from) || !isBridge(route.output, route.to)
