import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../test/eventually.ts'
import { createPoller } from './poller.ts'

const LONG_MS = 60_000

const nothingFails = (): never => assert.fail('nothing fails')

test('rounds follow one another without overlap until stopped', async () => {
  let [begun, underWay, mostAtOnce] = [0, 0, 0]
  const run = async (): Promise<void> => {
    begun += 1
    underWay += 1
    mostAtOnce = Math.max(mostAtOnce, underWay)
    await sleep(2)
    underWay -= 1
  }
  const poller = createPoller({ name: 'work', periodMs: 1, run, log: nothingFails })
  await poller.start()
  assert.equal(begun, 1)
  for (let count = 0; count < 20; count += 1) poller.wake()
  await until(() => begun >= 5)
  await poller.stop()
  assert.equal(underWay, 0)
  const ended = begun
  poller.wake()
  await sleep(10)
  assert.deepEqual([begun, mostAtOnce], [ended, 1])
})

test('rounds do not overlap when a poller is stopped and started again within one', async () => {
  let [begun, underWay, mostAtOnce] = [0, 0, 0]
  const run = async (): Promise<void> => {
    begun += 1
    underWay += 1
    mostAtOnce = Math.max(mostAtOnce, underWay)
    await sleep(5)
    underWay -= 1
  }
  const poller = createPoller({ name: 'work', periodMs: 1, run, log: nothingFails })
  void poller.start()
  void poller.stop()
  void poller.start()
  poller.wake()
  await until(() => begun >= 3)
  await poller.stop()
  assert.equal(mostAtOnce, 1)
})

test('wake during a round starts the next right after it', async () => {
  let begun = 0
  const run = async (): Promise<void> => {
    begun += 1
    await sleep(5)
  }
  const poller = createPoller({ name: 'work', periodMs: LONG_MS, run, log: nothingFails })
  const first = poller.start()
  poller.wake()
  await first
  await until(() => begun === 2)
  poller.wake()
  await until(() => begun === 3)
  await poller.stop()
})

test('a round that wakes its own poller is followed by the next at once', async () => {
  let begun = 0
  const poller = createPoller({
    name: 'work',
    periodMs: LONG_MS,
    run: async () => {
      begun += 1
      if (begun < 5) poller.wake()
    },
    log: nothingFails,
  })
  await poller.start()
  await until(() => begun === 5)
  await poller.stop()
})

test('logs once when rounds begin to fail and once when they recover', async () => {
  const lines: string[] = []
  let begun = 0
  const run = async (): Promise<void> => {
    begun += 1
    if (begun <= 3) throw new Error('down')
  }
  const poller = createPoller({
    name: 'work',
    periodMs: 1,
    run,
    log: (severity, message, fields) => lines.push(`${severity} ${message} ${fields?.['chainId']}`),
    fields: { chainId: 'a' },
  })
  await poller.start()
  assert.equal(poller.isFailing(), true)
  await until(() => begun >= 6)
  await poller.stop()
  assert.equal(poller.isFailing(), false)
  assert.deepEqual(lines, ['error work_failed a', 'info work_recovered a'])
})

test('pauses after failures although it was woken meanwhile', async () => {
  const asked: number[] = []
  let begun = 0
  const poller = createPoller({
    name: 'work',
    periodMs: LONG_MS,
    retryMs: (failures) => {
      asked.push(failures)
      return begun < 4 ? 1 : LONG_MS
    },
    run: async () => {
      begun += 1
      poller.wake()
      throw new Error('down')
    },
    log: () => undefined,
  })
  await poller.start()
  await until(() => begun === 4)
  await sleep(10)
  assert.equal(begun, 4)
  assert.deepEqual(asked, [1, 2, 3, 4])
  await poller.stop()
})
