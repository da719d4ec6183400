import { finished, PassThrough } from 'node:stream'
import type { run } from 'node:test'

type Run = ReturnType<typeof run>
type Event = {
  readonly type: string
  readonly data: { readonly message?: string; readonly file?: string; readonly nesting?: number }
}

const COUNT = /^(tests|suites|pass|fail|cancelled|skipped|todo) (\d+)$/
const DURATION = /^duration_ms /

/** Whether an event ends a test that stands in no other. */
const endsOutermost = ({ type, data: { nesting } }: Event): boolean =>
  (type === 'test:pass' || type === 'test:fail') && nesting === 0

/**
 * The events of runs of tests that go on at the same time as those of one run, with one sum of their counts at its end.
 * The events of an outermost test stay together, because a reporter expects each end after its own start.
 */
export const mergeRuns = (runs: readonly Run[]): PassThrough => {
  const merged = new PassThrough({ objectMode: true })
  const counts = new Map<string, number>()
  const startedAt = performance.now()
  let running = runs.length
  let summary: Event | undefined
  const say = (message: string): void => {
    merged.write({ type: 'test:diagnostic', data: { nesting: 0, message, level: 'info' } })
  }
  for (const one of runs) {
    let waiting: Event[] = []
    const passOn = (): void => {
      for (const event of waiting) merged.write(event)
      waiting = []
    }
    one.on('data', (event: Event) => {
      const message = event.type === 'test:diagnostic' ? (event.data.message ?? '') : ''
      const [, name, count] = COUNT.exec(message) ?? []
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + Number(count))
      else if (event.type === 'test:summary' && event.data.file === undefined) summary = event
      else if (!DURATION.test(message)) waiting.push(event)
      if (endsOutermost(event)) passOn()
    })
    finished(one, () => {
      passOn()
      running -= 1
      if (running > 0) return
      // At a summary of a whole run the reporter lists what has failed so far.
      if (summary !== undefined) merged.write(summary)
      for (const [name, count] of counts) say(`${name} ${count}`)
      say(`duration_ms ${Math.round(performance.now() - startedAt)}`)
      merged.end()
    })
  }
  return merged
}
