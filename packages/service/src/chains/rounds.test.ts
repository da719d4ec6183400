import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRounds } from './rounds.ts'

const LONG_MS = 60_000

const until = async (condition: () => boolean): Promise<void> => {
  const deadline = performance.now() + 5_000
  while (!condition()) {
    assert.ok(performance.now() < deadline, `did not happen: ${condition}`)
    await sleep(1)
  }
}

test('rounds follow one another without overlapping, until they are stopped', async () => {
  let [begun, underWay, mostAtOnce] = [0, 0, 0]
  const run = async (): Promise<void> => {
    begun += 1
    underWay += 1
    mostAtOnce = Math.max(mostAtOnce, underWay)
    await sleep(2)
    underWay -= 1
  }
  const rounds = createRounds({ name: 'work', periodMs: 1, run, log: () => assert.fail('nothing fails') })
  await rounds.start()
  assert.equal(begun, 1)
  for (let count = 0; count < 20; count += 1) rounds.wake()
  await until(() => begun >= 5)
  await rounds.stop()
  assert.equal(underWay, 0)
  const ended = begun
  rounds.wake()
  await sleep(10)
  assert.deepEqual([begun, mostAtOnce], [ended, 1])
})

test('a round that is woken while another is under way comes right after it', async () => {
  let begun = 0
  const run = async (): Promise<void> => {
    begun += 1
    await sleep(5)
  }
  const rounds = createRounds({
    name: 'work',
    periodMs: LONG_MS,
    run,
    log: () => assert.fail('nothing fails'),
  })
  const first = rounds.start()
  rounds.wake()
  await first
  await until(() => begun === 2)
  await rounds.stop()
})

test('failing is logged when it begins and when it ends', async () => {
  const lines: string[] = []
  let begun = 0
  const run = async (): Promise<void> => {
    begun += 1
    if (begun <= 3) throw new Error('down')
  }
  const rounds = createRounds({
    name: 'work',
    periodMs: 1,
    run,
    log: (severity, message) => lines.push(`${severity} ${message}`),
  })
  await rounds.start()
  await until(() => begun >= 6)
  await rounds.stop()
  assert.deepEqual(lines, ['error work fails', 'info work works again'])
})
