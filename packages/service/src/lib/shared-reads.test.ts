import assert from 'node:assert/strict'
import { test } from 'node:test'
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
