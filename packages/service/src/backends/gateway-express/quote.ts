import type { ChainId } from '@openrfq/sdk'
import { evmAction } from '../../chains/evm/actions.ts'
import { EVM_NATIVE_TOKEN } from '../../chains/evm/address.ts'
import type { EvmHead } from '../../chains/evm/evm-chain.ts'
import { gasFee } from '../../chains/evm/gas.ts'
import { type BaseUnits, baseUnits } from '../../core/amount.ts'
import type { Offer } from '../../core/offer.ts'
import type { Order } from '../../core/order.ts'
import { minimumAfterSlippage } from '../../core/slippage.ts'
import type { RelayTimes } from '../../protocols/axelar/relay-times.ts'
import type { PoolState } from '../../protocols/uniswap-v3/pool.ts'
import type { PoolMirror } from '../../protocols/uniswap-v3/pool-mirror.ts'
import type { QuoteResult } from '../backend.ts'
import { unpriced } from '../decline.ts'
import type { GatewayStates } from '../gateway/states.ts'
import { expressSteps } from './actions.ts'
import type { PricedRoute, RangeDeclines } from './amount-range.ts'
import { isFloating, type NoPrice, priceRoute, type RoutePrice } from './amounts.ts'
import { expressBinding } from './binding.ts'
import { type ExpressOrder, pathBytes } from './express-contract.ts'
import type { MessageFees } from './gas-fees.ts'
import { presentation } from './metadata.ts'
import { type ExpressRoute, isBridge } from './routes.ts'

const LIFETIME_SECONDS = 60
const SWAP_LIFETIME_SECONDS = 30
/** How long after its expiry a transaction that was submitted in time may still be mined. */
const INCLUSION_SECONDS = 300
/** Seconds from inclusion to delivery by an executor. */
const EXPRESS_SECONDS = 20
/** Seconds from source finality to an ordinary delivery, if none was measured. */
const RELAY_SECONDS = 60 + 30
/**
 * Gas limit of a delivery: it uses at most 124,000 without a swap, 235,000 with one pool. Source: docs/decisions/0011.
 */
const DELIVERY_GAS = 250_000
const SWAP_DELIVERY_GAS = 600_000
const SALT_BYTES = 32

/** What pricing a route needs besides the order. */
export type ExpressQuoteDeps = {
  readonly mirrors: ReadonlyMap<ChainId, PoolMirror>
  readonly states: GatewayStates
  readonly fees: MessageFees
  readonly relayTimes: RelayTimes
  readonly ranges: RangeDeclines
  readonly randomHex: (byteLength: number) => string
  readonly name: string
}

/** The allowance that a route needs; undefined if none is needed or it cannot be read. */
const allowanceOf = async ({ input, from }: ExpressRoute, { sender }: Order): Promise<bigint | undefined> =>
  input.address === EVM_NATIVE_TOKEN ? undefined : from.evm.allowance(input.address, sender, from.router)

/** Whether the limits and fees of a route are fresh. */
const isKnown = ({ states, fees }: ExpressQuoteDeps, { from, to }: ExpressRoute): boolean =>
  states.of(from) !== undefined && states.of(to) !== undefined && fees.isKnown(from, to)

/** Reads the facts of a route; the allowance too, for which nobody waits later then. */
const know = (deps: ExpressQuoteDeps, route: ExpressRoute, order: Order): Promise<unknown> => {
  const { from, to } = route
  const { states, fees } = deps
  return Promise.all([states.read(from), states.read(to), fees.know(from, to), allowanceOf(route, order)])
}

const NO_POOLS: readonly PoolState[] = []

/** The pools of a chain if the route swaps there; empty for no swap, undefined while unknown. */
const poolsOf = (deps: ExpressQuoteDeps, chainId: ChainId, isSwap: boolean) =>
  isSwap ? deps.mirrors.get(chainId)?.pools()?.pools : NO_POOLS

const marketsOf = (deps: ExpressQuoteDeps, route: ExpressRoute): readonly PricedRoute[] => {
  const source = poolsOf(deps, route.from.chain.chainId, !isBridge(route.input, route.from))
  const destination = poolsOf(deps, route.to.chain.chainId, !isBridge(route.output, route.to))
  const [here, there] = [deps.states.of(route.from), deps.states.of(route.to)]
  if (
    source === undefined ||
    destination === undefined ||
    here?.isListed !== true ||
    there?.isListed !== true
  )
    return []
  return [{ route, markets: { source, destination, room: roomOf(deps, route, there.room) } }]
}

/**
 * The maximum bridged amount: the room of the mint limit and, where executors serve the route, their cap. More would
 * wait for finality and meet another price.
 */
const roomOf = (deps: ExpressQuoteDeps, { from, to }: ExpressRoute, room: bigint | null): bigint | null => {
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

const atLeastOne = (amount: BaseUnits): BaseUnits => (amount < 1n ? baseUnits(1n) : amount)

const lifetimeOf = (price: RoutePrice): number =>
  isFloating(price) ? SWAP_LIFETIME_SECONDS : LIFETIME_SECONDS

/** The order that the sender signs; minimums are rounded down but never zero, which routers reject. */
const signedOrder = (deps: ExpressQuoteDeps, order: Order, price: RoutePrice): ExpressOrder => {
  const { route, before, after } = price
  const floorOf = (amount: BaseUnits): BaseUnits => atLeastOne(minimumAfterSlippage(amount, order.slippage))
  return {
    salt: `0x${deps.randomHex(SALT_BYTES)}`,
    deadlineSeconds: Math.floor(order.createdAt / 1000) + lifetimeOf(price) + INCLUSION_SECONDS,
    inputToken: route.input.address,
    inputAmount: price.input,
    inputPath: pathBytes(before?.legs ?? []),
    symbol: route.from.symbol,
    minimumBridgeAmount: before === undefined ? price.bridged : floorOf(price.bridged),
    refundAddress: order.sender,
    destinationChainId: route.to.chainNumber,
    outputToken: route.output.address,
    outputPath: pathBytes(after?.legs ?? []),
    minimumAmount: isFloating(price) ? floorOf(price.output) : price.output,
    recipient: order.recipient,
    deliveryGas: after === undefined ? DELIVERY_GAS : SWAP_DELIVERY_GAS,
  }
}

/** Everything an offer is built from, once all reads are done. */
type Composition = {
  readonly price: RoutePrice
  readonly signed: ExpressOrder
  readonly fee: NonNullable<ReturnType<MessageFees['of']>>
  readonly returnGas: BaseUnits
  readonly head: EvmHead
  readonly allowance: bigint | undefined
}

const offerOf = (
  deps: ExpressQuoteDeps,
  order: Order,
  { price, signed, fee, returnGas, head, allowance }: Composition,
): Offer => {
  const { route } = price
  const { chain, axelarName, finalitySeconds } = route.from
  const steps = expressSteps({
    order,
    route: route,
    signed,
    gasPayment: fee.amount,
    allowance,
    head,
  })
  const ordinarySeconds =
    deps.relayTimes.seconds(axelarName, route.to.axelarName) ?? finalitySeconds + RELAY_SECONDS
  const expressSeconds = Math.min(EXPRESS_SECONDS, ordinarySeconds)
  return {
    backend: 'gateway-express',
    backendName: deps.name,
    input: price.input,
    output: price.output,
    minimumOutput: baseUnits(signed.minimumAmount),
    estimatedTimeSeconds: fee.isExpress ? expressSeconds : ordinarySeconds,
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
      expressSeconds,
      ordinarySeconds,
    }),
    binding: { ...expressBinding(route, signed), sourceBlock: Number(head.number) },
  }
}

/**
 * Prices an order over the given routes from known facts and picks the best. Firm without a
 * swap; otherwise floating, with the minimum enforced by the routers. Source: contracts/express/ExpressRouter.sol.
 */
export const quoteExpress = async (
  deps: ExpressQuoteDeps,
  routes: readonly ExpressRoute[],
  order: Order,
): Promise<QuoteResult> => {
  const unknown = routes.filter((route) => !isKnown(deps, route))
  if (unknown.length > 0) await Promise.all(unknown.map((route) => know(deps, route, order)))
  const candidates = routes.flatMap((route) => marketsOf(deps, route))
  if (candidates.length === 0) return unpriced('pools or limits are unknown')
  const { orderType, amount } = order
  const asked = { routes, candidates, orderType }
  const refusal = deps.ranges.known(asked, amount)
  if (refusal !== undefined) return refusal
  const price = bestRoute(candidates, orderType, amount)
  if (typeof price === 'string') return deps.ranges.find(asked)
  const { route } = price
  const head = route.from.evm.head()
  const signed = signedOrder(deps, order, price)
  const fee = deps.fees.of(route.from, route.to, signed.deliveryGas)
  const returnGas = deps.fees.ofReturn(route.to, route.from)
  if (head === undefined) return unpriced('the source chain cannot be read')
  if (fee === undefined || returnGas === undefined) return unpriced('the gas fee is unknown')
  if (returnGas > route.to.returnGasCap) return unpriced('a refund would cost more than the keeper pays')
  const allowance = await allowanceOf(route, order)
  return [offerOf(deps, order, { price, signed, fee, returnGas, head, allowance })]
}
