import { after, before, test } from 'node:test'
import { startSides, WORLD_ARTIFACTS } from '../settlers/world.ts'
import { FACTORY_CASES } from './factory-cases.ts'

let started: Awaited<ReturnType<typeof startSides>>
before(async () => {
  started = await startSides()
})
after(() => started.stop())

for (const { name, run } of FACTORY_CASES)
  test(name, () => {
    const [a, b] = started.sides
    return run({ a, b, bytecode: WORLD_ARTIFACTS.factory.bytecode })
  })
