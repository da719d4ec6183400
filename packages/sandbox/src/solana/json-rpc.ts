import { z } from 'zod'
import { encodeJson } from './json.ts'
import { RPC_ERROR_CODES, RpcError } from './rpc-error.ts'

/** Answers one call by its method name. Throws RpcError, -32601 for an unknown method. */
export type RpcMethodCall = (method: string, params: readonly unknown[]) => unknown

const Request = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string(),
  params: z.array(z.unknown()).nullish(),
})

const MAX_BATCH = 100

const failure = (id: unknown, error: unknown) => ({
  jsonrpc: '2.0',
  error:
    error instanceof RpcError
      ? { code: error.code, data: error.context, message: error.message }
      : { code: RPC_ERROR_CODES.internal, message: `Internal error: ${String(error)}` },
  id,
})

const answerOne = async (value: unknown, call: RpcMethodCall): Promise<unknown> => {
  const request = Request.safeParse(value)
  if (!request.success) return failure(null, new RpcError(RPC_ERROR_CODES.invalidRequest, 'Invalid request'))
  const { id, method, params } = request.data
  try {
    const result = await call(method, params ?? [])
    return id === undefined ? undefined : { jsonrpc: '2.0', result: result ?? null, id }
  } catch (error) {
    return id === undefined ? undefined : failure(id, error)
  }
}

const answerBatch = async (values: readonly unknown[], call: RpcMethodCall): Promise<unknown> => {
  if (values.length === 0 || values.length > MAX_BATCH)
    return failure(null, new RpcError(RPC_ERROR_CODES.invalidRequest, 'Invalid request'))
  const answers: unknown[] = []
  for (const value of values) answers.push(await answerOne(value, call))
  const answered = answers.filter((answer) => answer !== undefined)
  return answered.length === 0 ? undefined : answered
}

/** Answers a JSON-RPC 2.0 request or batch; undefined when it holds only notifications. Never throws. */
export const answerJsonRpc = async (text: string, call: RpcMethodCall): Promise<string | undefined> => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return encodeJson(failure(null, new RpcError(RPC_ERROR_CODES.parse, 'Parse error')))
  }
  const answer = Array.isArray(value) ? await answerBatch(value, call) : await answerOne(value, call)
  return answer === undefined ? undefined : encodeJson(answer)
}
