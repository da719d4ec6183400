import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createMutex } from './mutex.ts'

test('runs work sequentially in the order of arrival, also after a failure', async () => {
  const exclusive = createMutex()
  const order: string[] = []
  let underWay = 0
  const work = (name: string, durationMs: number) => async () => {
    underWay += 1
    assert.equal(underWay, 1)
    await sleep(durationMs)
    order.push(name)
    underWay -= 1
    if (name === 'b') throw new Error(name)
    return name
  }
  const results = await Promise.allSettled(
    ['a', 'b', 'c', 'd'].map((name, index) => exclusive(work(name, 4 - index))),
  )
  assert.deepEqual(order, ['a', 'b', 'c', 'd'])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  )
})

test('reports a failure only to its caller', async () => {
  const unhandled: unknown[] = []
  const listener = (reason: unknown): void => void unhandled.push(reason)
  process.on('unhandledRejection', listener)
  const exclusive = createMutex()
  await assert.rejects(
    exclusive(async () => {
      throw new Error('down')
    }),
  )
  await sleep(5)
  process.off('unhandledRejection', listener)
  assert.deepEqual(unhandled, [])
})
