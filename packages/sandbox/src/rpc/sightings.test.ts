import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpointLife } from './lateness.ts'
import { createSightings } from './sightings.ts'

const withClock = (blockMs: (number: number) => number, logsMs: (number: number) => number = () => 0) => {
  let time = 0
  const sightings = createSightings({ blockMs, logsMs }, () => time)
  return {
    ...sightings,
    at: (next: number) => {
      time = next
    },
  }
}

test('an endpoint learns of a block late, and never runs more than two blocks behind', () => {
  const seen = withClock(() => 1000)
  seen.saw(10, false)
  assert.equal(seen.view(), 10)
  seen.saw(11, false)
  assert.equal(seen.view(), 10)
  seen.saw(14, false)
  assert.equal(seen.view(), 12)
  seen.at(1000)
  assert.equal(seen.view(), 14)
})

test('only a fork takes an endpoint back to an earlier block', () => {
  const seen = withClock((number) => (number === 12 ? 0 : 1000))
  seen.saw(11, false)
  seen.saw(12, false)
  assert.equal(seen.view(), 12)
  seen.saw(13, false)
  assert.equal(seen.view(), 12)
  seen.saw(12, true)
  assert.equal(seen.view(), 12)
  seen.saw(9, true)
  assert.equal(seen.view(), 9)
})

test('a frozen endpoint stays where it is until it is let go', () => {
  const seen = withClock(() => 0)
  seen.saw(5, false)
  seen.freeze(true)
  seen.saw(9, false)
  assert.equal(seen.view(), 5)
  seen.freeze(false)
  assert.equal(seen.view(), 9)
})

test('the logs of a block that has just become known are missing for a moment', () => {
  const seen = withClock(
    () => 0,
    () => 300,
  )
  seen.saw(5, false)
  seen.at(1000)
  seen.saw(6, false)
  assert.equal(seen.isFresh(), true)
  seen.at(1300)
  assert.equal(seen.isFresh(), false)
})

test("a chain's endpoints are late in different ways, alike in every run, and restart one at a time", () => {
  const lives = [0, 1, 2].map((endpoint) => endpointLife(7, 0, endpoint))
  const again = endpointLife(7, 0, 0)
  const late = lives.map(({ lateness }) => Array.from({ length: 50 }, (_, block) => lateness.blockMs(block)))
  assert.equal(new Set(late.map(String)).size, 3)
  assert.deepEqual(
    late[0],
    Array.from({ length: 50 }, (_, block) => again.lateness.blockMs(block)),
  )
  let restarts = 0
  for (let at = 0; at < 600_000; at += 100) {
    const down = lives.filter(({ isRestarting }) => isRestarting(at)).length
    assert.ok(down <= 1)
    restarts += down
  }
  assert.ok(restarts >= 6 * 7, `${restarts}`)
})
