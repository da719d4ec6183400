import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../test/eventually.ts'
import { createWatch } from './watch.ts'

const DAY_MS = 86_400_000
const NOW = 1_790_000_000_000

/** The times before which a watch purged in its first rounds, by its clock and by the chains'. */
const purgedBefore = async (
  now: number,
  chainTimes: readonly (number | undefined)[],
): Promise<readonly number[]> => {
  const asked: number[] = []
  let rounds = 0
  const watch = createWatch({
    store: {
      listOpen: () => {
        rounds += 1
        return Promise.resolve([])
      },
      findQuote: () => Promise.resolve(undefined),
      purgeQuotes: (before) => {
        asked.push(before)
        return Promise.resolve(0)
      },
    },
    refresher: () => Promise.reject(new Error('nothing is open')),
    keeper: () => Promise.resolve(),
    needsMessage: new Set(),
    now: () => now,
    chainTime: () => chainTimes[Math.min(rounds, chainTimes.length) - 1],
    log: () => undefined,
  })
  await watch.start()
  await until(() => rounds >= chainTimes.length)
  await watch.stop()
  return asked
}

test('quotes are purged 30 days after they were made', async () => {
  assert.deepEqual(await purgedBefore(NOW, [NOW - 1000]), [NOW - 1000 - 30 * DAY_MS])
})

test('a clock that is 31 days ahead of the chains purges nothing that was answered', async () => {
  assert.deepEqual(await purgedBefore(NOW + 31 * DAY_MS, [NOW]), [NOW - 30 * DAY_MS])
})

test('chains that are ahead of the clock purge nothing earlier', async () => {
  assert.deepEqual(await purgedBefore(NOW, [NOW + 31 * DAY_MS]), [NOW - 30 * DAY_MS])
})

test('nothing is purged while no chain tells the time', async () => {
  assert.deepEqual(await purgedBefore(NOW, [undefined]), [])
})
