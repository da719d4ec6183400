import type { z } from 'zod'
import type { RpcAnswer } from './json-rpc.ts'
import { parseAnswer } from './parse-answer.ts'
import { RpcError } from './rpc-error.ts'

/** The result of a call that must have one; throws RpcError for an error of the node and for another form. */
export const expectResult = <Schema extends z.ZodType>(
  answer: RpcAnswer | undefined,
  schema: Schema,
): z.output<Schema> => {
  if (answer === undefined) throw new RpcError('MALFORMED', 'no answer')
  if (!answer.ok) throw new RpcError('REFUSED', `node refused with code ${answer.code}`)
  return parseAnswer(schema, answer.result)
}
