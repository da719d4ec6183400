import { after, before, test } from 'node:test'
import { startAttestedChain } from '@openrfq/sandbox/test/attested-world.ts'
import fc from 'fast-check'
import { openSoak } from 'openrfq/test/soak.ts'
import { walk, walkArbitrary } from './attested-walk.ts'
import { type Started, type World, worldOf } from './attested-world.ts'

const { seed, of } = openSoak()
const WALKS = of(60)
/** A minute for each walk; shrinking a failure to its smallest walk ends here too. */
const LIMIT_MS = WALKS * 60_000

let started: Started
let world: World
before(async () => {
  started = await startAttestedChain()
  world = await worldOf(started)
})
after(() => started.stop())

test('in every sequence of calls value is conserved, an order is filled once at most and released or refunded but never both', async () => {
  await fc.assert(
    fc.asyncProperty(walkArbitrary, (steps) => walk(world, steps)),
    { numRuns: WALKS, seed, interruptAfterTimeLimit: LIMIT_MS, markInterruptAsFailure: true },
  )
})
