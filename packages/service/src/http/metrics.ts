import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { createHistogram } from './histogram.ts'

/** How a backend answered one order. */
type BackendOutcome = 'offer' | 'declined' | 'fault' | 'timeout'

/** A count or another value, and the labels of its series. */
export type LabelledCount = { readonly labels: Readonly<Record<string, string>>; readonly count: number }

/** The process's metrics for Prometheus. Labels come from closed lists, which bounds the number of series. */
export type Metrics = {
  readonly requestAnswered: (endpoint: string, status: number, seconds: number) => void
  readonly backendAnswered: (backend: string, outcome: BackendOutcome, seconds: number) => void
  /** Adds a value that is read whenever the metrics are; the name starts with `openrfq_` and ends with its unit. */
  readonly watch: (name: string, help: string, read: () => number) => void
  /** Adds counts by label that are read whenever the metrics are; the name starts with `openrfq_` and ends with `_total`. */
  readonly watchCounts: (
    name: string,
    help: string,
    labelNames: readonly string[],
    read: () => readonly LabelledCount[],
  ) => void
  /** Like `watchCounts` for values that may fall; the name does not end with `_total`. */
  readonly watchValues: (
    name: string,
    help: string,
    labelNames: readonly string[],
    read: () => readonly LabelledCount[],
  ) => void
  readonly contentType: string
  readonly text: () => Promise<string>
}

/** Metrics in a registry of their own, together with those of the Node process. */
export const createMetrics = (): Metrics => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = createHistogram(
    'openrfq_http_request_seconds',
    'Time from the parsed request head to the answer, by endpoint and HTTP status.',
  )
  const backends = createHistogram('openrfq_backend_quote_seconds', 'Time a backend took to answer an order.')
  const outcomes = createOutcomes(registry)
  return {
    requestAnswered: (endpoint, status, seconds) =>
      requests.observe(`endpoint="${endpoint}",status="${status}"`, seconds),
    backendAnswered: (backend, outcome, seconds) => {
      backends.observe(`backend="${backend}"`, seconds)
      outcomes.add(backend, outcome)
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
    watchCounts: (name, help, labelNames, read) => {
      new Counter({
        name,
        help,
        labelNames: [...labelNames],
        registers: [registry],
        collect() {
          this.reset()
          for (const { labels, count } of read()) this.inc(labels, count)
        },
      })
    },
    watchValues: (name, help, labelNames, read) => {
      new Gauge({
        name,
        help,
        labelNames: [...labelNames],
        registers: [registry],
        collect() {
          this.reset()
          for (const { labels, count } of read()) this.set(labels, count)
        },
      })
    },
    contentType: registry.contentType,
    text: async () => `${requests.text()}\n\n${backends.text()}\n\n${await registry.metrics()}`,
  }
}

/** Counts outcomes, and hands the counts to the registry only when it is read. */
const createOutcomes = (registry: Registry) => {
  const counts = new Map<string, Map<BackendOutcome, number>>()
  new Counter({
    name: 'openrfq_backend_quotes_total',
    help: 'Orders a backend answered, by outcome.',
    labelNames: ['backend', 'outcome'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [backend, outcomes] of counts)
        for (const [outcome, count] of outcomes) this.inc({ backend, outcome }, count)
    },
  })
  return {
    add: (backend: string, outcome: BackendOutcome): void => {
      const outcomes = counts.get(backend) ?? new Map<BackendOutcome, number>()
      counts.set(backend, outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1))
    },
  }
}
