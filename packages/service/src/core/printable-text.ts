import { z } from 'zod'

/** Printable ASCII, spaces included, of 1 to so many characters; what is signed must not have two spellings. */
export const printableText = (maximum: number): z.ZodString =>
  z
    .string()
    .regex(new RegExp(`^[\\x20-\\x7e]{1,${maximum}}$`), `expected 1 to ${maximum} printable ASCII characters`)
