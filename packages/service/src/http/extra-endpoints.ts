import type { Endpoint } from './endpoint.ts'
import { createLocalAccess, type LocalAccess } from './local-access.ts'
import { FRESH_JSON } from './response-headers.ts'
import { parseBody } from './strict-json.ts'

/** An endpoint outside the interface, such as a sandbox control: JSON in (POST only), JSON out, `{}` for nothing. */
export type ExtraEndpoint = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly handle: (body: unknown) => Promise<unknown>
}

/**
 * Mounts an extra endpoint for this machine and those that the operator names; its POST bodies are read as strictly as a
 * quote request, and no limit counts it.
 */
export const mountExtra = ({ method, path, handle }: ExtraEndpoint, access: LocalAccess): Endpoint => ({
  method,
  url: path,
  config: { name: path },
  onRequest: createLocalAccess(access),
  handler: async (request, reply) => {
    const result = await handle(method === 'POST' ? parseBody(request.body) : undefined)
    return reply.headers(FRESH_JSON).send(JSON.stringify(result ?? {}))
  },
})
