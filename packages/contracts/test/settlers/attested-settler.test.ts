import { after, before, test } from 'node:test'
import { startAttestedChain } from '@openrfq/sandbox/test/attested-world.ts'
import { ATTESTED_CASES } from './attested-cases.ts'
import { ATTESTED_FILL_CASES } from './attested-fill-cases.ts'
import { type World, worldOf } from './attested-world.ts'

let world: World
let stop: () => Promise<void>
before(async () => {
  const started = await startAttestedChain()
  stop = started.stop
  world = await worldOf(started)
})
after(() => stop())

for (const { name, run } of [...ATTESTED_CASES, ...ATTESTED_FILL_CASES]) test(name, () => run(world))
