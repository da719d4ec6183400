import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSoak } from 'openrfq/test/soak.ts'
import { FEE_STROOPS } from './altered-deposits.ts'
import { openBooks } from './attack-books.ts'
import { type FamiliesWorld, startFamiliesWorld } from './families-world.ts'
import { createFloodScene } from './flood-scene.ts'

const { of } = openSoak()
const PAYMENTS = of(14_000)

let world: FamiliesWorld
let scene: ReturnType<typeof createFloodScene>
before(async () => {
  world = await startFamiliesWorld()
  scene = createFloodScene(world)
})
after(() => world?.stop())

test(`orders are paid out during and after ${PAYMENTS} payments of one stroop to the vault`, async (context) => {
  await scene.payHonestly(context, 1)
  const flooders = await scene.openFlooders()
  const books = await openBooks(async () => ({
    attacker: await flooders.hold(),
    vault: await scene.lumensOf(scene.vault),
  }))
  const startedAt = performance.now()
  let isOver = false
  const flood = flooders.flood(PAYMENTS).finally(() => {
    isOver = true
  })
  for (let user = 2; !isOver; user = user === 2 ? 3 : 2) await scene.payHonestly(context, user)
  const made = BigInt(await flood)
  context.diagnostic(`${made} payments in ${Math.round((performance.now() - startedAt) / 1_000)} s`)
  await scene.payHonestly(context, 4)
  const { attacker } = await books.print(context)
  assert.equal(attacker, -made * (1n + FEE_STROOPS))
})
