import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { QuoteAges } from '../store/purge.ts'
import { createWatch } from './watch.ts'

const DAY_MS = 86_400_000
const NOW = 1_790_000_000_000

/** What a watch's first purge asked for, by its clock and the newest block of any chain. */
const purged = async (now: number, chainTime: number | undefined): Promise<readonly QuoteAges[]> => {
  const asked: QuoteAges[] = []
  const watch = createWatch({
    store: {
      listOpen: () => Promise.resolve([]),
      findQuote: () => Promise.resolve(undefined),
      purgeQuotes: (ages) => {
        asked.push(ages)
        return Promise.resolve(0)
      },
    },
    refresher: () => Promise.reject(new Error('nothing is open')),
    keeper: () => Promise.resolve(),
    needsMessage: new Set(),
    now: () => now,
    chainTime: () => chainTime,
    log: () => undefined,
  })
  await watch.start()
  await watch.stop()
  return asked
}

const agesAt = (time: number): QuoteAges => ({ compactBefore: time - DAY_MS, dropBefore: time - 30 * DAY_MS })

test('quotes are compacted a day and purged 30 days after they were made', async () => {
  assert.deepEqual(await purged(NOW, NOW - 1000), [agesAt(NOW - 1000)])
})

test('a clock that is 31 days ahead of the chains purges and compacts nothing that was answered', async () => {
  assert.deepEqual(await purged(NOW + 31 * DAY_MS, NOW), [agesAt(NOW)])
})

test('chains that are ahead of the clock purge and compact nothing earlier', async () => {
  assert.deepEqual(await purged(NOW, NOW + 31 * DAY_MS), [agesAt(NOW)])
})

test('nothing is purged while no chain tells the time', async () => {
  assert.deepEqual(await purged(NOW, undefined), [])
})
