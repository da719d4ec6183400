import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics, type LabelledCount } from './metrics.ts'

test('metrics are answered when the first value of a labelled one comes after the start, and without those that are gone', async () => {
  const metrics = createMetrics()
  const values: LabelledCount[] = []
  metrics.watchValues('openrfq_test_value', 'A value.', ['chain'], () => values)
  metrics.watchCounts('openrfq_test_total', 'A count.', ['chain'], () => values)
  assert.doesNotMatch(await metrics.text(), /^openrfq_test_\w+\{/m)
  values.push({ labels: { chain: 'eip155:1' }, count: 2 })
  const text = await metrics.text()
  assert.match(text, /^openrfq_test_value\{chain="eip155:1"\} 2$/m)
  assert.match(text, /^openrfq_test_total\{chain="eip155:1"\} 2$/m)
  values.length = 0
  assert.doesNotMatch(await metrics.text(), /^openrfq_test_\w+\{/m)
})
