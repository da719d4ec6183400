import { after, before, test } from 'node:test'
import { CASES } from './cases.ts'
import { SETTLER_ARTIFACT, startSides, type World, withSettler } from './world.ts'

let world: World
let stop: () => Promise<void>
before(async () => {
  const started = await startSides()
  stop = started.stop
  world = await withSettler(started.sides, SETTLER_ARTIFACT.bytecode)
})
after(() => stop())

for (const { name, run } of CASES) test(name, (t) => run(world, (text) => t.diagnostic(text)))
