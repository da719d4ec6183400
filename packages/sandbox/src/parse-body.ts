import { RfqError } from '@openrfq/sdk'
import type { z } from 'zod'

/** The body of a control by its schema. Throws RfqError INVALID_REQUEST, naming the first wrong field. */
export const parseBody = <Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> => {
  const result = schema.safeParse(body)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = issue?.path.join('.') ?? ''
  throw new RfqError(
    'INVALID_REQUEST',
    `${field === '' ? 'body' : field}: ${issue?.message ?? 'malformed'}`,
    {
      field,
    },
  )
}
