import type { UseCases } from '../service/use-cases.ts'
import { jsonAnswer } from './answer.ts'
import type { Endpoint } from './endpoint.ts'
import type { Metrics } from './metrics.ts'

type Dependencies = Pick<UseCases, 'readiness'> & {
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>
  readonly isDraining: () => boolean
}

const endpoint = (path: string, handle: Endpoint['handle']): Endpoint => ({
  name: path,
  method: 'GET',
  path,
  limited: false,
  handle,
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
  endpoint('/healthz', () => jsonAnswer({ status: 'ok' })),
  endpoint('/readyz', async () => {
    if (isDraining()) return jsonAnswer({ status: 'draining', missing: [] }, 503)
    const { ready, missing } = await readiness()
    return jsonAnswer({ status: ready ? 'ready' : 'not ready', missing }, ready ? 200 : 503)
  }),
  endpoint('/metrics', async () => ({
    status: 200,
    headers: ['content-type', metrics.contentType, 'cache-control', 'no-store'],
    body: await metrics.text(),
  })),
]
