import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSteadyClock } from './steady-clock.ts'

const AT = Date.parse('2026-11-26T12:00:00.000Z')
const HOUR_MS = 3_600_000

/** A device that lives for some time, sleeps, and whose time of day is set. */
const deviceOf = () => {
  let [passed, slept, setBy] = [0, 0, 0]
  const clock = createSteadyClock(
    () => Math.floor(AT + passed + slept + setBy),
    () => passed,
  )
  return {
    clock,
    live: (ms: number) => (passed += ms),
    sleep: (ms: number) => (slept += ms),
    set: (ms: number) => (setBy += ms),
    /** By how much the clock is ahead of the time that has passed. */
    ahead: () => clock() - (AT + passed + slept),
  }
}

test('goes on during sleep', () => {
  const { live, sleep, ahead } = deviceOf()
  live(10)
  sleep(HOUR_MS)
  assert.equal(ahead(), 0)
  live(10_000)
  assert.equal(ahead(), 0)
})

test('a time of day that is set back changes nothing, before or after sleep', () => {
  const { live, sleep, set, ahead } = deviceOf()
  live(5_000)
  set(-HOUR_MS)
  live(5_000)
  assert.equal(ahead(), 0)
  sleep(2 * HOUR_MS)
  assert.equal(ahead(), 0)
  set(-3 * HOUR_MS)
  assert.equal(ahead(), 0)
})

test('a time of day that is set forward is taken for sleep, and goes back with no later step', () => {
  const { live, set, ahead } = deviceOf()
  set(HOUR_MS)
  assert.equal(ahead(), HOUR_MS)
  set(-HOUR_MS)
  live(1_000)
  assert.equal(ahead(), HOUR_MS)
})

test('reading it often makes it no faster', () => {
  const { live, clock } = deviceOf()
  for (let reads = 0; reads < 10_000; reads += 1) {
    live(0.3)
    clock()
  }
  assert.ok(Math.abs(clock() - AT - 3_000) <= 1)
})
