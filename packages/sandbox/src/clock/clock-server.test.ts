import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type FollowedClock, followClock } from 'openrfq/lib/follow-clock'
import { type ClockServer, startClockServer } from './clock-server.ts'

const quiet = (): void => undefined
const HOUR_MS = 3_600_000
/** A machine whose time stands still. */
const MACHINE = { now: () => 1_790_000_000_000, steady: () => 5 }

const start = async (context: TestContext, absentMs?: number): Promise<ClockServer> => {
  const server = await startClockServer(quiet, absentMs)
  context.after(() => server.stop())
  return server
}

const follow = async (
  context: TestContext,
  { url }: Pick<ClockServer, 'url'>,
  processName = 'one',
): Promise<FollowedClock> => {
  const clock = await followClock({ url, processName, clock: MACHINE, log: quiet })
  context.after(() => clock.stop())
  return clock
}

/** The clock's lead over the machine's time, in seconds. */
const aheadOf = ({ now }: Pick<FollowedClock, 'now'>): number => (now() - MACHINE.now()) / 1000

test('every process that follows the clock has the new time when the move resolves', async (context) => {
  const server = await start(context)
  const clocks = await Promise.all(
    ['service', 'solver', 'attester'].map((name) => follow(context, server, name)),
  )
  for (const hours of [1, 2, 700]) {
    await server.move(hours * HOUR_MS)
    assert.deepEqual(
      clocks.map(aheadOf),
      clocks.map(() => hours * 3_600),
    )
  }
  assert.ok(clocks.every(({ steady }) => steady() === MACHINE.steady()))
})

test('a process that starts later uses the moved time from its start', async (context) => {
  const server = await start(context)
  await server.move(HOUR_MS)
  assert.equal(aheadOf(await follow(context, server)), 3_600)
})

test("a network without a clock uses the machine's time", async (context) => {
  const clock = await followClock({ url: undefined, processName: 'one', clock: MACHINE, log: quiet })
  context.after(() => clock.stop())
  assert.equal(aheadOf(clock), 0)
})

test('a move waits for a process that is slow to apply the new time', async (context) => {
  const server = await start(context, 300_000)
  const ask = (offset: number): Promise<Response> =>
    fetch(`${server.url}?process=slow&offset=${offset}`, { signal: AbortSignal.timeout(120_000) })
  await server.move(1)
  // The answer shows that the server knows the process.
  assert.deepEqual(await (await ask(0)).json(), { offsetMs: 1 })
  let isOver = false
  const move = server.move(HOUR_MS).then(() => {
    isOver = true
  })
  assert.deepEqual(await (await ask(1)).json(), { offsetMs: HOUR_MS })
  await delay(100)
  assert.equal(isOver, false)
  const held = ask(HOUR_MS).catch(() => undefined)
  await move
  await server.stop()
  await held
})

test('a move does not wait for a process that ended or stopped asking', async (context) => {
  const server = await start(context, 200)
  const ended = await follow(context, server, 'ended')
  await ended.stop()
  const [silent] = await Promise.all([
    fetch(`${server.url}?process=silent&offset=0`, { signal: AbortSignal.timeout(120_000) }),
    delay(50).then(() => server.move(HOUR_MS)),
  ])
  assert.deepEqual(await silent.json(), { offsetMs: HOUR_MS })
  const clock = await follow(context, server, 'alive')
  await server.move(2 * HOUR_MS)
  while (aheadOf(clock) < 7_200) await delay(10)
})

test('the clock continues from its moved time after the sandbox restarts', async (context) => {
  const offsets = [HOUR_MS, 0, 0, 2 * HOUR_MS]
  const server = createServer((_, response) => {
    const offsetMs = offsets.shift()
    if (offsetMs === undefined) return
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ offsetMs }))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  context.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  const clock = await follow(context, { url: `http://127.0.0.1:${address.port}` })
  while (offsets.length > 0) {
    assert.ok(aheadOf(clock) >= 3_600)
    await delay(10)
  }
  while (aheadOf(clock) < 7_200) await delay(10)
})

test("a process does not start when its network's clock gives no valid answer", async (context) => {
  const answers = ['{"offsetMs":-1}', '{"offsetMs":1.5}', '{}', 'null', '{"offsetMs":"3600000"}', 'no JSON']
  const server = createServer((_, response) => void response.end(answers.at(-1)))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  context.after(() => server.closeAllConnections())
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  const url = `http://127.0.0.1:${address.port}`
  for (; answers.length > 0; answers.pop())
    await assert.rejects(follow(context, { url }), /sandboxClock: http:.* does not answer/, answers.at(-1))
  await new Promise((resolve) => server.close(resolve))
  await assert.rejects(follow(context, { url }), /sandboxClock: http:.* does not answer/)
})

test('refuses malformed requests and more than 256 processes', async (context) => {
  const server = await start(context)
  const status = async (query: string, method = 'GET'): Promise<number> =>
    (await fetch(`${server.url}${query}`, { method, signal: AbortSignal.timeout(120_000) })).status
  for (const query of [
    '',
    '?process=',
    '?process=a&offset=-1',
    '?process=a&offset=1.5',
    '?process=a&offset=x',
    '/x?process=a',
  ])
    assert.equal(await status(query), 400, query)
  assert.equal(await status('?process=a', 'POST'), 400)
  for (let index = 0; index < 256; index += 1) assert.equal(await status(`?process=${index}`), 200)
  assert.equal(await status('?process=256'), 429)
})
