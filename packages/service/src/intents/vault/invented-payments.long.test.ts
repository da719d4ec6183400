import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openOwnStore } from '../../../test/outbox-world.ts'
import { openTestVault, unsettledDeposits } from '../../../test/test-vault.ts'
import { returnKey, returnMemo } from './obligations.ts'

const SETTLING_SECONDS = 20
const OVER_SECONDS = 120
/** Twelve looks, five seconds apart. */
const VOIDING_SECONDS = 70

let files: Awaited<ReturnType<typeof openOwnStore>>
before(async () => {
  files = await openOwnStore()
})
after(() => files.remove())

const open = async () => {
  const world = await openTestVault(files.store())
  await world.pass(SETTLING_SECONDS)
  const count = (event: string): number => world.lines.filter((line) => line.endsWith(` ${event}`)).length
  return { ...world, count }
}

test('a payout that two of three endpoints make up pays no order, which is paid when the lie ends', async () => {
  const world = await open()
  const { orderId, muxedId } = await world.quote()
  world.origin.pay(world.deposit({ muxedId }))
  world.origin.advance(3)
  world.origin.invent({ from: 'vault', to: 'solver', token: 'token', amount: 1_000n, memo: orderId })
  world.destination.pay(world.fill(orderId))
  await world.pass(VOIDING_SECONDS)
  assert.deepEqual([world.paid(), await files.store().findPayout(`release:${orderId}`)], [[], undefined])
  assert.deepEqual([world.count('stored_payment_denied'), world.count('stored_payment_voided')], [1, 0])
  world.origin.endInvention()
  await world.pass(VOIDING_SECONDS + SETTLING_SECONDS)
  assert.deepEqual(world.paid(), [['solver', 'token', 1_000n]])
  assert.equal(world.count('stored_payment_voided'), 1)
})

test('a deposit that two of three endpoints make up is void when the lie ends, and holds no payout', async () => {
  const world = await open()
  world.origin.invent(world.deposit({ amount: 5_000n }))
  const { orderId, muxedId } = await world.quote()
  world.origin.pay(world.deposit({ muxedId }))
  world.destination.pay(world.fill(orderId))
  await world.pass(SETTLING_SECONDS)
  world.origin.endInvention()
  await world.pass(VOIDING_SECONDS + SETTLING_SECONDS)
  assert.deepEqual(world.paid(), [['solver', 'token', 1_000n]])
  assert.equal(world.count('stored_payment_voided'), 1)
  assert.equal(world.count('vault_books_differ'), 0)
  const unsettled = await unsettledDeposits(files.store())
  assert.deepEqual(
    unsettled.filter(({ chainId }) => chainId === world.origin.chain.chainId),
    [],
  )
})

test('an order whose fill two of three endpoints make up is refunded when the lie ends', async () => {
  const world = await open()
  const { orderId, muxedId } = await world.quote()
  world.origin.pay(world.deposit({ muxedId }))
  world.destination.invent(world.fill(orderId))
  await world.pass(SETTLING_SECONDS)
  assert.deepEqual(world.paid(), [])
  world.destination.endInvention()
  world.origin.advance(OVER_SECONDS)
  world.destination.advance(OVER_SECONDS)
  await world.pass(VOIDING_SECONDS + SETTLING_SECONDS)
  assert.deepEqual(world.paid(), [['depositor', 'token', 1_000n]])
})

test('a payment that some endpoint has is never void', async () => {
  const world = await open()
  const { orderId, muxedId } = await world.quote()
  world.origin.setContradicted(true)
  world.origin.pay(world.deposit({ muxedId }))
  world.destination.pay(world.fill(orderId))
  await world.pass(2 * VOIDING_SECONDS)
  assert.deepEqual([world.count('stored_payment_denied'), world.count('stored_payment_voided')], [1, 0])
  world.origin.setContradicted(false)
  await world.pass(SETTLING_SECONDS)
  assert.deepEqual(world.paid(), [['solver', 'token', 1_000n]])
  assert.equal(world.count('stored_payment_confirmed'), 1)
})

for (const amount of [1_000n, 300n])
  test(`a deposit goes back once, although two of three endpoints make up an earlier one of ${amount}`, async () => {
    const world = await open()
    const other = await world.quote({ openDeadline: 1_800_005_000, fillDeadline: 1_800_006_000 })
    world.origin.pay(world.deposit({ muxedId: other.muxedId, from: 'other depositor' }))
    const { muxedId } = await world.quote()
    world.origin.advance(1)
    world.origin.invent(world.deposit({ muxedId, amount }))
    world.origin.pay(world.deposit({ muxedId }))
    await world.pass(SETTLING_SECONDS)
    assert.deepEqual(world.paid(), [])
    world.origin.endInvention()
    world.origin.advance(OVER_SECONDS)
    world.destination.advance(OVER_SECONDS)
    await world.pass(VOIDING_SECONDS + SETTLING_SECONDS)
    assert.deepEqual(world.paid(), [['depositor', 'token', 1_000n]])
  })

test('an order whose credited deposit was sent back is neither paid nor refunded', async () => {
  const world = await open()
  const { orderId, muxedId } = await world.quote()
  const txHash = world.origin.pay(world.deposit({ muxedId }))
  const key = returnKey({ chainId: world.origin.chain.chainId, txHash, position: 0 })
  await files.store().addPayout({
    key,
    chainId: world.origin.chain.chainId,
    sender: 'vault',
    recipient: 'depositor',
    token: 'token',
    amount: 300n,
    memo: returnMemo({ chainId: world.origin.chain.chainId, txHash, position: 0 }),
    notAfterSeconds: undefined,
    txHash: 'returned',
    earlierTxHashes: [],
    rawTransaction: '',
    signedAt: world.now(),
    outcome: 'succeeded',
  })
  world.destination.pay(world.fill(orderId))
  await world.pass(SETTLING_SECONDS)
  assert.deepEqual([world.paid(), world.count('deposit_settlement_failed')], [[], 1])
})

for (const changes of [{ amount: 5_000n }, { muxedId: undefined, amount: 1n }])
  test(`a deposit that two of three endpoints alter is credited when the lie ends: ${Object.keys(changes)}`, async () => {
    const world = await open()
    const { orderId, muxedId } = await world.quote({
      openDeadline: 1_800_005_000,
      fillDeadline: 1_800_006_000,
    })
    const txHash = world.origin.pay(world.deposit({ muxedId }))
    world.origin.advance(3)
    world.origin.alter(txHash, changes)
    world.destination.pay(world.fill(orderId))
    await world.pass(SETTLING_SECONDS)
    assert.deepEqual(world.paid(), [])
    world.origin.endInvention()
    await world.pass(VOIDING_SECONDS + SETTLING_SECONDS)
    assert.equal(world.count('stored_payment_voided'), 1)
    assert.deepEqual(world.paid(), [['solver', 'token', 1_000n]])
    assert.deepEqual([world.count('vault_books_differ'), world.service.guard.isHolding()], [0, false])
  })

test('a payout that two of three endpoints alter is in the books when the lie ends', async () => {
  const world = await open()
  const { orderId, muxedId } = await world.quote()
  world.origin.pay(world.deposit({ muxedId }))
  world.destination.pay(world.fill(orderId))
  const isPaid = () => world.origin.landed().find(({ from }) => from === 'vault')
  while (isPaid() === undefined) await world.pass(1)
  world.origin.alter(isPaid()?.txHash ?? '', { amount: 1n })
  await world.pass(SETTLING_SECONDS)
  world.origin.endInvention()
  await world.pass(VOIDING_SECONDS + SETTLING_SECONDS)
  const stored = await files.store().findPayments(orderId)
  const payouts = stored.filter(({ role }) => role === 'payout')
  assert.deepEqual(
    payouts.map(({ amount, confirmed }) => [amount, confirmed]),
    [[1_000n, true]],
  )
  assert.deepEqual([world.paid().length, world.service.guard.isHolding()], [1, false])
})
