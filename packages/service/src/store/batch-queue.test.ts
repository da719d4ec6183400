import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type BatchOutcome, batchQueue } from './batch-queue.ts'

const double = (items: readonly number[]): readonly BatchOutcome<number>[] =>
  items.map((item) => (item < 0 ? { error: new Error(`negative: ${item}`) } : { value: item * 2 }))

test('every item gets its own outcome', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer(), { maxLength: 50 }),
      fc.integer({ min: 1, max: 7 }),
      async (items, maximumBatch) => {
        const sizes: number[] = []
        const queue = batchQueue<number, number>({
          work: async (batch) => {
            sizes.push(batch.length)
            return double(batch)
          },
          maximumWaiting: 100,
          maximumBatch,
        })
        const results = await Promise.allSettled(items.map(queue.add))
        for (const [index, item] of items.entries()) {
          const result = results[index]
          if (item < 0) assert.equal(result?.status, 'rejected')
          else assert.deepEqual(result, { status: 'fulfilled', value: item * 2 })
        }
        assert.ok(sizes.every((size) => size > 0 && size <= maximumBatch))
      },
    ),
    { numRuns: 50 },
  )
})

test('items that arrive during a batch share the next one', async () => {
  const sizes: number[] = []
  const gates: (() => void)[] = []
  const queue = batchQueue<number, number>({
    work: (batch) =>
      new Promise((resolve) => {
        sizes.push(batch.length)
        gates.push(() => resolve(double(batch)))
      }),
    maximumWaiting: 100,
    maximumBatch: 100,
  })
  const first = queue.add(1)
  await new Promise((resolve) => setImmediate(resolve))
  const others = Array.from({ length: 20 }, (_, index) => queue.add(index))
  gates[0]?.()
  await first
  await new Promise((resolve) => setImmediate(resolve))
  gates[1]?.()
  await Promise.all(others)
  assert.deepEqual(sizes, [1, 20])
})

test('so many items as a batch needs start at once beside the batches under way', async () => {
  const batches: (readonly number[])[] = []
  const gates: (() => void)[] = []
  const queue = batchQueue<number, number>({
    work: (batch) =>
      new Promise((resolve) => {
        batches.push(batch)
        gates.push(() => resolve(double(batch)))
      }),
    maximumWaiting: 100,
    maximumBatch: 100,
    sideBySide: { size: 3, most: 2 },
  })
  const results = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(queue.add)
  assert.deepEqual(batches, [
    [1, 2, 3],
    [4, 5, 6],
  ])
  gates[1]?.()
  assert.deepEqual(await Promise.all(results.slice(3, 6)), [8, 10, 12])
  gates[0]?.()
  assert.deepEqual(await Promise.all(results.slice(0, 3)), [2, 4, 6])
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(batches.slice(2), [[7, 8, 9, 10]])
  const drained = queue.drain(new Error('over'))
  gates[2]?.()
  await drained
})

test('a full queue rejects with RATE_LIMITED and keeps every accepted item', async () => {
  const queue = batchQueue<number, number>({
    work: async (batch) => double(batch),
    maximumWaiting: 3,
    maximumBatch: 3,
  })
  const results = await Promise.allSettled([1, 2, 3, 4].map(queue.add))
  assert.deepEqual(
    results.slice(0, 3).map((result) => result.status),
    ['fulfilled', 'fulfilled', 'fulfilled'],
  )
  const refused = results[3]
  assert.equal(refused?.status === 'rejected' && refused.reason.code, 'RATE_LIMITED')
})

test('a batch that rejects or returns too few outcomes rejects its remaining items', async () => {
  const failing = batchQueue<number, number>({
    work: () => Promise.reject(new Error('no disk')),
    maximumWaiting: 9,
    maximumBatch: 9,
  })
  await assert.rejects(failing.add(1), /no disk/)
  await assert.rejects(failing.add(1), /no disk/)
  const short = batchQueue<number, number>({ work: async () => [], maximumWaiting: 9, maximumBatch: 9 })
  await assert.rejects(short.add(1), /too few outcomes/)
})

test('drain finishes accepted items and rejects later ones', async () => {
  const queue = batchQueue<number, number>({
    work: async (batch) => double(batch),
    maximumWaiting: 9,
    maximumBatch: 1,
  })
  const taken = [1, 2, 3].map(queue.add)
  const drained = queue.drain(new Error('over'))
  await assert.rejects(queue.add(4), /over/)
  assert.deepEqual(await Promise.all(taken), [2, 4, 6])
  await drained
})
