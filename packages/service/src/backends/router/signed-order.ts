import type { ChainId } from '@openrfq/sdk'
import { type BaseUnits, baseUnits } from '../../core/amount.ts'
import type { Order } from '../../core/order.ts'
import { minimumAfterSlippage } from '../../core/slippage.ts'
import { pathInputFor } from '../../protocols/uniswap-v3/path-price.ts'
import type { PoolState } from '../../protocols/uniswap-v3/pool.ts'
import { isFloating, type RoutePrice } from './amounts.ts'
import { type ExpressOrder, NOBODY, pathBytes } from './express-contract.ts'

const LIFETIME_SECONDS = 60
const SWAP_LIFETIME_SECONDS = 30
/** How long after its expiry a transaction that was submitted in time may still be mined. */
const INCLUSION_SECONDS = 60
/** How long after a late arrival strangers may not give a transfer back, so that the keeper decides before them. */
const KEEPER_SECONDS = 7_200
/** The router takes a day at most; the source's clock may be behind ours. */
const MOST_RETURN_SECONDS = 23 * 3_600
const SALT_BYTES = 32

/** How long a quote of a price can be acted on, in seconds. */
export const lifetimeOf = (price: RoutePrice): number =>
  isFloating(price) ? SWAP_LIFETIME_SECONDS : LIFETIME_SECONDS

const atLeastOne = (amount: BaseUnits): BaseUnits => (amount < 1n ? baseUnits(1n) : amount)

/** What an order contains besides the price and the user's order. */
type Terms = {
  readonly salt: (byteLength: number) => string
  readonly keeper: string | undefined
  readonly pools: (chainId: ChainId) => readonly PoolState[] | undefined
  readonly isExpress: boolean
  /** Seconds from sending to an ordinary delivery. */
  readonly ordinarySeconds: number
}

/**
 * The least bridge amount for which the destination pays the minimum and half of the tolerance at the quoted pools. Both swaps
 * together then lose no more than the user accepts, and a bad first swap leaves the second its half.
 */
const minimumBridgeOf = (
  { route, before, after, bridged, output }: RoutePrice,
  minimum: BaseUnits,
  pools: Terms['pools'],
): bigint => {
  if (before === undefined) return bridged
  if (after === undefined) return minimum
  const middle = output - (output - minimum) / 2n
  const needed = pathInputFor(pools(route.to.chain.chainId) ?? [], after, middle)
  return needed === undefined || needed > bridged ? bridged : needed
}

/** The order that the sender of a quote signs. Without a swap it is firm. */
export const signedOrder = (order: Order, price: RoutePrice, terms: Terms): ExpressOrder => {
  const { route, before, after } = price
  const { priority } = route.to
  const createdSeconds = Math.floor(order.createdAt / 1000)
  const deadlineSeconds = createdSeconds + lifetimeOf(price) + INCLUSION_SECONDS
  const minimum = isFloating(price)
    ? atLeastOne(minimumAfterSlippage(price.output, order.slippage))
    : price.output
  const isReserved = terms.isExpress && priority !== undefined
  return {
    salt: `0x${terms.salt(SALT_BYTES)}`,
    deadlineSeconds,
    inputToken: route.input.address,
    inputAmount: price.input,
    inputPath: pathBytes(before?.legs ?? []),
    symbol: route.from.symbol,
    minimumBridgeAmount: minimumBridgeOf(price, minimum, terms.pools),
    refundAddress: order.sender,
    destinationChainId: route.to.chainNumber,
    destinationChain: route.to.axelarName,
    outputToken: route.output.address,
    outputPath: pathBytes(after?.legs ?? []),
    minimumAmount: minimum,
    recipient: order.recipient,
    keeper: terms.keeper ?? NOBODY,
    executor: isReserved ? priority.executor : NOBODY,
    priorityUntilSeconds: isReserved ? createdSeconds + priority.seconds : 0,
    returnAfterSeconds: Math.min(
      deadlineSeconds + terms.ordinarySeconds + KEEPER_SECONDS,
      createdSeconds + MOST_RETURN_SECONDS,
    ),
  }
}
