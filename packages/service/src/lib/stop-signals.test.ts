import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'

const PROGRAM = `
import { onStopSignal } from ${JSON.stringify(join(import.meta.dirname, 'stop-signals.ts'))}
onStopSignal({ stop: (signal) => console.log(signal), force: () => process.exit(9) })
setInterval(() => undefined, 1000)
console.log('ready')`

/** A process that prints the signal that stopped it, and exits with 9 when forced. */
const start = async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const next = async (): Promise<string> => String(await once(child.stdout, 'data')).trim()
  assert.equal(await next(), 'ready')
  return { child, ended, next }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  test(`${signal} stops, a second signal within a second is ignored, and a later one forces`, async () => {
    const { child, ended, next } = await start()
    const stopped = next()
    child.kill(signal)
    assert.equal(await stopped, signal)
    child.kill('SIGINT')
    await delay(1_100)
    assert.equal(child.exitCode, null)
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [9, null])
  })

test('SIGHUP never forces', async () => {
  const { child, ended, next } = await start()
  const stopped = next()
  child.kill('SIGTERM')
  assert.equal(await stopped, 'SIGTERM')
  await delay(1_100)
  child.kill('SIGHUP')
  await delay(200)
  assert.deepEqual([child.exitCode, child.signalCode], [null, null])
  child.kill('SIGKILL')
  await ended
})
