import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { createReport } from './run-report.ts'

const ROOT = '/repository'

type Planted = { readonly type?: string; readonly nesting?: number; readonly seconds: number }

const plant = (run: EventEmitter, event: string, file: string, name: string, more: Planted): void => {
  const { type = 'test', nesting = 0, seconds } = more
  run.emit(event, { name, file, nesting, details: { duration_ms: seconds * 1000, type } })
}

test('adds up the minutes of processes by part and lists the 20 slowest tests', () => {
  const run = new EventEmitter()
  const describe = createReport(ROOT, [run])
  const group = '/groups/packages-sdk.mjs'
  for (let number = 1; number <= 25; number += 1)
    plant(run, 'test:pass', `${ROOT}/packages/sdk/src/${number}.test.ts`, 'passes', {
      nesting: 1,
      seconds: number,
    })
  plant(run, 'test:complete', group, group, { seconds: 360 })
  plant(run, 'test:pass', group, 'packages/sdk/src/1.test.ts', { type: 'suite', seconds: 300 })
  const file = `${ROOT}/test/console.long.test.ts`
  plant(run, 'test:fail', file, 'fails', { seconds: 40.04 })
  for (const one of [file, `${ROOT}/packages/web/src/a.test.ts`])
    plant(run, 'test:complete', one, one, { seconds: 60 })
  assert.deepEqual(describe(), [
    'minutes by part, added up over processes:',
    '    6.0  sdk',
    '    2.0  pages',
    'slowest tests, in seconds:',
    '   40.0  test/console.long.test.ts: fails',
    ...Array.from({ length: 19 }, (_, index) =>
      `   ${25 - index}.0  packages/sdk/src/${25 - index}.test.ts: passes`.replace(/^ {3}(?=\d\.)/, '    '),
    ),
  ])
})

test('says nothing of a run of few files', () => {
  const run = new EventEmitter()
  const describe = createReport(ROOT, [run])
  plant(run, 'test:pass', `${ROOT}/test/intent.test.ts`, 'passes', { seconds: 1 })
  assert.deepEqual(describe(), [])
})
