import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openOwnStore } from '../../../test/outbox-world.ts'
import { createTestVault, passSeconds } from '../../../test/test-vault.ts'
import { baseUnits } from '../../core/amount.ts'
import type { Store } from '../../store/store.ts'

const ANSWERS = 6_000
const PAYMENTS = 1_000

let files: Awaited<ReturnType<typeof openOwnStore>>
before(async () => {
  files = await openOwnStore()
})
after(() => files.remove())

/** A store that counts the quotes read from it. */
const counting = (store: Store) => {
  const read = { quotes: 0, lists: 0 }
  const counted: Store = {
    ...store,
    listQuotesSince: async (...query) => {
      const quotes = await store.listQuotesSince(...query)
      read.quotes += quotes.length
      read.lists += 1
      return quotes
    },
  }
  return { read, counted }
}

const flooded = async () => {
  const world = createTestVault(files.store())
  const { read, counted } = counting(files.store())
  const service = world.startService(counted)
  await service.facts.round()
  for (let answer = 0; answer < ANSWERS; answer += 1) {
    if (answer % 200 === 0) world.origin.advance()
    await world.quote()
  }
  return { world, service, read }
}

test('payments of dust without a memo read no quotes', async () => {
  const { world, service, read } = await flooded()
  for (let batch = 0; batch < 10; batch += 1)
    world.origin.pay(...Array.from({ length: PAYMENTS / 10 }, () => world.deposit({ amount: 1n })))
  await passSeconds(world, service, 5)
  assert.deepEqual(read, { quotes: 0, lists: 0 })
  assert.deepEqual(world.paid(), [])
})

test('reads every quote once for all payments without a memo, and finds the right one', async () => {
  const { world, service, read } = await flooded()
  const wanted = await world.quote({ depositor: 'careful', inputAmount: baseUnits(7_777n) })
  for (let second = 0; second < 10; second += 1)
    world.origin.pay(
      ...Array.from({ length: PAYMENTS / 10 }, (_, index) => world.deposit({ amount: 20n + BigInt(index) })),
    )
  world.origin.pay(world.deposit({ from: 'careful', amount: 7_777n }))
  await passSeconds(world, { ...service, operator: { ...service.operator, round: async () => {} } }, 5)
  assert.equal((await files.store().findPayments(wanted.orderId)).length, 1)
  assert.ok(read.quotes <= 3 * ANSWERS, `${read.quotes} quotes were read`)
})
