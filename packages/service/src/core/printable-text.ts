import { z } from 'zod'

/**
 * Printable ASCII text of 1 to the given number of characters, spaces included, so that signed text has one spelling.
 */
export const printableText = (maximum: number): z.ZodString =>
  z
    .string()
    .regex(new RegExp(`^[\\x20-\\x7e]{1,${maximum}}$`), `expected 1 to ${maximum} printable ASCII characters`)
