import { after, before, test } from 'node:test'
import { ROUTER_CASES } from './cases.ts'
import { startSides, type World, withRouter } from './world.ts'

let world: World
let stop: () => Promise<void>
before(async () => {
  const started = await startSides()
  stop = started.stop
  world = await withRouter(started.sides)
})
after(() => stop())

for (const { name, run } of ROUTER_CASES) test(name, (t) => run(world, (text) => t.diagnostic(text)))
