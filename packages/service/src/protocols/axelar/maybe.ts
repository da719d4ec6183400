import { z } from 'zod'

/** A field that counts as missing if it has another type: an odd field must not hide the rest of a record. */
export const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().catch(undefined)

const LONGEST_WORD = 300

/** A name, an id or a status: printable, and no longer than any is, because answers are kept and shown. */
export const word = maybe(
  z
    .string()
    .max(LONGEST_WORD)
    .regex(/^[\x20-\x7e]*$/),
)
