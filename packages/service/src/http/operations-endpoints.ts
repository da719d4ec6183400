import type { UseCases } from '../service/use-cases.ts'
import type { Endpoint } from './endpoint.ts'
import type { Metrics } from './metrics.ts'
import { FRESH_JSON } from './response-headers.ts'

type Dependencies = Pick<UseCases, 'readiness'> & {
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>
  readonly isDraining: () => boolean
}

const endpoint = (url: string, handler: Endpoint['handler']): Endpoint => ({
  method: 'GET',
  url,
  config: { name: url },
  handler,
})

/**
 * What an operator's tools ask: `/healthz` (the process answers), `/readyz` (200, or 503 naming what is missing, also
 * while the server drains) and `/metrics` (Prometheus text).
 */
export const operationsEndpoints = ({
  readiness,
  metrics,
  isDraining,
}: Dependencies): readonly Endpoint[] => [
  endpoint('/healthz', (_request, reply) => reply.headers(FRESH_JSON).send({ status: 'ok' })),
  endpoint('/readyz', async (_request, reply) => {
    reply.headers(FRESH_JSON)
    if (isDraining()) return reply.code(503).send({ status: 'draining', missing: [] })
    const { ready, missing } = await readiness()
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', missing })
  }),
  endpoint('/metrics', async (_request, reply) =>
    reply
      .headers({ 'content-type': metrics.contentType, 'cache-control': 'no-store' })
      .send(await metrics.text()),
  ),
]
