import { powerOfTen } from './decimal.ts'
import type { Offer } from './offer.ts'
import type { TokenId } from './token-map.ts'

/** USD per whole token, scaled by a common factor; undefined if unknown. */
export type PriceOf = (token: TokenId) => bigint | undefined

/** An asset shared by all offers of one order. */
export type PricedAsset = { readonly asset: TokenId; readonly decimals: number }

/** More decimals than any token has, so that values of all tokens compare as exact integers. */
export const WORTH_DECIMALS = 36

/** The worth of an offer's amounts: base units times price, unrounded, scaled by the price's factor and 10^36. */
export type Worth = {
  readonly input: bigint | undefined
  readonly output: bigint | undefined
  readonly gas: bigint | undefined
  readonly user: bigint | undefined
}

/** The worth of an offer; undefined if a price is missing. */
export const worthOf = (
  { from, to }: { readonly from: PricedAsset; readonly to: PricedAsset },
  { input, output, gasFee, userFee }: Offer,
  priceOf: PriceOf,
): Worth => ({
  input: worthOfAmount(input, from, priceOf),
  output: worthOfAmount(output, to, priceOf),
  gas: worthOfAmount(gasFee.amount, gasFee, priceOf),
  user: worthOfAmount(userFee.amount, userFee, priceOf),
})

const worthOfAmount = (
  amount: bigint,
  { asset, decimals }: PricedAsset,
  priceOf: PriceOf,
): bigint | undefined => {
  const price = priceOf(asset)
  return price === undefined ? undefined : amount * price * powerOfTen(WORTH_DECIMALS - decimals)
}
