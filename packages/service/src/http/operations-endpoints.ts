import { toIso } from '../core/instant.ts'
import type { UseCases } from '../service/use-cases.ts'
import { type Endpoint, endpointOf } from './endpoint.ts'
import type { Metrics } from './metrics.ts'
import { GET_HEALTH, GET_METRICS, GET_READINESS } from './own-operations.ts'
import type { Health, Readiness } from './readiness.ts'
import { FRESH_JSON } from './response-headers.ts'

type Dependencies = Pick<UseCases, 'readiness'> & {
  /** Undefined where they are served elsewhere. */
  readonly metrics: Pick<Metrics, 'text' | 'contentType'> | undefined
  readonly isDraining: () => boolean
}

const HEALTHY: Health = { status: 'ok' }
const DRAINING: Readiness = { status: 'draining', missing: [], degraded: [], since: {} }

/** `/metrics`. The answer lets no page of another origin read it. */
export const metricsEndpoint = ({ text, contentType }: Pick<Metrics, 'text' | 'contentType'>): Endpoint =>
  endpointOf(GET_METRICS, async (_request, reply) =>
    reply
      .removeHeader('access-control-allow-origin')
      .headers({ 'content-type': contentType, 'cache-control': 'no-store' })
      .send(await text()),
  )

/**
 * Endpoints for operators: `/healthz` (the process answers), `/readyz` (200, or 503 naming what is missing, also while
 * the server drains) and `/metrics` (Prometheus text).
 */
export const operationsEndpoints = ({
  readiness,
  metrics,
  isDraining,
}: Dependencies): readonly Endpoint[] => [
  endpointOf(GET_HEALTH, (_request, reply) => reply.headers(FRESH_JSON).send(HEALTHY)),
  endpointOf(GET_READINESS, async (_request, reply) => {
    reply.headers(FRESH_JSON)
    if (isDraining()) return reply.code(503).send(DRAINING)
    const { ready, missing, degraded, since } = await readiness()
    const answer: Readiness = {
      status: ready ? 'ready' : 'not_ready',
      missing: [...missing],
      degraded: [...degraded],
      since: Object.fromEntries([...since].map(([part, at]) => [part, toIso(at)])),
    }
    return reply.code(ready ? 200 : 503).send(answer)
  }),
  ...(metrics === undefined ? [] : [metricsEndpoint(metrics)]),
]
