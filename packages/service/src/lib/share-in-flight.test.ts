import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { shareInFlight } from './share-in-flight.ts'

test('callers with the same key share running work and its failure', async () => {
  const share = shareInFlight<string, number>()
  let started = 0
  const work = async (): Promise<number> => {
    started += 1
    await turn()
    if (started === 1) throw new Error('down')
    return started
  }
  const first = await Promise.allSettled([share('a', work), share('a', work)])
  assert.deepEqual(
    first.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(started, 1)
  assert.deepEqual(await Promise.all([share('a', work), share('a', work), share('b', work)]), [3, 3, 3])
  assert.equal(started, 3)
})

test('work that throws synchronously leaves nothing behind', async () => {
  const share = shareInFlight<string, number>()
  assert.throws(() =>
    share('a', () => {
      throw new Error('bug')
    }),
  )
  assert.equal(await share('a', async () => 1), 1)
})
