import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openOwnStore } from '../../../test/outbox-world.ts'
import { openTestVault } from '../../../test/test-vault.ts'

const SETTLING_SECONDS = 20

let files: Awaited<ReturnType<typeof openOwnStore>>
before(async () => {
  files = await openOwnStore()
})
after(() => files.remove())

test('a payout that a stranger wraps in a fee bump counts once, and the next depositor is paid', async () => {
  const world = await openTestVault(files.store())
  await world.service.operator.round()
  world.origin.setBumping(true)
  for (const from of ['one', 'another', 'a third']) {
    world.origin.pay(world.deposit({ from }))
    await world.pass(SETTLING_SECONDS)
  }
  assert.deepEqual(
    world.paid().map(([to]) => to),
    ['one', 'another', 'a third'],
  )
  assert.ok(!world.lines.includes('error vault_payouts_held'))
  const { chainId } = world.origin.chain
  assert.deepEqual(await files.store().listOpenPayouts(chainId, 'vault'), [])
})
