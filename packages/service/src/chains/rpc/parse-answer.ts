import type { z } from 'zod'
import { RpcError } from './rpc-error.ts'

/** A part of a node's answer in the schema's form; throws RpcError MALFORMED for any other. */
export const parseAnswer = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> => {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new RpcError('MALFORMED', 'malformed answer', { cause: parsed.error })
  return parsed.data
}
