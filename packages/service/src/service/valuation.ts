import type { Warning } from '@openrfq/sdk'
import type { Offer } from '../core/offer.ts'
import type { Order } from '../core/order.ts'
import type { UsdTexts } from '../core/ranked-quote.ts'
import { lossBps, type RankedOffer, type RankingOrder, type ValuedOffer } from '../core/ranking.ts'
import { WORTH_DECIMALS, type Worth } from '../core/worth.ts'
import type { Closed } from '../core/written.ts'
import { USD_DIGITS } from '../pricing/price-source.ts'
import { usdText } from '../pricing/usd.ts'

/** A quote that loses more than this share of its value carries a warning. */
const LOSS_WARNING_BPS = 1500
/** A quote whose minimum is lower than its output by this share carries a warning. */
const SLIPPAGE_WARNING_BPS = 500n

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

/** Warns of an output that is worth too little. */
const lossWarnings = (valued: ValuedOffer): readonly Closed<Warning>[] => {
  const loss = lossBps(valued)
  if (loss === undefined || loss <= LOSS_WARNING_BPS) return []
  const message = `the output is worth ${(loss / 100).toFixed(2)} % less than the input and its costs`
  return [{ code: 'high_value_loss', message, lossBps: loss }]
}

/** Warns of a minimum far below the expected output, down to which others may trade against the swap. */
const slippageWarnings = ({ output, minimumOutput }: Offer): readonly Closed<Warning>[] => {
  const share = ((output - minimumOutput) * 10_000n) / output
  if (share < SLIPPAGE_WARNING_BPS) return []
  const message = `the guaranteed output is ${(Number(share) / 100).toFixed(2)} % below the expected one`
  return [{ code: 'high_slippage', message }]
}

/** Warns that the rank rests on bare amounts. */
const rankWarnings = ({ isUnpriced }: RankedOffer): readonly Closed<Warning>[] => {
  if (!isUnpriced) return []
  const message = 'a price is missing: quotes are ranked by their amounts alone, without fees and gas'
  return [{ code: 'ranked_without_prices', message }]
}

/** Adds the warnings `high_value_loss`, `high_slippage` and `ranked_without_prices` to the offer's metadata where they are due. */
export const withValueWarnings = (ranked: RankedOffer): Offer => {
  const { offer } = ranked
  const more = [...lossWarnings(ranked), ...slippageWarnings(offer), ...rankWarnings(ranked)]
  if (more.length === 0) return offer
  const existing = offer.metadata['warnings']
  const warnings = [...(Array.isArray(existing) ? existing : []), ...more]
  return { ...offer, metadata: { ...offer.metadata, warnings } }
}
