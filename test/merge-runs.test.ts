import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type run, test } from 'node:test'
import { spec } from 'node:test/reporters'
import { mergeRuns } from './merge-runs.ts'

/** A run that emits the events that a test writes. */
const createRun = () => {
  const stream = new PassThrough({ objectMode: true })
  const write = (type: string, name: string, nesting: number): void => {
    stream.write({
      type: `test:${type}`,
      data: { name, nesting, details: { duration_ms: 1 }, testNumber: 1 },
    })
  }
  // CAST: a run is a stream of events.
  return { stream: stream as unknown as ReturnType<typeof run>, write, end: () => stream.end() }
}

test('the reporter prints every test of two runs whose events come in turns', async () => {
  const [one, other] = [createRun(), createRun()]
  const printed = text(mergeRuns([one.stream, other.stream]).compose(spec))
  one.write('start', 'a suite', 0)
  other.write('start', 'another suite', 0)
  one.write('start', 'its test', 1)
  other.write('start', 'the test of the other', 1)
  one.write('pass', 'its test', 1)
  one.write('pass', 'a suite', 0)
  other.write('pass', 'the test of the other', 1)
  other.write('pass', 'another suite', 0)
  one.end()
  other.end()
  const names = (await printed).match(/a suite|its test|the test of the other|another suite/g)
  assert.deepEqual([...new Set(names)], ['a suite', 'its test', 'another suite', 'the test of the other'])
})
