import type { z } from 'zod'

/** A field that counts as missing if it has another type: an odd field must not hide the rest of a record. */
export const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().catch(undefined)
