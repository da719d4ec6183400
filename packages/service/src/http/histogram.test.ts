import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Histogram, Registry } from 'prom-client'
import { createHistogram } from './histogram.ts'

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const seconds = fc.oneof(fc.constantFrom(...BUCKETS), fc.double({ min: 0, max: 20, noNaN: true }))

test("a histogram's text equals prom-client's for the same observations", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom('its', 'intent'), seconds)), async (observed) => {
      const registry = new Registry()
      const [name, help] = ['a_seconds', 'Time.']
      const theirs = new Histogram({
        name,
        help,
        labelNames: ['backend'],
        buckets: BUCKETS,
        registers: [registry],
      })
      const ours = createHistogram(name, help)
      for (const [backend, value] of observed) {
        theirs.observe({ backend }, value)
        ours.observe(`backend="${backend}"`, value)
      }
      assert.equal(`${ours.text()}\n`, await registry.metrics())
    }),
  )
})
