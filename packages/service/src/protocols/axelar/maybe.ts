import type { z } from 'zod'

/** A field that counts as missing when it has another shape: hints may be odd without hiding the rest of the record. */
export const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().catch(undefined)
