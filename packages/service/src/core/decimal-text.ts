import { z } from 'zod'

/** A non-negative decimal such as `1.5`: up to 12 digits before the point and 18 after it. */
export const Decimal = z.string().regex(/^[0-9]{1,12}(\.[0-9]{1,18})?$/, 'expected a decimal such as "1.5"')

/** A non-negative integer as at most so many decimal digits. */
export const digits = (maximum: number): z.ZodString =>
  z.string().regex(new RegExp(`^[0-9]{1,${maximum}}$`), `expected an integer of at most ${maximum} digits`)
