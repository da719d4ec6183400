import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openOwnStore } from '../../../test/outbox-world.ts'
import { createTestVault, passSeconds } from '../../../test/test-vault.ts'
import type { Payment } from '../../core/payment.ts'

const SETTLING_SECONDS = 20
const OVER_SECONDS = 120

let files: Awaited<ReturnType<typeof openOwnStore>>
before(async () => {
  files = await openOwnStore()
})
after(() => files.remove())

const open = async () => {
  const world = createTestVault(files.store())
  const service = world.startService()
  await service.facts.round()
  return { ...world, service, pass: (seconds: number) => passSeconds(world, service, seconds) }
}

type World = Awaited<ReturnType<typeof open>>

/** What a vault owes, and the chain whose endpoint contradicts the fact that it rests on. */
const PAYOUTS: Readonly<
  Record<string, { readonly by: 'origin' | 'destination'; readonly owe: (world: World) => Promise<void> }>
> = {
  'a release whose deposit an endpoint denies': {
    by: 'origin',
    owe: async (world) => {
      const { orderId, memo } = await world.quote()
      world.origin.pay(world.deposit({ memo }))
      world.destination.pay(world.fill(orderId))
    },
  },
  'a release whose fill an endpoint denies': {
    by: 'destination',
    owe: async (world) => {
      const { orderId, memo } = await world.quote()
      world.origin.pay(world.deposit({ memo }))
      world.destination.pay(world.fill(orderId))
    },
  },
  'a refund whose deposit an endpoint denies': {
    by: 'origin',
    owe: async (world) => {
      const { memo } = await world.quote()
      world.origin.pay(world.deposit({ memo }))
    },
  },
  'a refund of an order whose fill an endpoint reports': {
    by: 'destination',
    owe: async (world) => {
      const { memo } = await world.quote()
      world.origin.pay(world.deposit({ memo }))
    },
  },
  'a return of an unmatched deposit that an endpoint denies': {
    by: 'origin',
    owe: async (world) => {
      world.origin.pay(world.deposit({ amount: 77n }))
    },
  },
}

const countOf = (world: World, event: string): number =>
  world.lines.filter((line) => line.endsWith(event)).length

for (const [name, { by, owe }] of Object.entries(PAYOUTS))
  test(`holds ${name}, and makes it when the contradiction ends`, async () => {
    const world = await open()
    world[by].setContradicted(true)
    await owe(world)
    await world.pass(SETTLING_SECONDS)
    world.origin.advance(OVER_SECONDS)
    world.destination.advance(OVER_SECONDS)
    await world.pass(SETTLING_SECONDS)
    assert.deepEqual(world.paid(), [])
    assert.deepEqual(world.service.factCheck.held(), [world[by].chain.chainId])
    assert.equal(countOf(world, ' payment_contradicted'), 1)
    world[by].setContradicted(false)
    await world.pass(SETTLING_SECONDS)
    assert.equal(world.paid().length, 1)
    assert.deepEqual(world.service.factCheck.held(), [])
    assert.equal(countOf(world, ' payment_not_contradicted'), 1)
  })

test('asks about the credited deposits only', async () => {
  const world = await open()
  const { orderId, memo } = await world.quote()
  world.origin.pay(world.deposit({ memo }))
  world.origin.pay(world.deposit({ memo, from: 'stranger', amount: 1n }))
  // Every stored payment is asked about once, whatever it is for.
  await world.pass(SETTLING_SECONDS)
  world.destination.pay(world.fill(orderId))
  const { chain } = world.origin
  const { paymentStatements } = chain
  const asked: bigint[] = []
  Object.assign(chain, {
    paymentStatements: (payment: Payment) => {
      asked.push(payment.amount)
      return paymentStatements(payment)
    },
  })
  await world.pass(SETTLING_SECONDS)
  assert.deepEqual(world.paid(), [['solver', 'token', 1_000n]])
  assert.deepEqual([...new Set(asked)], [1_000n])
})

test('pays other obligations while one is held', async () => {
  const world = await open()
  const held = await world.quote()
  world.origin.pay(world.deposit({ memo: held.memo }))
  world.destination.pay(world.fill(held.orderId))
  world.destination.setContradicted(true)
  await world.pass(SETTLING_SECONDS)
  world.origin.pay(world.deposit({ amount: 77n }))
  await world.pass(SETTLING_SECONDS)
  assert.deepEqual(world.paid(), [['depositor', 'token', 77n]])
})
