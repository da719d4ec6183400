import { formatUnits, RfqError } from '@openrfq/sdk'
import type { BaseUnits } from '../core/amount.ts'
import type { Order } from '../core/order.ts'

/** One backend's bounds in base units of the token that `order.amount` refers to; `maximum` null for no bound. */
export type RangeDecline = {
  readonly backend: string
  readonly minimum: BaseUnits
  readonly maximum: BaseUnits | null
}

type Range = Omit<RangeDecline, 'backend'>

/** A backend whose maximum is below its minimum cannot quote any amount at the moment. */
const isOpen = ({ minimum, maximum }: RangeDecline): boolean => maximum === null || maximum >= minimum

const nearest = (amount: bigint, open: readonly RangeDecline[]): RangeDecline | undefined => {
  const distance = ({ minimum, maximum }: RangeDecline): bigint =>
    amount < minimum ? minimum - amount : amount - (maximum ?? amount)
  return [...open].sort((one, other) => (distance(one) < distance(other) ? -1 : 1))[0]
}

const touches = (one: Range, other: Range): boolean =>
  (one.maximum === null || other.minimum <= one.maximum + 1n) &&
  (other.maximum === null || one.minimum <= other.maximum + 1n)

const union = (one: Range, other: Range): Range => ({
  minimum: one.minimum < other.minimum ? one.minimum : other.minimum,
  maximum:
    one.maximum === null || other.maximum === null
      ? null
      : one.maximum > other.maximum
        ? one.maximum
        : other.maximum,
})

/** The range around the first one in which some backend quotes every amount. */
const joined = (first: Range, others: readonly Range[]): Range => {
  const next = others.find((other) => touches(first, other))
  if (next === undefined) return first
  return joined(
    union(first, next),
    others.filter((other) => other !== next),
  )
}

type Unit = { readonly symbol: string; readonly decimals: number }

const wholeText = (amount: bigint, { symbol, decimals }: Unit): string =>
  `${formatUnits(amount, decimals)} ${symbol}`

/** A range in whole tokens and in base units. */
const rangeText = (range: Range | undefined, unit: Unit): string => {
  if (range === undefined) return 'no amount can pass at the moment'
  const { minimum, maximum } = range
  if (maximum === null) return `at least ${wholeText(minimum, unit)} (${minimum} base units)`
  return `${formatUnits(minimum, unit.decimals)} to ${wholeText(maximum, unit)} (${minimum} to ${maximum} base units)`
}

/**
 * Builds AMOUNT_OUT_OF_RANGE with bounds that can be quoted: the range nearest to the amount in which some backend
 * quotes every amount, and each backend's own. `unpriced` names the backends that cannot price now, and may have other
 * bounds. All bounds are null if no amount can be quoted at the moment.
 */
export const rangeError = (
  order: Order,
  declines: readonly RangeDecline[],
  unpriced: readonly string[],
): RfqError => {
  const open = declines.filter(isOpen)
  const first = nearest(order.amount, open)
  const best = first === undefined ? undefined : joined(first, open)
  const token = order.orderType === 'EXACT_INPUT' ? order.from.token : order.to.token
  const [minimum, maximum] = [best?.minimum.toString() ?? null, best?.maximum?.toString() ?? null]
  return new RfqError(
    'AMOUNT_OUT_OF_RANGE',
    `amount ${order.amount} base units (${wholeText(order.amount, token)}) is outside the route's range: ${rangeText(best, token)}`,
    {
      amount: order.amount.toString(),
      token: token.address,
      minimum,
      maximum,
      backends: Object.fromEntries(
        open.map((decline) => [
          decline.backend,
          { minimum: decline.minimum.toString(), maximum: decline.maximum?.toString() ?? null },
        ]),
      ),
      ...(unpriced.length === 0 ? {} : { unpriced }),
    },
  )
}
