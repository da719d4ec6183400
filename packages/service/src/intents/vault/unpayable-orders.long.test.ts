import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openOwnStore } from '../../../test/outbox-world.ts'
import { openTestVault } from '../../../test/test-vault.ts'

const ORDERS = 40
const OVER_SECONDS = 110
const MINUTES = 10

let files: Awaited<ReturnType<typeof openOwnStore>>
before(async () => {
  files = await openOwnStore()
})
after(() => files.remove())

test('orders whose depositors cannot be paid back cost few questions to the endpoints, and delay no other order', async (t) => {
  const world = await openTestVault(files.store())
  let questions = 0
  for (const { chain } of [world.origin, world.destination]) {
    const { paymentStatements, absenceStatements } = chain
    Object.assign(chain, {
      paymentStatements: (...asked: Parameters<typeof paymentStatements>) => {
        questions += 1
        return paymentStatements(...asked)
      },
      absenceStatements: (...asked: Parameters<typeof absenceStatements>) => {
        questions += 1
        return absenceStatements(...asked)
      },
    })
  }
  world.origin.close('gone')
  for (let count = 0; count < ORDERS; count += 1) {
    const { muxedId } = await world.quote({ depositor: 'gone' })
    world.origin.pay(world.deposit({ from: 'other', muxedId }))
  }
  await world.pass(OVER_SECONDS)
  questions = 0
  await world.pass(MINUTES * 60)
  t.diagnostic(`${questions / ORDERS} questions for each order in ${MINUTES} minutes`)
  assert.ok(questions <= ORDERS * MINUTES, `${questions} questions`)

  const honest = await world.quote()
  world.origin.pay(world.deposit({ muxedId: honest.muxedId }))
  await world.pass(3)
  world.destination.pay(world.fill(honest.orderId))
  await world.pass(12)
  assert.deepEqual(world.paid(), [['solver', 'token', 1_000n]])

  world.origin.reopen('gone')
  await world.pass(15 * 60)
  assert.equal(world.paid().filter(([to]) => to === 'gone').length, ORDERS)
})
