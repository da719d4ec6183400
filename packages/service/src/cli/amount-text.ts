import { UsageError } from './usage-error.ts'

/** The unit of a typed amount: `base` units, or `whole` tokens. */
export type AmountUnits = 'base' | 'whole'

/**
 * Parses a typed amount to base units: digits only are base units, a decimal point means whole tokens; `units`
 * overrides this. Nothing is rounded: throws UsageError for more decimals than the token has and for text that is not
 * an amount.
 */
export const parseAmount = (text: string, decimals: number, units?: AmountUnits): bigint => {
  const match = /^([0-9]{1,78})(?:\.([0-9]{1,78}))?$/.exec(text)
  if (match === null)
    throw new UsageError(`not an amount: "${text}"; expected base units (1500000) or whole tokens (1.5)`)
  const [, whole = '', fraction] = match
  if (units === 'base' && fraction !== undefined)
    throw new UsageError(`"${text}" has a decimal point; base units are whole numbers`)
  if (fraction === undefined && units !== 'whole') return BigInt(whole)
  const kept = (fraction ?? '').replace(/0+$/, '')
  if (kept.length > decimals)
    throw new UsageError(`"${text}" has more decimals than the token, which has ${decimals}`)
  return BigInt(whole + kept.padEnd(decimals, '0'))
}
