import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openSoak } from 'openrfq/test/soak.ts'
import { counts, walk, walkArbitrary } from './escrow-walk.ts'

const { seed, of } = openSoak()
const WALKS = of(300)
/** Ten seconds for each walk; shrinking a failure to its smallest walk ends here too. */
const LIMIT_MS = WALKS * 10_000

test('in every sequence of calls an order on Solana is opened once at most, released or refunded but never both, and no lamport or token is lost', async () => {
  await fc.assert(fc.asyncProperty(walkArbitrary, walk), {
    numRuns: WALKS,
    seed,
    interruptAfterTimeLimit: LIMIT_MS,
    markInterruptAsFailure: true,
  })
})

test('the random walks on Solana covered every kind of step, succeeding and refused', (t) => {
  for (const kind of ['open', 'release', 'refund', 'decline', 'close'])
    for (const outcome of ['done', 'refused'])
      assert.ok(counts.get(`${kind} ${outcome}`), `no ${kind} ${outcome}`)
  t.diagnostic(JSON.stringify(Object.fromEntries(counts)))
})
