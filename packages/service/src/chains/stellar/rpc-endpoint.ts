import { z } from 'zod'

/** Asks a node one method; resolves to the result in the schema's form, rejects on refusal, silence and any other form. */
export type Ask = <Schema extends z.ZodType>(
  method: string,
  parameters: object,
  schema: Schema,
) => Promise<z.output<Schema>>

/** A node answered and refused. */
class RpcRefusal extends Error {
  constructor(method: string, code: number, reason: string) {
    super(`${method} refused with code ${code}: ${reason.slice(0, MAX_REASON_CHARACTERS)}`)
    this.name = 'RpcRefusal'
  }
}

const MAX_REASON_CHARACTERS = 200
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024

const Envelope = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).nullish(),
})

const boundedText = async (response: Response): Promise<string> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_RESPONSE_BYTES) throw new Error(`answer of more than ${MAX_RESPONSE_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * Asks one endpoint of Stellar RPC until the signal aborts; no answer is longer than 16 MiB. The address may hold
 * credentials and is never part of an error. Source: JSON-RPC 2.0.
 */
export const askEndpoint =
  (url: string, signal: AbortSignal): Ask =>
  async (method, parameters, schema) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: parameters }),
      signal,
    })
    const text = await boundedText(response)
    if (!response.ok) throw new Error(`HTTP status ${response.status}`)
    const { result, error } = Envelope.parse(JSON.parse(text))
    if (error !== undefined && error !== null) throw new RpcRefusal(method, error.code, error.message)
    return schema.parse(result)
  }
