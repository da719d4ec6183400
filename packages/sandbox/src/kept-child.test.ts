import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from 'openrfq/test/eventually.ts'
import { type ChildEnd, keepChild } from './kept-child.ts'

const KILLED: ChildEnd = { code: null, signal: 'SIGKILL', said: 'the last line' }

/** Children whose start and end the test controls. */
const createChildren = () => {
  const started: { readonly ready: () => void; readonly end: () => void }[] = []
  const start = () => {
    const ready = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<ChildEnd>()
    const end = (): void => {
      ready.reject(new Error('ended'))
      ended.resolve(KILLED)
    }
    started.push({ ready: ready.resolve, end })
    return { number: started.length, ready: ready.promise, ended: ended.promise, stop: async () => end() }
  }
  return { started, start }
}

const keep = (backoff = { firstMs: 1, maximumMs: 2 }) => {
  const { started, start } = createChildren()
  const lines: string[] = []
  const kept = keepChild({
    start,
    onExit: ({ signal, said }) => lines.push(`exit ${signal} ${said}`),
    onRecovered: ({ number }) => lines.push(`recovered ${number}`),
    backoff,
  })
  return { started, lines, kept }
}

test('restarts a child that ends, with one log line for its end and one for its recovery', async () => {
  const { started, lines, kept } = keep()
  started[0]?.ready()
  for (const count of [1, 2, 3]) {
    started[count - 1]?.end()
    await until(() => started.length === count + 1)
  }
  assert.deepEqual(lines, ['exit SIGKILL the last line'])
  started[3]?.ready()
  await until(() => lines.length === 2)
  assert.equal(lines[1], 'recovered 4')
  assert.equal(kept.current().number, 4)
  await kept.stop()
})

test('does not restart a stopped child, also when a restart was due', async () => {
  const first = keep()
  await first.kept.stop()
  const second = keep({ firstMs: 86_400_000, maximumMs: 86_400_000 })
  second.started[0]?.end()
  await until(() => second.lines.length === 1)
  await second.kept.stop()
  const third = keep()
  third.started[0]?.end()
  await until(() => third.started.length === 2)
  await third.kept.stop()
  assert.deepEqual(
    [first, second, third].map(({ started }) => started.length),
    [1, 1, 2],
  )
  assert.deepEqual(first.lines, [])
})
