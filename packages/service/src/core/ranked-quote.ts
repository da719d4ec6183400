import type { IntegratorFee } from '@openrfq/sdk'
import type { Offer } from './offer.ts'
import type { QuoteRecord } from './quote-record.ts'

/** Why a quote has its rank: the first is best by value, the others name another advantage. */
export type SelectionReason =
  | 'highest_output'
  | 'lowest_input'
  | 'best_value'
  | 'fastest'
  | 'lowest_fee'
  | 'alternative'

/** USD values as decimal text for display; undefined without a price. */
export type UsdTexts = {
  readonly input: string | undefined
  readonly output: string | undefined
  readonly gas: string | undefined
  readonly user: string | undefined
}

/** A ranked, stored offer, ready to be encoded as a `Quote`. */
export type RankedQuote = {
  readonly record: QuoteRecord
  readonly offer: Offer
  readonly selectionReason: SelectionReason
  readonly usd: UsdTexts
  readonly integrator: IntegratorFee | null
}
