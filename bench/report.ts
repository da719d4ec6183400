import type { LoadResult } from './load.ts'

/** The median of some numbers; the mean of the two middle ones for an even count. */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN
  return (upper + lower) / 2
}

/** The loads of one endpoint by round: the service's and the bare server's. */
export type Comparison = {
  readonly name: string
  readonly target: number
  readonly service: readonly LoadResult[]
  readonly bare: readonly LoadResult[]
}

/** The median over the rounds of the service's requests per second, divided by the bare server's of the same round. */
export const ratioOf = ({ service, bare }: Comparison): number =>
  median(
    service.map((result, round) => result.requestsPerSecond / (bare[round]?.requestsPerSecond ?? Number.NaN)),
  )

/** The number of failed requests to the service. */
export const failuresOf = ({ service }: Comparison): number =>
  service.reduce((sum, result) => sum + result.failures, 0)

/** The mean number of quotes in the service's answers. */
export const quotesPerAnswer = ({ service }: Comparison): number => {
  const quotes = service.reduce((sum, { quoteIds }) => sum + quoteIds.length, 0)
  return quotes / service.reduce((sum, { answers }) => sum + answers, 0)
}

const HEADINGS = [
  'endpoint',
  'service req/s',
  'bare req/s',
  'ratio',
  'wanted',
  'p50 ms',
  'p99 ms',
  'failures',
]

const rowOf = (comparison: Comparison): readonly string[] => {
  const { name, target, service, bare } = comparison
  return [
    name,
    median(service.map((result) => result.requestsPerSecond)).toFixed(0),
    median(bare.map((result) => result.requestsPerSecond)).toFixed(0),
    ratioOf(comparison).toFixed(2),
    `>= ${target}`,
    median(service.map((result) => result.p50Ms)).toFixed(1),
    median(service.map((result) => result.p99Ms)).toFixed(1),
    `${failuresOf(comparison)}`,
  ]
}

/** Formats the comparisons as a plain text table. */
export const table = (comparisons: readonly Comparison[]): string => {
  const rows = [HEADINGS, ...comparisons.map(rowOf)]
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
  return rows.map(line).join('\n')
}
