import { FRESH_JSON, jsonAnswer } from './answer.ts'
import type { Endpoint } from './endpoint.ts'
import { parseStrictJson } from './strict-json.ts'

/** An endpoint outside the interface, such as a sandbox control: JSON in (POST only), JSON out, `{}` for nothing. */
export type ExtraEndpoint = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly handle: (body: unknown) => Promise<unknown>
}

/** Mounts an extra endpoint; its POST bodies are read as strictly as a quote request, and no limit counts it. */
export const mountExtra = ({ method, path, handle }: ExtraEndpoint): Endpoint => ({
  name: path,
  method,
  path,
  limited: false,
  handle: async ({ body }) => {
    const result = await handle(method === 'POST' ? parseStrictJson(body) : undefined)
    return result === undefined ? { status: 200, headers: FRESH_JSON, body: '{}' } : jsonAnswer(result)
  },
})
