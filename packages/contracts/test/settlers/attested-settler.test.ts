import { after, before, test } from 'node:test'
import { ATTESTED_CASES } from './attested-cases.ts'
import { ATTESTED_FILL_CASES } from './attested-fill-cases.ts'
import { ATTESTED_ARTIFACT, startChain, type World, withSettler } from './attested-world.ts'

let world: World
let stop: () => Promise<void>
before(async () => {
  const started = await startChain()
  stop = started.stop
  world = await withSettler(started, ATTESTED_ARTIFACT.bytecode)
})
after(() => stop())

for (const { name, run } of [...ATTESTED_CASES, ...ATTESTED_FILL_CASES]) test(name, () => run(world))
