import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClockComparison } from './clock-comparison.ts'

const NOW = 1_800_000_000_000
const DAY = 86_400

/** A chain whose newest block is so many seconds old; undefined for one that cannot be read. */
const chain = (age: number | undefined, isAhead = false) => ({
  head: () => (age === undefined ? undefined : { timestampSeconds: NOW / 1000 - age }),
  isAheadOfClock: () => isAhead,
})
const unread = chain(undefined)
const ahead = chain(undefined, true)

for (const [name, chains, fault] of [
  ['all chains are new', [chain(0), chain(12)], undefined],
  ['one chain stands still', [chain(31 * DAY), chain(12)], undefined],
  ['all blocks are 31 days old', [chain(31 * DAY), chain(31 * DAY), unread], 'ahead_of_chains'],
  ['all blocks are 300 seconds old', [chain(300), chain(301)], undefined],
  ['all blocks are older than that', [chain(301), chain(302)], 'ahead_of_chains'],
  ['one chain is ahead of the clock', [ahead, chain(0)], undefined],
  ['all chains that answer are ahead of the clock', [ahead, ahead, unread], 'behind_chains'],
  ['no chain answers', [unread, unread], undefined],
  ['there are no chains', [], undefined],
] as const)
  test(`the clock is ${fault ?? 'right'} when ${name}`, () => {
    const compare = createClockComparison({
      chains,
      clock: { now: () => NOW, steady: () => 0 },
      graceMs: 0,
    })
    assert.equal(compare(), fault)
  })

test('a difference that a moved clock makes counts only when it lasts, one at the start counts at once', () => {
  let [age, steady] = [31 * DAY, 0]
  const compare = createClockComparison({
    chains: [{ head: () => ({ timestampSeconds: NOW / 1000 - age }), isAheadOfClock: () => false }],
    clock: { now: () => NOW, steady: () => steady },
    graceMs: 5_000,
  })
  assert.equal(compare(), 'ahead_of_chains')
  age = 0
  assert.equal(compare(), undefined)
  age = DAY
  steady += 4_999
  assert.equal(compare(), undefined)
  steady += 1
  assert.equal(compare(), 'ahead_of_chains')
  age = 1
  assert.equal(compare(), undefined)
})
