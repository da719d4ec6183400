import * as z from 'zod/mini'

/**
 * Base units as decimal digits, zero included, at most 78 of them. Source: interface "Amounts".
 * @example
 * const units: bigint = BigInt(Amount.parse('1500000'))
 */
export const Amount = z
  .string()
  .check(z.regex(/^(0|[1-9][0-9]{0,77})$/, 'expected an integer in base units, as a decimal string'))
export type Amount = z.infer<typeof Amount>

/** ISO 8601 in UTC; the service writes whole seconds. Source: interface "Timestamps". */
export const Timestamp = z
  .string()
  .check(z.regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?Z$/))
