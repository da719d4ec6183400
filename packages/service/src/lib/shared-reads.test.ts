import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { until } from '../../test/eventually.ts'
import { createSharedReads } from './shared-reads.ts'

test('callers share one read of a key until it is too old', async () => {
  let time = 0
  let reads = 0
  const share = createSharedReads<string, number>({ now: () => time, maxAgeMs: 100, limit: 10 })
  const read = async (): Promise<number> => {
    reads += 1
    return reads
  }
  assert.deepEqual(await Promise.all([share('a', read), share('a', read), share('b', read)]), [1, 1, 2])
  time = 99
  assert.equal(await share('a', read), 1)
  time = 100
  assert.equal(await share('a', read), 3)
})

test('a failed read rejects for those who joined it, and the next caller reads again', async () => {
  let reads = 0
  const share = createSharedReads<string, string>({ now: () => 0, maxAgeMs: 100, limit: 10 })
  const read = async (): Promise<string> => {
    reads += 1
    if (reads === 1) throw new Error('unreachable')
    return 'read'
  }
  const outcomes = await Promise.allSettled([share('a', read), share('a', read)])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(reads, 1)
  assert.equal(await share('a', read), 'read')
})

test('the failure of an expired read does not end the read that followed it', async () => {
  let time = 0
  const share = createSharedReads<string, string>({ now: () => time, maxAgeMs: 100, limit: 10 })
  const slow = Promise.withResolvers<string>()
  const first = share('a', () => slow.promise)
  time = 100
  const second = share('a', async () => 'second')
  slow.reject(new Error('too late'))
  await assert.rejects(first, /too late/)
  assert.equal(await second, 'second')
  assert.equal(await share('a', async () => 'third'), 'second')
})

test('results that are too old are freed, however few follow them', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  let time = 0
  const share = createSharedReads<string, object>({ now: () => time, maxAgeMs: 100, limit: 1_000 })
  const results: WeakRef<object>[] = []
  const readMany = async (): Promise<void> => {
    for (let count = 0; count < 20; count += 1) {
      const result = { answer: Array.from({ length: 1_000 }, () => count) }
      results.push(new WeakRef(result))
      await share(`${count}`, async () => result)
    }
  }
  await readMany()
  time = 100
  await share('next', async () => ({}))
  // What a frame of the engine still refers to is freed by a later collection.
  await until(() => {
    collect()
    return results.every((result) => result.deref() === undefined)
  })
})

test('no more reads are kept than the limit, and those that began first are forgotten', async () => {
  let reads = 0
  const share = createSharedReads<string, number>({ now: () => 0, maxAgeMs: 100, limit: 2 })
  const read = async (): Promise<number> => {
    reads += 1
    return reads
  }
  for (const key of ['a', 'b', 'a', 'c', 'b', 'c']) await share(key, read)
  assert.equal(reads, 3)
  assert.equal(await share('a', read), 4)
})
