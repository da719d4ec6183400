import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from 'openrfq/test/eventually.ts'
import { FEE_STROOPS } from './altered-deposits.ts'
import { openBooks } from './attack-books.ts'
import { type FamiliesWorld, startFamiliesWorld } from './families-world.ts'
import { createFloodScene, LUMEN, OPERATIONS } from './flood-scene.ts'

const QUARTER = 25
/** What the vault keeps of returned lumens that name no order, in stroops. */
const KEPT = 10_000n
/** Too few stroops to be returned, and enough. */
const [DUST, RETURNED] = [1_000n, LUMEN / 10n]
/** `payment-floods.soak` makes 14,000. */
const FLOOD = 2_000
/** Returns that were under way when the order's fill was seen, and those signed before the co-signer saw it, too. */
const MOST_RETURNS_MEANWHILE = 25

let world: FamiliesWorld
let scene: ReturnType<typeof createFloodScene>
before(async () => {
  world = await startFamiliesWorld()
  scene = createFloodScene(world)
})
after(() => world?.stop())

for (const [name, stroops, returned] of [
  ['a hundred payments of dust', DUST, 0n],
  ['a hundred payments that have to be returned', RETURNED, RETURNED - KEPT],
] as const)
  test(`an order is paid out before the returns after ${name} in one transaction`, async (context) => {
    const attacker = await scene.openAttacker()
    const held = () => scene.lumensOf(attacker.publicKey())
    const books = await openBooks(async () => ({ attacker: await held() }))
    await scene.payAHundredTimes(attacker, stroops)
    const startedAt = performance.now()
    const paid = books.start.attacker - BigInt(OPERATIONS) * (stroops + FEE_STROOPS)
    let heldAtDone = 0n
    await scene.payHonestly(context, 0, async () => {
      heldAtDone = await held()
    })
    if (returned > 0n) {
      const meanwhile = ((await held()) - heldAtDone) / returned
      context.diagnostic(`${meanwhile} returns to the attacker between DONE and the honest payouts`)
      assert.ok(meanwhile <= MOST_RETURNS_MEANWHILE, `${meanwhile} returns`)
      for (let some = QUARTER; some <= OPERATIONS; some += QUARTER)
        await eventually(
          `${some} payments are returned`,
          async () => (await held()) >= paid + BigInt(some) * returned,
          1_000,
        )
      context.diagnostic(`a hundred returns took ${Math.round((performance.now() - startedAt) / 1_000)} s`)
    }
    const { attacker: change } = await books.print(context)
    assert.equal(change, BigInt(OPERATIONS) * (returned - stroops - FEE_STROOPS))
  })

test('orders are paid out during and after 2,000 payments of one stroop, which cost the attacker their fees', async (context) => {
  await scene.payHonestly(context, 1)
  const flooders = await scene.openFlooders()
  const books = await openBooks(async () => ({
    attacker: await flooders.hold(),
    vault: await scene.lumensOf(scene.vault),
  }))
  const startedAt = performance.now()
  const flood = flooders.flood(FLOOD)
  await scene.payHonestly(context, 2)
  await flood
  context.diagnostic(`${FLOOD} payments in ${Math.round((performance.now() - startedAt) / 1_000)} s`)
  await scene.payHonestly(context, 3)
  const { attacker, vault: gained } = await books.print(context)
  assert.equal(attacker, -BigInt(FLOOD) * (1n + FEE_STROOPS))
  // Its channels pay the fees of payouts, and it one in five.
  assert.ok(gained <= BigInt(FLOOD) && gained > BigInt(FLOOD) - LUMEN / 100n, `${gained} stroops`)
})
