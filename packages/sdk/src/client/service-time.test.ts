import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createServiceTime } from './service-time.ts'

const AT = Date.parse('2026-11-26T12:00:00.000Z')

/** A device, and a service whose clock is ahead of it and whose answers take some time each way. */
const worldOf = (aheadMs: number) => {
  const world = { device: AT, aheadMs, wayMs: 40, headers: {} as Record<string, string> }
  const time = createServiceTime(
    async () => {
      world.device += world.wayMs
      const date = new Date(world.device + world.aheadMs).toUTCString()
      world.device += world.wayMs
      return new Response('', { headers: { date, ...world.headers } })
    },
    () => world.device,
  )
  const isBehindBy = () => world.device + world.aheadMs - time.now()
  return { world, time, isBehindBy }
}

test('without an answer, and from one without a date, it is the device that tells the time', async () => {
  const { time, world } = worldOf(60_000)
  assert.equal(time.now(), AT)
  world.headers = { date: 'yesterday' }
  await time.fetch('')
  assert.equal(time.now(), world.device)
})

test('it is never behind the service, and the more answers there are, the less ahead', async () => {
  for (const aheadMs of [-7_200_000, -1, 0, 1, 90_000, 7_200_000]) {
    const { time, world, isBehindBy } = worldOf(aheadMs)
    for (let answers = 0; answers < 50; answers += 1) {
      world.device += 137
      await time.fetch('')
      assert.ok(isBehindBy() <= 0 && isBehindBy() >= -1_000 - world.wayMs, `${isBehindBy()} ms behind`)
    }
    assert.ok(isBehindBy() >= -150, `${isBehindBy()} ms behind`)
  }
})

test('a clock that is set while the page is open is noticed by the next answer', async () => {
  const { time, world, isBehindBy } = worldOf(90_000)
  await time.fetch('')
  world.device += 90_000
  world.aheadMs = 0
  await time.fetch('')
  assert.ok(isBehindBy() <= 0 && isBehindBy() >= -1_100)
})

test('an answer of a cache, whose date is old, tells no time', async () => {
  const { time, world } = worldOf(-3_600_000)
  world.headers = { 'cache-control': 'public, max-age=60' }
  await time.fetch('')
  assert.equal(time.now(), world.device)
})
