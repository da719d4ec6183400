import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'

/** Each line of the input moves its clock by that many milliseconds. */
const PROGRAM = `
import { createInterface } from 'node:readline'
import { onStopSignal } from ${JSON.stringify(join(import.meta.dirname, 'stop-signals.ts'))}
let time = 0
onStopSignal({ stop: (signal) => console.log(signal), force: () => process.exit(9), steady: () => time })
createInterface(process.stdin).on('line', (ms) => {
  time += Number(ms)
  console.log(time)
})
process.on('SIGUSR2', () => console.log('later'))
console.log('ready')`

/** A process that prints the signal that stopped it, and exits with 9 when forced. */
const start = async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const next = async (): Promise<string | undefined> => (await lines.next()).value
  assert.equal(await next(), 'ready')
  return {
    child,
    ended,
    stop: async (signal: NodeJS.Signals): Promise<void> => {
      child.kill(signal)
      assert.equal(await next(), signal)
    },
    /** Sends a signal that must change nothing; resolves once the process has answered a later one. */
    ignores: async (signal: NodeJS.Signals): Promise<void> => {
      child.kill(signal)
      child.kill('SIGUSR2')
      assert.equal(await next(), 'later')
    },
    passMs: async (ms: number): Promise<void> => {
      child.stdin.write(`${ms}\n`)
      await next()
    },
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  test(`${signal} stops, a second signal within a second is ignored, and a later one forces`, async () => {
    const { child, ended, stop, ignores, passMs } = await start()
    await stop(signal)
    await passMs(1_000)
    await ignores('SIGINT')
    await passMs(1)
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [9, null])
  })

test('SIGHUP never forces', async () => {
  const { child, ended, stop, ignores, passMs } = await start()
  await stop('SIGTERM')
  await passMs(60_000)
  await ignores('SIGHUP')
  child.kill('SIGKILL')
  await ended
})
