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
