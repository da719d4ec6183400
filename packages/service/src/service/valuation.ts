import type { Warning } from '@openrfq/sdk'
import type { Offer } from '../core/offer.ts'
import type { Order } from '../core/order.ts'
import type { UsdTexts } from '../core/ranked-quote.ts'
import { lossBps, type RankingOrder, type ValuedOffer } from '../core/ranking.ts'
import { WORTH_DECIMALS, type Worth } from '../core/worth.ts'
import type { Closed } from '../core/written.ts'
import { USD_DIGITS } from '../pricing/price-source.ts'
import { usdText } from '../pricing/usd.ts'

/** A quote that loses more than this share of its value carries a warning. */
const LOSS_WARNING_BPS = 1500

/** The order in the form that ranking needs. */
export const rankingOrder = ({ orderType, from, to }: Order): RankingOrder => ({
  orderType,
  from: { asset: from.token, decimals: from.token.decimals },
  to: { asset: to.token, decimals: to.token.decimals },
})

/** The USD texts of a quote, for display only; omits those without a price. */
export const usdTexts = ({ input, output, gas, user }: Worth): UsdTexts => ({
  input: textOf(input),
  output: textOf(output),
  gas: textOf(gas),
  user: textOf(user),
})

const textOf = (worth: bigint | undefined): string | undefined =>
  worth === undefined ? undefined : usdText(worth, WORTH_DECIMALS + USD_DIGITS)

/** Adds the warning `high_value_loss` to the offer's metadata if its output is worth too little. */
export const withLossWarning = (valued: ValuedOffer): Offer => {
  const { offer } = valued
  const loss = lossBps(valued)
  if (loss === undefined || loss <= LOSS_WARNING_BPS) return offer
  const warning: Closed<Warning> = {
    code: 'high_value_loss',
    message: `the output is worth ${(loss / 100).toFixed(2)} % less than the input and its costs`,
    lossBps: loss,
  }
  const existing = offer.metadata['warnings']
  const warnings = [...(Array.isArray(existing) ? existing : []), warning]
  return { ...offer, metadata: { ...offer.metadata, warnings } }
}
