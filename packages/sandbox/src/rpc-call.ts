import { z } from 'zod'

const TIMEOUT_MS = 60_000

const Answer = z.union([
  z.object({ error: z.object({ code: z.number(), message: z.string() }) }),
  z.object({ result: z.unknown() }),
])

/**
 * Sends one JSON-RPC call to a sandbox node and returns its unchecked result. Throws when the node does not answer
 * within a minute or answers an error.
 */
export const postRpc = async (
  rpcUrl: string,
  method: string,
  params: readonly unknown[],
): Promise<unknown> => {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const answer = Answer.parse(await response.json())
  if ('error' in answer) throw new Error(`${method} failed: ${answer.error.message}`)
  return answer.result
}
