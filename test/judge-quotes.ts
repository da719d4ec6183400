import assert from 'node:assert/strict'
import { fetchJson, type WireQuote } from 'openrfq/test/wallet.ts'
import { parseUnits, zeroAddress } from 'viem'

type PricedToken = {
  readonly chainId: string
  readonly address: string
  readonly decimals: number
  readonly usdPrice?: string | undefined
}
type WireFee = {
  readonly amount: string
  readonly token: { readonly chain: string; readonly address?: string; readonly type?: string }
  readonly quoteTreatment: string
}
/** The fields of a quote that decide its rank. */
export type RankedQuote = WireQuote & {
  readonly estimatedTimeSeconds: number
  readonly fees: { readonly gas: WireFee; readonly user: WireFee }
}

const DIGITS = 18

/** The reason of the first quote: a superlative only where it is true. */
export const firstReason = (
  { input, output }: WireQuote,
  quotes: readonly WireQuote[],
  orderType: string,
): string => {
  if (orderType === 'EXACT_INPUT')
    return quotes.every((other) => BigInt(other.output.amount) <= BigInt(output.amount))
      ? 'highest_output'
      : 'best_value'
  return quotes.every((other) => BigInt(other.input.amount) >= BigInt(input.amount))
    ? 'lowest_input'
    : 'best_value'
}

/** Ranks quotes independently of the service, by the sandbox's prices. */
export const judgeBy = async (serviceUrl: string) =>
  judgeByPrices((await fetchJson<{ tokens: PricedToken[] }>(`${serviceUrl}/sandbox`)).body.tokens)

/** Ranks quotes independently of the service, by the prices of these tokens. */
export const judgeByPrices = (priced: readonly PricedToken[]) => {
  /** A USD value with 36 fraction digits. */
  const worthOf = (chainId: string, address: string, amount: bigint): bigint => {
    const token = priced.find((one) => one.chainId === chainId && one.address === address)
    assert.ok(token?.usdPrice !== undefined)
    return amount * parseUnits(token.usdPrice, DIGITS) * 10n ** BigInt(DIGITS - token.decimals)
  }

  const feeWorth = ({ token, amount }: WireFee): bigint =>
    worthOf(token.chain, token.address ?? zeroAddress, BigInt(amount))

  /** The user's net value of a quote: the output less the input and every cost on top. */
  const netOf = ({ input, output, fees }: RankedQuote): bigint => {
    const costs = [fees.gas, fees.user].filter(({ quoteTreatment }) => quoteTreatment === 'outside_quote')
    return (
      worthOf(output.chain, output.token, BigInt(output.amount)) -
      worthOf(input.chain, input.token, BigInt(input.amount)) -
      costs.reduce((sum, fee) => sum + feeWorth(fee), 0n)
    )
  }

  const isLeast = (value: bigint | number, all: readonly (bigint | number)[]): boolean =>
    all.filter((other) => other <= value).length === 1

  /** The correct selection reason, derived from the answer itself. */
  const reasonOf = (quote: RankedQuote, quotes: readonly RankedQuote[], orderType: string): string => {
    const fees = ({ fees: { gas, user } }: RankedQuote): bigint => feeWorth(gas) + feeWorth(user)
    if (quote === quotes[0]) return firstReason(quote, quotes, orderType)
    if (
      isLeast(
        quote.estimatedTimeSeconds,
        quotes.map((one) => one.estimatedTimeSeconds),
      )
    )
      return 'fastest'
    return isLeast(fees(quote), quotes.map(fees)) ? 'lowest_fee' : 'alternative'
  }

  return { netOf, reasonOf }
}
