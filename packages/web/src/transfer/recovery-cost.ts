import { type Chain, type Recovery, valueScaleOf } from '@openrfq/sdk'
import { amountTexts, safeText } from '../shared/text.ts'

/** What a recovery pays beside gas, such as `0.01 ETH`; undefined for nothing. */
export const costText = (
  { value = '0' }: Pick<Recovery, 'value'>,
  chain: Pick<Chain, 'nativeToken'> | undefined,
): string | undefined => {
  if (value === '0') return undefined
  if (chain === undefined) return `${value} base units`
  const { symbol, decimals } = chain.nativeToken
  return `${amountTexts(value, decimals).shown} ${safeText(symbol)}`
}

/** Fees move between the look at the page and the signature. */
const MOST_PERCENT = 110n

/** Base units of a transaction's value, rounded up. */
const unitsOf = (chain: string, value: bigint): bigint => {
  const scale = valueScaleOf(chain)
  return (value + scale - 1n) / scale
}

/** Refuses actions that pay more than a tenth above what the page has shown. Throws Error. */
export const checkNoDearer = (
  { actions }: Pick<Recovery, 'actions'>,
  { value: shown = '0' }: Pick<Recovery, 'value'>,
): void => {
  const paid = actions.reduce(
    (sum, { chain, payload }) =>
      sum + (payload.type === 'evm_transaction' ? unitsOf(chain, BigInt(payload.value)) : 0n),
    0n,
  )
  if (paid * 100n > BigInt(shown) * MOST_PERCENT)
    throw new Error('It costs more than this page has shown by now. Nothing was signed; look at it again.')
}
