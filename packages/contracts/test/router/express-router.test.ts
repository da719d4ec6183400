import { after, before, test } from 'node:test'
import { ROUTER_CASES } from './cases.ts'
import { startWorld, type World } from './world.ts'

let world: World
let stop: () => Promise<void>
before(async () => {
  ;({ world, stop } = await startWorld())
})
after(() => stop())

for (const { name, run } of ROUTER_CASES) test(name, (t) => run(world, (text) => t.diagnostic(text)))
