import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { clear, runScript, type Started } from './npm-script.ts'

const POLL_MS = 100
const DEADLINE_MS = 300_000
/** Longer than the sandbox's start on two busy cores. */
const LONGEST_START_MS = 6_000
/** npm, the service, three chains with their watchdogs, the process of solvers and attester. */
const FEWEST_PROCESSES = 9

const npmStart = (): Started => runScript('start')

const idOf = ({ processes }: Started, part: string): number => {
  const found = processes().filter(({ command }) => command.includes(part))
  assert.equal(found.length, 1, `${part}: ${JSON.stringify(processes(), null, 1)}`)
  return found[0]?.id ?? assert.fail()
}

/** Repeats a request until it is answered. */
const poll = async <Answer>(ask: () => Answer | undefined, problem: () => string): Promise<Answer> => {
  for (const deadline = performance.now() + DEADLINE_MS; performance.now() < deadline; await delay(POLL_MS)) {
    const answer = ask()
    if (answer !== undefined) return answer
  }
  return assert.fail(problem())
}

const listening = ({ said }: Started): Promise<string> => poll(() => /^Ready: .*/m.exec(said())?.[0], said)

const allGone = ({ processes }: Started): Promise<true> =>
  poll(
    () => (processes().length === 0 ? true : undefined),
    () => `left over: ${JSON.stringify(processes(), null, 1)}`,
  )

const group = ({ pid }: ChildProcess): number => -(pid ?? assert.fail('npm has no process id'))

const ENDINGS: readonly {
  readonly name: string
  readonly inOrder: boolean
  readonly end: (started: Started) => void
}[] = [
  { name: 'SIGTERM to npm', inOrder: true, end: ({ npm }) => npm.kill('SIGTERM') },
  { name: 'SIGHUP to npm', inOrder: true, end: ({ npm }) => npm.kill('SIGHUP') },
  { name: 'SIGKILL to npm', inOrder: true, end: ({ npm }) => npm.kill('SIGKILL') },
  {
    name: 'Ctrl-C, which is SIGINT to all in the terminal',
    inOrder: true,
    end: ({ npm }) => process.kill(group(npm), 'SIGINT'),
  },
  {
    name: 'a closed terminal, which is SIGHUP to all in it',
    inOrder: true,
    end: ({ npm }) => process.kill(group(npm), 'SIGHUP'),
  },
  {
    name: 'SIGTERM to the service',
    inOrder: true,
    end: (started) => process.kill(idOf(started, 'sandbox/src/main.'), 'SIGTERM'),
  },
  {
    name: 'SIGKILL to the service',
    inOrder: false,
    end: (started) => process.kill(idOf(started, 'sandbox/src/main.'), 'SIGKILL'),
  },
]

for (const { name, inOrder, end } of ENDINGS)
  test(`npm start and all processes it started end at ${name}`, async (t) => {
    const started = npmStart()
    t.after(() => clear(started))
    await listening(started)
    await poll(
      () => (started.processes().length >= FEWEST_PROCESSES ? true : undefined),
      () => JSON.stringify(started.processes(), null, 1),
    )
    end(started)
    await allGone(started)
    await started.closed
    assert.equal(started.said().includes('service_stopping'), inOrder, started.said())
    // SQLite removes its write-ahead log when the last connection closes cleanly.
    assert.equal(existsSync(join(started.folder, 'data/sandbox/openrfq.sqlite-wal')), !inOrder)
  })

const serviceOf = ({ processes }: Started): number | undefined =>
  processes().find(({ command }) => command.includes('sandbox/src/main.'))?.id

const KILLED: readonly {
  readonly what: string
  readonly kill: (started: Started, service: number) => void
}[] = [
  { what: 'npm', kill: ({ npm }) => npm.kill('SIGKILL') },
  { what: 'the service', kill: (_, service) => process.kill(service, 'SIGKILL') },
]

for (const { what, kill } of KILLED)
  test(`npm start leaves no process when ${what} is killed at any time during the start`, async (t) => {
    for (let pauseMs = 0; pauseMs <= LONGEST_START_MS; pauseMs += 1_200) {
      const started = npmStart()
      t.after(() => clear(started))
      const service = await poll(() => serviceOf(started), started.said)
      await delay(pauseMs)
      kill(started, service)
      await allGone(started)
    }
  })

test('a killed demo leaves no process of the service it started', async (t) => {
  const started = runScript('rfq', '--', 'demo', '--url', 'http://127.0.0.1:1')
  t.after(() => clear(started))
  await poll(() => started.processes().find(({ command }) => command.includes('cli/roles.')), started.said)
  process.kill(idOf(started, 'cli/rfq.mjs demo'), 'SIGKILL')
  await allGone(started)
})
