import type { Offer } from '../core/offer.ts'
import type { Order } from '../core/order.ts'
import type { UsdTexts } from '../core/ranked-quote.ts'
import { lossBps, type RankingOrder, type ValuedOffer } from '../core/ranking.ts'
import { tokenKey } from '../core/token-key.ts'
import { WORTH_DECIMALS, type Worth } from '../core/worth.ts'
import { USD_DIGITS } from '../pricing/price-source.ts'
import { usdText } from '../pricing/usd.ts'

/** A quote that loses more of its value than this never goes out without a warning. */
const LOSS_WARNING_BPS = 1500

/** The order as ranking sees it. */
export const rankingOrder = ({ orderType, from, to }: Order): RankingOrder => ({
  orderType,
  from: { priceKey: tokenKey(from.token), decimals: from.token.decimals },
  to: { priceKey: tokenKey(to.token), decimals: to.token.decimals },
})

/** The USD texts of a quote, for display only; a missing price leaves its text out. */
export const usdTexts = ({ input, output, gas, user }: Worth): UsdTexts => ({
  input: textOf(input),
  output: textOf(output),
  gas: textOf(gas),
  user: textOf(user),
})

const textOf = (worth: bigint | undefined): string | undefined =>
  worth === undefined ? undefined : usdText(worth, WORTH_DECIMALS + USD_DIGITS)

/** The offer, with the warning `high_value_loss` in its metadata when its output is worth too little of what is spent. */
export const withLossWarning = (valued: ValuedOffer): Offer => {
  const { offer } = valued
  const loss = lossBps(valued)
  if (loss === undefined || loss <= LOSS_WARNING_BPS) return offer
  const warning = {
    code: 'high_value_loss',
    message: `the output is worth ${(loss / 100).toFixed(2)} % less than the input and its costs`,
    lossBps: loss,
  }
  const existing = offer.metadata['warnings']
  const warnings = [...(Array.isArray(existing) ? existing : []), warning]
  return { ...offer, metadata: { ...offer.metadata, warnings } }
}
