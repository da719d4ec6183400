import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAxelarApi } from '../../test/axelar-api.ts'
import { createMetrics } from '../http/metrics.ts'
import { createLcd } from '../protocols/axelar/lcd.ts'
import { watchAxelarCore } from './watch-axelar-core.ts'

const startedWith = async (coreVersion: string) => {
  const api = await startAxelarApi()
  Object.assign(api, { latencyMs: 0, coreVersion })
  const logged: unknown[] = []
  const log = (level: string, event: string, fields?: object) => void logged.push([level, event, fields])
  const metrics = createMetrics()
  const lcd = createLcd({ urls: api.url, now: () => 0, log })
  const watch = watchAxelarCore({ lcd, metrics, log })
  await watch.start()
  await watch.stop()
  api.stop()
  const gauge = /^openrfq_axelar_core_untested (\d)$/m.exec(await metrics.text())?.[1]
  return { logged, gauge }
}

test('a newer axelar-core than the newest one tested is a warning and a metric', async () => {
  assert.deepEqual(await startedWith('1.6.0'), {
    logged: [['warn', 'axelar_core_untested', { version: '1.6.0', tested: '1.5.0' }]],
    gauge: '1',
  })
  for (const version of ['1.5.0', 'v1.4.10'])
    assert.deepEqual(await startedWith(version), { logged: [], gauge: '0' })
})
