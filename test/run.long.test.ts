import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { childEnvironment } from '@openrfq/sandbox/src/child-environment.ts'
import { eventually } from 'openrfq/test/eventually.ts'

const folder = mkdtempSync(join(tmpdir(), 'openrfq-run-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** A process in a session of its own that ignores signals and has a child; each writes its id as a file's name. */
const STUBBORN = `
const { spawn } = require('node:child_process')
const { writeFileSync } = require('node:fs')
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
writeFileSync('id-' + process.pid, '')
if (process.argv[1] !== 'last') spawn(process.execPath, ['--eval', process.env.PROGRAM, 'last'], { stdio: 'ignore' })
setInterval(() => {}, 1000)`

const TEST = `
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
test('waits', async () => {
  const env = { ...process.env, PROGRAM: ${JSON.stringify(STUBBORN)} }
  const words = ['--eval', env.PROGRAM, 'first']
  spawn(process.execPath, words, { env, cwd: import.meta.dirname, detached: true, stdio: 'ignore' })
  writeFileSync(import.meta.dirname + '/id-' + process.pid, '')
  await new Promise((resolve) => setTimeout(resolve, 2 ** 31 - 1))
})`

/** A process that has ended and waits for its parent is not running. */
const isRunning = (id: number): boolean => {
  const { status, stdout } = spawnSync('ps', ['-o', 'stat=', '-p', `${id}`], { encoding: 'utf8' })
  return status === 0 && !stdout.startsWith('Z')
}

test('a file whose process exits with 0 before its tests have ended fails the run, and one without tests', () => {
  const place = mkdtempSync(join(folder, 'tests-'))
  const run = (name: string, text: string): number | null => {
    writeFileSync(join(place, name), text)
    const words = [join(import.meta.dirname, 'run.ts'), join(place, name)]
    return spawnSync(process.execPath, words, { env: { ...childEnvironment(), TMPDIR: place } }).status
  }
  const header = `import { test } from 'node:test'\ntest('passes', () => {})`
  assert.equal(run('whole.test.ts', header), 0)
  const ending = `test('ends', () => process.exit(0))\ntest('fails', () => { throw new Error('broken') })`
  assert.equal(run('ending.test.ts', `${header}\n${ending}`), 1)
  assert.equal(run('empty.test.ts', 'export {}'), 1)
})

for (const [signal, code] of [
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)
  test(`${signal} to the test runner ends the processes of its tests, also those that ignore it`, async () => {
    const place = mkdtempSync(join(folder, 'tests-'))
    writeFileSync(join(place, 'waiting.test.ts'), TEST)
    const runner = spawn(
      process.execPath,
      [join(import.meta.dirname, 'run.ts'), join(place, 'waiting.test.ts')],
      {
        env: { ...childEnvironment(), TMPDIR: place },
        stdio: 'ignore',
      },
    )
    const ended = once(runner, 'exit')
    const idsOf = (): readonly number[] =>
      readdirSync(place).flatMap((name) => (name.startsWith('id-') ? [Number(name.slice(3))] : []))
    await eventually('the test has started two processes', () => idsOf().length === 3)
    const ids = idsOf()
    assert.deepEqual(ids.map(isRunning), [true, true, true])
    runner.kill(signal)
    assert.deepEqual(await ended, [code, null])
    assert.deepEqual(ids.map(isRunning), [false, false, false])
    assert.deepEqual(
      readdirSync(place).filter((name) => name.startsWith('openrfq-test-') && name !== 'openrfq-test-code'),
      [],
      'its temporary folder is deleted',
    )
  })
