import type { BaseUnits } from '../../core/amount.ts'
import { powerOfTen } from '../../core/decimal.ts'
import type { Token } from '../../core/token.ts'
import { tokenKey } from '../../core/token-key.ts'
import type { PriceSource } from '../../pricing/price-source.ts'

type Amount = { readonly token: Token; readonly amount: BaseUnits }

const BPS = 10_000n

/**
 * How much less the output is worth than the input at reference prices, in basis points rounded down; 0 if it is worth
 * more, null if a price is missing.
 */
export const priceImpactBps = (prices: PriceSource, input: Amount, output: Amount): number | null => {
  const inputPrice = prices(tokenKey(input.token))
  const outputPrice = prices(tokenKey(output.token))
  if (inputPrice === undefined || outputPrice === undefined) return null
  const spent = input.amount * inputPrice * powerOfTen(output.token.decimals)
  const received = output.amount * outputPrice * powerOfTen(input.token.decimals)
  return received >= spent ? 0 : Number(((spent - received) * BPS) / spent)
}
