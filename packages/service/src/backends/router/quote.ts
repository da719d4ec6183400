import type { BackendType, ChainId } from '@openrfq/sdk'
import { evmAction } from '../../chains/evm/actions.ts'
import { EVM_NATIVE_TOKEN } from '../../chains/evm/address.ts'
import type { EvmHead } from '../../chains/evm/evm-chain.ts'
import { gasFee } from '../../chains/evm/gas.ts'
import { type BaseUnits, baseUnits } from '../../core/amount.ts'
import type { Offer } from '../../core/offer.ts'
import type { Order } from '../../core/order.ts'
import type { RelayTimes } from '../../protocols/axelar/relay-times.ts'
import type { PoolState } from '../../protocols/uniswap-v3/pool.ts'
import type { PoolMirror } from '../../protocols/uniswap-v3/pool-mirror.ts'
import type { QuoteResult } from '../backend.ts'
import { unpriced } from '../decline.ts'
import { expressSteps } from './actions.ts'
import type { PricedRoute, RangeDeclines } from './amount-range.ts'
import { type NoPrice, priceRoute, type RoutePrice } from './amounts.ts'
import { expressBinding } from './binding.ts'
import { type ExpressOrder, executionGas } from './express-contract.ts'
import type { MessageFees } from './gas-fees.ts'
import { presentation } from './metadata.ts'
import type { RouterChecks } from './router-facts.ts'
import { type ExpressRoute, isBridge, type RouteChoice } from './routes.ts'
import { lifetimeOf, signedOrder } from './signed-order.ts'
import type { GatewayStates } from './states.ts'

/** Seconds from inclusion to delivery by Axelar's executor. */
const EXPRESS_SECONDS = 20
/** Seconds from source finality to an ordinary delivery, if none was measured. */
const RELAY_SECONDS = 60 + 30
/** The backends over the router. */
export type RouterBackendType = Extract<BackendType, 'gateway' | 'gateway-express'>

/** What pricing a route needs besides the order. */
export type RouterQuoteDeps = {
  readonly type: RouterBackendType
  readonly name: string
  readonly offers: RouteChoice['offers']
  readonly mirrors: ReadonlyMap<ChainId, PoolMirror>
  readonly states: GatewayStates
  readonly routers: RouterChecks
  readonly fees: MessageFees
  readonly relayTimes: RelayTimes
  readonly ranges: RangeDeclines
  readonly randomHex: (byteLength: number) => string
  /** The keeper's address; undefined if the operator has none. */
  readonly keeper: string | undefined
}

/** The allowance that a route needs; undefined if none is needed or it cannot be read. */
const allowanceOf = async ({ input, from }: ExpressRoute, { sender }: Order): Promise<bigint | undefined> =>
  input.address === EVM_NATIVE_TOKEN ? undefined : from.evm.allowance(input.address, sender, from.router)

/** Whether the limits, routers and fees of a route are known. */
const isKnown = ({ states, routers, fees }: RouterQuoteDeps, { from, to }: ExpressRoute): boolean =>
  [from, to].every((side) => states.of(side) !== undefined && routers.of(side) !== undefined) &&
  fees.isKnown(from, to)

/** Reads the facts of a route, and starts the read of the allowance in parallel. */
const know = (deps: RouterQuoteDeps, route: ExpressRoute, order: Order): Promise<unknown> => {
  const { from, to } = route
  const { states, routers, fees } = deps
  const sides = [from, to].flatMap((side) => [states.read(side), routers.read(side)])
  return Promise.all([...sides, fees.know(from, to), allowanceOf(route, order)])
}

/**
 * Whether a delivery swaps nothing, or is reserved for an executor: whoever else executes a swap could move the pools around it and
 * take the sender's tolerance.
 */
const isGuarded = ({ fees }: RouterQuoteDeps, { from, to, output }: ExpressRoute): boolean =>
  isBridge(output, to) || (to.priority !== undefined && fees.isExpress(from, to))

const NO_POOLS: readonly PoolState[] = []

/** The pools of a chain if the route swaps there; empty for no swap, undefined while unknown. */
const poolsOf = (deps: RouterQuoteDeps, chainId: ChainId, isSwap: boolean) =>
  isSwap ? deps.mirrors.get(chainId)?.pools()?.pools : NO_POOLS

const marketsOf = (deps: RouterQuoteDeps, route: ExpressRoute): readonly PricedRoute[] => {
  const source = poolsOf(deps, route.from.chain.chainId, !isBridge(route.input, route.from))
  const destination = poolsOf(deps, route.to.chain.chainId, !isBridge(route.output, route.to))
  const [here, there] = [deps.states.of(route.from), deps.states.of(route.to)]
  if (
    source === undefined ||
    destination === undefined ||
    here?.isListed !== true ||
    there?.isListed !== true ||
    deps.routers.of(route.from) !== true ||
    deps.routers.of(route.to) !== true
  )
    return []
  return [{ route, markets: { source, destination, room: roomOf(deps, route, there.room) } }]
}

/**
 * The maximum bridged amount: the room of the mint limit and, where executors serve the route, their cap. More would
 * wait for finality and meet another price.
 */
const roomOf = (deps: RouterQuoteDeps, { from, to }: ExpressRoute, room: bigint | null): bigint | null => {
  const cap = deps.fees.isExpress(from, to) ? to.expressCap : null
  return room === null || (cap !== null && cap < room) ? cap : room
}

/** The best of all routes: highest output or lowest input; if none has a price, too small unless one is too large. */
const bestRoute = (
  candidates: readonly PricedRoute[],
  orderType: Order['orderType'],
  amount: bigint,
): RoutePrice | NoPrice => {
  const prices = candidates.map(({ route, markets }) => priceRoute({ route, markets, orderType, amount }))
  const priced = prices.filter((price) => typeof price !== 'string')
  const [first] = priced
  if (first === undefined) return prices.includes('too_small') ? 'too_small' : 'too_large'
  return priced.reduce(
    (one, other) => (other.output > one.output || other.input < one.input ? other : one),
    first,
  )
}

/** Seconds to a delivery by an executor, and to an ordinary one; equal where no executor delivers. */
type Times = { readonly expressSeconds: number; readonly ordinarySeconds: number }

const timesOf = ({ relayTimes, fees }: RouterQuoteDeps, { from, to }: ExpressRoute): Times => {
  const ordinarySeconds =
    relayTimes.seconds(from.axelarName, to.axelarName) ?? from.finalitySeconds + RELAY_SECONDS
  if (!fees.isExpress(from, to)) return { expressSeconds: ordinarySeconds, ordinarySeconds }
  const seconds = to.executor === 'own' ? to.executorSeconds : EXPRESS_SECONDS
  return { expressSeconds: Math.min(seconds, ordinarySeconds), ordinarySeconds }
}

/** Everything an offer is built from, once all reads are done. */
type Composition = {
  readonly price: RoutePrice
  readonly signed: ExpressOrder
  readonly fee: NonNullable<ReturnType<MessageFees['of']>>
  readonly returnGas: BaseUnits
  readonly head: EvmHead
  readonly allowance: bigint | undefined
  readonly times: Times
}

const offerOf = (
  deps: RouterQuoteDeps,
  order: Order,
  { price, signed, fee, returnGas, head, allowance, times }: Composition,
): Offer => {
  const { route } = price
  const { chain } = route.from
  const steps = expressSteps({
    order,
    route: route,
    signed,
    gasPayment: fee.amount,
    allowance,
    head,
  })
  return {
    backend: deps.type,
    backendName: deps.name,
    input: price.input,
    output: price.output,
    minimumOutput: baseUnits(signed.minimumAmount),
    estimatedTimeSeconds: times.expressSeconds,
    lifetimeSeconds: lifetimeOf(price),
    gasFee: gasFee(chain, steps),
    userFee: {
      amount: fee.amount,
      token: { chain: chain.chainId, symbol: chain.nativeToken.symbol, type: 'native' },
      decimals: chain.nativeToken.decimals,
      asset: { chainId: chain.chainId, address: EVM_NATIVE_TOKEN },
      paymentMethod: 'tx_value',
      quoteTreatment: 'outside_quote',
    },
    actions: steps.map(evmAction),
    ...presentation(price, signed, {
      sender: order.sender,
      isExpress: fee.isExpress,
      returnGas,
      ...times,
    }),
    binding: { ...expressBinding(route, signed), sourceBlock: Number(head.number) },
  }
}

/**
 * Prices an order over the given routes from known facts and picks the best. Firm without a
 * swap; otherwise floating, with the minimum enforced by the routers. Source: contracts/router/ExpressRouter.sol.
 */
export const quoteRoutes = async (
  deps: RouterQuoteDeps,
  routes: readonly ExpressRoute[],
  order: Order,
): Promise<QuoteResult> => {
  const unknown = routes.filter((route) => !isKnown(deps, route))
  if (unknown.length > 0) await Promise.all(unknown.map((route) => know(deps, route, order)))
  const offered = routes.filter((route) => deps.offers(route, deps.fees.isExpress(route.from, route.to)))
  if (offered.length === 0) return unpriced('no executor delivers the token early')
  const guarded = offered.filter((route) => isGuarded(deps, route))
  if (guarded.length === 0) return unpriced('the output is swapped on a chain where no executor has priority')
  const candidates = guarded.flatMap((route) => marketsOf(deps, route))
  if (candidates.length === 0) return unpriced('pools, routers or limits are unknown or not as configured')
  const { orderType, amount } = order
  const asked = { routes, candidates, orderType }
  const refusal = deps.ranges.known(asked, amount)
  if (refusal !== undefined) return refusal
  const price = bestRoute(candidates, orderType, amount)
  if (typeof price === 'string') return deps.ranges.find(asked)
  const { route } = price
  const head = route.from.evm.head()
  const times = timesOf(deps, route)
  const fee = deps.fees.of(route.from, route.to, executionGas(price.after?.legs.length ?? 0))
  const returnGas = deps.fees.ofReturn(route.to, route.from)
  if (head === undefined) return unpriced('the source chain cannot be read')
  if (fee === undefined || returnGas === undefined) return unpriced('the gas fee is unknown')
  if (returnGas > route.to.returnGasCap) return unpriced('a refund would cost more than the keeper pays')
  const signed = signedOrder(order, price, {
    salt: deps.randomHex,
    keeper: deps.keeper,
    pools: (chainId) => deps.mirrors.get(chainId)?.pools()?.pools,
    isExpress: fee.isExpress,
    ordinarySeconds: times.ordinarySeconds,
  })
  const allowance = await allowanceOf(route, order)
  return [offerOf(deps, order, { price, signed, fee, returnGas, head, allowance, times })]
}
