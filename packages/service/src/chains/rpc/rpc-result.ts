import type { z } from 'zod'
import type { RpcAnswer } from './json-rpc.ts'

/** The result of a call that must have one; throws Error on a node's refusal and ZodError on another form. */
export const expectResult = <Schema extends z.ZodType>(
  answer: RpcAnswer | undefined,
  schema: Schema,
): z.infer<Schema> => {
  if (answer === undefined) throw new Error('no answer')
  if (!answer.ok) throw new Error(`node refused with code ${answer.code}`)
  return schema.parse(answer.result)
}
