import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createThrottledLog } from './throttled-log.ts'

test('writes a repeated fault every thirty seconds, and a fault elsewhere or a success at once', () => {
  const lines: string[] = []
  let at = 0
  const log = createThrottledLog(
    (_, message, fields) => lines.push(`${message} ${fields?.['chainId']}`),
    () => at,
  )
  for (at = 0; at < 60_000; at += 500) {
    log('warn', 'down', { chainId: 'a', error: new Error(`${at}`) })
    if (at === 1_000) log('warn', 'down', { chainId: 'b' })
    if (at < 1_000) log('info', 'done', { chainId: 'a' })
  }
  assert.deepEqual(lines, ['down a', 'done a', 'done a', 'down b', 'down a'])
})

test('a condition that begins again within thirty seconds is written once it has lasted, or not at all', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const lines: string[] = []
  const log = createThrottledLog(
    (_, event, fields) => lines.push(`${event} ${fields?.['endpoint']}`),
    Date.now,
  )
  const down = (): void => log('warn', 'rpc_endpoint_put_aside', { chainId: 'a', endpoint: 0, reason: 'x' })
  const up = (): void => log('info', 'rpc_endpoint_recovered', { chainId: 'a', endpoint: 0 })
  const read = (): string[] => lines.splice(0)
  down()
  context.mock.timers.tick(6_000)
  up()
  assert.deepEqual(read(), ['rpc_endpoint_put_aside 0', 'rpc_endpoint_recovered 0'])
  for (let count = 0; count < 3; count += 1) {
    down()
    context.mock.timers.tick(1_000)
    up()
  }
  assert.deepEqual(read(), [])
  down()
  context.mock.timers.tick(50_000)
  assert.deepEqual(read(), ['rpc_endpoint_put_aside 0'])
  up()
  assert.deepEqual(read(), ['rpc_endpoint_recovered 0'])
})

test('each `recovered` line follows a line that tells of the failure, at any length of both', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  for (const [upMs, downMs] of [
    [1_000, 40_000],
    [40_000, 1_000],
    [6_000, 6_000],
    [29_999, 29_999],
    [30_000, 1],
  ] as const) {
    const lines: string[] = []
    const log = createThrottledLog((_, event) => lines.push(event), Date.now)
    for (let round = 0; round < 20; round += 1) {
      log('warn', 'gateway_limit_read_failed', { chainId: 'a', error: new Error(`${round}`) })
      context.mock.timers.tick(downMs)
      log('info', 'gateway_limit_read_recovered', { chainId: 'a' })
      context.mock.timers.tick(upMs)
    }
    assert.ok(lines.length >= 2)
    lines.forEach((event, index) => {
      assert.equal(event, `gateway_limit_read_${index % 2 === 0 ? 'failed' : 'recovered'}`)
    })
  }
})
