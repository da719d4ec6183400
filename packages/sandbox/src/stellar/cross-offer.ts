import { MAX_INT64, type Price } from './entries.ts'

/** The side of a trade that must be exact: neither, the taker's payment, or the taker's receipt. */
export type Rounding = 'normal' | 'strictSend' | 'strictReceive'

/** The limits of a trade: the taker receives what the offer sells and sends what it buys. */
export type TradeBounds = {
  readonly offerSends: bigint
  readonly offerReceives: bigint
  readonly takerSends: bigint
  readonly takerReceives: bigint
}

/** The traded amounts, and whether the offer remains. */
export type Trade = { readonly received: bigint; readonly sent: bigint; readonly offerStays: boolean }

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)
const ceilDivide = (value: bigint, divisor: bigint): bigint => (value + divisor - 1n) / divisor

/**
 * Trades with one offer at its price within the bounds. Rounding favours the side that remains: up for an offer that
 * stays, down for one that is fully taken. Modelled on CAP-4 without its price error thresholds: a trade whose rounding
 * would move the price by more than one percent is not rejected.
 */
export const crossOffer = ({ n, d }: Price, bounds: TradeBounds, rounding: Rounding): Trade => {
  const [price, per] = [BigInt(n), BigInt(d)]
  const offerValue = least(bounds.offerSends * price, bounds.offerReceives * per)
  const takerValue = least(bounds.takerSends * per, bounds.takerReceives * price)
  const offerStays = offerValue > takerValue
  const value = offerStays ? takerValue : offerValue
  if (offerStays && rounding === 'strictSend')
    return { received: value / price, sent: least(value / per, bounds.takerSends), offerStays }
  if (price > per || (offerStays && rounding === 'strictReceive')) {
    const received = value / price
    const sent = offerStays ? ceilDivide(received * price, per) : (received * price) / per
    return { received, sent, offerStays }
  }
  const sent = value / per
  const received = offerStays ? (sent * per) / price : ceilDivide(sent * per, price)
  return { received, sent, offerStays }
}

/** The most of an offer's amount that its seller can deliver and be paid for, in units of the asset sold. */
export const feasibleAmount = (price: Price, sends: bigint, receives: bigint): bigint =>
  crossOffer(
    price,
    { offerSends: sends, offerReceives: receives, takerSends: MAX_INT64, takerReceives: MAX_INT64 },
    'normal',
  ).received

/** The liabilities of an offer: the most it may send, and the most it may bring. */
export const liabilitiesOf = (
  price: Price,
  amount: bigint,
): { readonly selling: bigint; readonly buying: bigint } => {
  const { received, sent } = crossOffer(
    price,
    { offerSends: amount, offerReceives: MAX_INT64, takerSends: MAX_INT64, takerReceives: MAX_INT64 },
    'normal',
  )
  return { selling: received, buying: sent }
}
