import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { mapAtMost } from './map-at-most.ts'

/** Work that ends when told to, and the number running. */
const createDesk = () => {
  const ends = new Map<number, PromiseWithResolvers<number>>()
  let most = 0
  return {
    most: () => most,
    open: () => [...ends.keys()],
    work: (item: number): Promise<number> => {
      const end = Promise.withResolvers<number>()
      ends.set(item, end)
      most = Math.max(most, ends.size)
      return end.promise.finally(() => ends.delete(item))
    },
    end: async (item: number, error?: Error): Promise<void> => {
      if (error === undefined) ends.get(item)?.resolve(item * 2)
      else ends.get(item)?.reject(error)
      await turn()
    },
  }
}

test('runs at most the given number, starts the next when one ends, and keeps the order of results', () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 0, max: 20 }),
      fc.infiniteStream(fc.nat()),
      async (limit, count, choices) => {
        const desk = createDesk()
        const items = Array.from({ length: count }, (_, index) => index)
        const results = mapAtMost(limit, items, desk.work)
        for (let ended = 0; ended < count; ended += 1) {
          const open = desk.open()
          assert.equal(open.length, Math.min(limit, count - ended))
          await desk.end(open[(choices.next().value ?? 0) % open.length] ?? -1)
        }
        assert.deepEqual(
          await results,
          items.map((item) => item * 2),
        )
        assert.ok(desk.most() <= limit)
      },
    ),
  ))

test('starts nothing after a rejection, and rejects with the first', async () => {
  const desk = createDesk()
  const results = mapAtMost(2, [1, 2, 3, 4], desk.work)
  const rejected = assert.rejects(results, /first/)
  await desk.end(2, new Error('first'))
  await desk.end(1, new Error('second'))
  await rejected
  assert.deepEqual(desk.open(), [])
  assert.equal(desk.most(), 2)
})
