import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { BackendType } from '../core/backend-type.ts'

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** How a backend answered one order. */
type BackendOutcome = 'offer' | 'declined' | 'fault' | 'timeout'

/** What the process counts, as Prometheus reads it. Labels come from closed lists, so that series stay bounded. */
export type Metrics = {
  readonly requestAnswered: (endpoint: string, status: number, seconds: number) => void
  readonly backendAnswered: (backend: BackendType, outcome: BackendOutcome, seconds: number) => void
  /** Adds a value that is read whenever the metrics are; the name starts with `openrfq_` and ends with its unit. */
  readonly watch: (name: string, help: string, read: () => number) => void
  readonly contentType: string
  readonly text: () => Promise<string>
}

/** Metrics in a registry of their own, together with those of the Node process. */
export const createMetrics = (): Metrics => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'openrfq_http_request_seconds',
    help: 'Time from the parsed request head to the answer, by endpoint and HTTP status.',
    labelNames: ['endpoint', 'status'],
    buckets: SECONDS,
    registers: [registry],
  })
  const backends = new Histogram({
    name: 'openrfq_backend_quote_seconds',
    help: 'Time a backend took to answer an order.',
    labelNames: ['backend'],
    buckets: SECONDS,
    registers: [registry],
  })
  const outcomes = new Counter({
    name: 'openrfq_backend_quotes_total',
    help: 'Orders a backend answered, by outcome.',
    labelNames: ['backend', 'outcome'],
    registers: [registry],
  })
  return {
    requestAnswered: (endpoint, status, seconds) => requests.observe({ endpoint, status }, seconds),
    backendAnswered: (backend, outcome, seconds) => {
      backends.observe({ backend }, seconds)
      outcomes.inc({ backend, outcome })
    },
    watch: (name, help, read) => {
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read())
        },
      })
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
  }
}
