/**
 * Formats base units as whole tokens, exact and without trailing zeros.
 * @example
 * const text = formatUnits(1_500_000n, 6) // '1.5'
 */
export const formatUnits = (amount: bigint, decimals: number): string => {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
