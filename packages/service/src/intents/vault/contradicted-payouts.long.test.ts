import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { openOwnStore } from '../../../test/outbox-world.ts'
import { DAILY_LIMIT, openTestVault } from '../../../test/test-vault.ts'
import type { Payment } from '../../core/payment.ts'

const SETTLING_SECONDS = 20
const OVER_SECONDS = 120

let files: Awaited<ReturnType<typeof openOwnStore>>
before(async () => {
  files = await openOwnStore()
})
after(() => files.remove())

const open = () => openTestVault(files.store())

type World = Awaited<ReturnType<typeof open>>

/** What a vault owes, and the chain whose endpoint contradicts the fact that it rests on. */
const PAYOUTS: Readonly<
  Record<string, { readonly by: 'origin' | 'destination'; readonly owe: (world: World) => Promise<void> }>
> = {
  'a release whose deposit an endpoint denies': {
    by: 'origin',
    owe: async (world) => {
      const { orderId, muxedId } = await world.quote()
      world.origin.pay(world.deposit({ muxedId }))
      world.destination.pay(world.fill(orderId))
    },
  },
  'a release whose fill an endpoint denies': {
    by: 'destination',
    owe: async (world) => {
      const { orderId, muxedId } = await world.quote()
      world.origin.pay(world.deposit({ muxedId }))
      world.destination.pay(world.fill(orderId))
    },
  },
  'a refund whose deposit an endpoint denies': {
    by: 'origin',
    owe: async (world) => {
      const { muxedId } = await world.quote()
      world.origin.pay(world.deposit({ muxedId }))
    },
  },
  'a refund of an order whose fill an endpoint reports': {
    by: 'destination',
    owe: async (world) => {
      const { muxedId } = await world.quote()
      world.origin.pay(world.deposit({ muxedId }))
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
  const { orderId, muxedId } = await world.quote()
  world.origin.pay(world.deposit({ muxedId }))
  world.origin.pay(world.deposit({ muxedId, from: 'stranger', amount: 1n }))
  // The service asks about every stored payment once, including this one.
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
  world.origin.pay(world.deposit({ muxedId: held.muxedId }))
  world.destination.pay(world.fill(held.orderId))
  world.destination.setContradicted(true)
  await world.pass(SETTLING_SECONDS)
  world.origin.pay(world.deposit({ amount: 77n }))
  await world.pass(SETTLING_SECONDS)
  assert.deepEqual(world.paid(), [['depositor', 'token', 76n]])
})

test('signs an expired payout again only when no endpoint denies what it rests on', async () => {
  const world = await open()
  await world.pass(SETTLING_SECONDS)
  const { orderId, muxedId } = await world.quote()
  world.origin.pay(world.deposit({ muxedId }))
  await world.pass(5)
  world.origin.setIncluding(false)
  world.destination.pay(world.fill(orderId))
  const payout = () => files.store().findPayout(`release:${orderId}`)
  for (let second = 0; second < SETTLING_SECONDS && (await payout()) === undefined; second += 1)
    await world.pass(1)
  const signed = await payout()
  assert.equal(signed?.outcome, 'open')
  world.destination.setContradicted(true)
  await world.pass(3 * SETTLING_SECONDS)
  assert.deepEqual(await payout(), signed)
  world.destination.setContradicted(false)
  world.origin.setIncluding(true)
  await world.pass(2 * SETTLING_SECONDS)
  assert.deepEqual((await payout())?.earlierTxHashes, [signed?.txHash])
  assert.deepEqual(world.paid(), [['solver', 'token', 1_000n]])
})

test('pays other obligations while an endpoint is slow to answer about one', async () => {
  const world = await open()
  await world.pass(SETTLING_SECONDS)
  world.origin.pay(world.deposit({ amount: 77n }))
  world.origin.pay(world.deposit({ amount: 78n }))
  for (let second = 0; second < 4; second += 1) {
    await world.service.facts.round()
    world.origin.advance()
  }
  const { chain } = world.origin
  const { paymentStatements } = chain
  const slow = Promise.withResolvers<void>()
  Object.assign(chain, {
    paymentStatements: async (payment: Payment) => {
      if (payment.amount === 77n) await slow.promise
      return paymentStatements(payment)
    },
  })
  const round = world.service.operator.round()
  const open78 = async () =>
    (await files.store().listOpenPayouts(chain.chainId, 'vault')).map(({ amount }) => amount)
  await eventually('the other obligation is paid', async () => (await open78()).length > 0)
  assert.deepEqual(await open78(), [77n])
  slow.resolve()
  await round
  await world.pass(SETTLING_SECONDS)
  assert.deepEqual(
    world
      .paid()
      .map(([, , amount]) => amount)
      .toSorted(),
    [76n, 77n],
  )
})

test('keeps the daily limit for obligations that are due at once', async () => {
  const world = await open()
  await world.pass(SETTLING_SECONDS)
  for (const amount of [DAILY_LIMIT - 1n, DAILY_LIMIT - 2n, DAILY_LIMIT - 3n])
    world.origin.pay(world.deposit({ token: 'other', amount }))
  await world.pass(SETTLING_SECONDS)
  assert.equal(world.paid().length, 1)
})
