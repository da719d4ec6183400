import { type BaseUnits, baseUnits, mulDivUp } from '../../core/amount.ts'
import { powerOfTen } from '../../core/decimal.ts'
import type { Order } from '../../core/order.ts'
import type { BookAnswer } from '../../intents/solver-api/best-offers.ts'
import type { PriceSource } from '../../pricing/price-source.ts'
import type { PaymentSide } from './routes.ts'

const BPS = 10_000n
/** Solvers may price the native asset higher than the service does. */
const OPENING_MARGIN_BPS = 1_000n

/**
 * What the rent of a recipient's account (native base units) costs in base units of the output, with a tenth more, rounded up;
 * undefined if a price is missing.
 */
export const openingCostOf = (prices: PriceSource, side: PaymentSide, rent: bigint): bigint | undefined => {
  const { chain, nativeToken, token } = side
  const native = prices({ chainId: chain.chainId, address: nativeToken })
  const output = prices(token)
  if (native === undefined || output === undefined || output === 0n) return undefined
  return mulDivUp(
    rent * native * powerOfTen(token.decimals),
    BPS + OPENING_MARGIN_BPS,
    output * powerOfTen(chain.nativeToken.decimals) * BPS,
  )
}

/** The order as the book prices it: the solver pays the cost beside an exact output. */
export const withCost = (order: Order, cost: bigint): Order =>
  order.orderType === 'EXACT_OUTPUT' && cost > 0n
    ? { ...order, amount: baseUnits(order.amount + cost) }
    : order

/** An answer without offers. */
type Refusal = Exclude<BookAnswer, { offers: unknown }>

/** The bounds of what the recipient may get, of bounds that contain the cost. */
export const withoutCost = (answer: Refusal, { orderType }: Order, cost: bigint): Refusal => {
  if (answer.declined !== 'out_of_range' || orderType !== 'EXACT_OUTPUT') return answer
  const less = (amount: BaseUnits): BaseUnits => baseUnits(amount > cost ? amount - cost : 1n)
  return { ...answer, minimum: less(answer.minimum), maximum: less(answer.maximum) }
}
