/** A metric counted by this process: `labels` as Prometheus writes them, e.g. `backend="its"`. */
export type Histogram = {
  readonly observe: (labels: string, seconds: number) => void
  /** All series in the Prometheus text format, without a final newline. */
  readonly text: () => string
}

type Series = { readonly counts: number[]; sum: number }

const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

/**
 * A histogram of seconds. Labels come from closed lists, which bounds the number of series. It replaces prom-client's,
 * whose hashing of label objects costs more than pricing a route. Source: Prometheus "Exposition formats".
 */
export const createHistogram = (name: string, help: string): Histogram => {
  const all = new Map<string, Series>()
  const begin = (labels: string): Series => {
    const series = { counts: Array.from({ length: BOUNDS.length + 1 }, () => 0), sum: 0 }
    all.set(labels, series)
    return series
  }
  return {
    observe: (labels, seconds) => {
      const series = all.get(labels) ?? begin(labels)
      const bucket = bucketOf(seconds)
      series.counts[bucket] = (series.counts[bucket] ?? 0) + 1
      series.sum += seconds
    },
    text: () => {
      const lines = [...all].flatMap(([labels, series]) => linesOf(name, labels, series))
      return [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...lines].join('\n')
    },
  }
}

/** The index of the first bucket whose bound is not exceeded, or of the overflow bucket. */
const bucketOf = (seconds: number): number => {
  let bucket = 0
  for (const bound of BOUNDS) {
    if (seconds <= bound) break
    bucket += 1
  }
  return bucket
}

const linesOf = (name: string, labels: string, { counts, sum }: Series): readonly string[] => {
  let count = 0
  const buckets = [...BOUNDS, '+Inf'].map((bound, index) => {
    count += counts[index] ?? 0
    return `${name}_bucket{le="${bound}",${labels}} ${count}`
  })
  return [...buckets, `${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${count}`]
}
