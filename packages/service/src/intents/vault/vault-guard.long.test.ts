import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { until } from '../../../test/eventually.ts'
import { openOwnStore } from '../../../test/outbox-world.ts'
import {
  createTestVault,
  DAILY_LIMIT,
  openTestVault,
  passSeconds,
  unsettledDeposits,
} from '../../../test/test-vault.ts'
import { openSqliteStore } from '../../store/sqlite.ts'
import { backUpSqliteStore } from '../../store/sqlite-backup.ts'

const SETTLING_SECONDS = 20
const OVER_SECONDS = 70
const DAY_SECONDS = 86_400

let files: Awaited<ReturnType<typeof openOwnStore>>
before(async () => {
  files = await openOwnStore()
})
after(() => files.remove())

const open = async () => {
  const world = await openTestVault(files.store())
  await world.service.operator.round()
  return world
}

test('a store restored from before a payment does not repeat it, and records it afterwards', async (context) => {
  const copied = mkdtempSync(join(tmpdir(), 'openrfq-restored-'))
  context.after(() => rmSync(copied, { recursive: true, force: true }))
  const world = createTestVault(files.store())
  const first = world.startService()
  await first.facts.round()
  const released = await world.quote()
  const refunded = await world.quote()
  for (const { muxedId } of [released, refunded]) world.origin.pay(world.deposit({ muxedId }))
  world.origin.pay(world.deposit({ amount: 77n }))
  await passSeconds(world, { ...first, operator: { ...first.operator, round: async () => {} } }, 5)
  await files.reopen()
  cpSync(files.directory, copied, { recursive: true })

  world.destination.pay(world.fill(released.orderId))
  const before = world.startService(files.store())
  await passSeconds(world, before, SETTLING_SECONDS)
  world.origin.advance(OVER_SECONDS)
  world.destination.advance(OVER_SECONDS)
  await passSeconds(world, before, SETTLING_SECONDS)
  const paid = world.paid()
  assert.equal(paid.length, 3)

  const restored = await openSqliteStore({ directory: copied, log: () => undefined })
  context.after(() => restored.close())
  const again = world.startService(restored)
  await again.operator.round()
  await passSeconds(world, again, 2 * SETTLING_SECONDS)
  assert.deepEqual(world.paid(), paid)
  assert.deepEqual(
    (await unsettledDeposits(restored)).filter(({ chainId }) => chainId === world.origin.chain.chainId),
    [],
  )
  const known = await restored.findPayout(`release:${released.orderId}`)
  assert.equal(known?.outcome, 'succeeded')
  assert.equal(world.lines.filter((line) => line === 'warn payout_found_on_chain').length, 3)
})

/** A vault with one deposit that is filled, and a way to start a service over a copy of its store as it is now. */
const openCopied = async (context: TestContext) => {
  const world = createTestVault(files.store())
  const first = world.startService()
  await first.facts.round()
  const { orderId, muxedId } = await world.quote()
  world.origin.pay(world.deposit({ muxedId }))
  world.destination.pay(world.fill(orderId))
  await passSeconds(world, { ...first, operator: { ...first.operator, round: async () => {} } }, 5)
  const startCopy = async () => {
    const copied = mkdtempSync(join(tmpdir(), 'openrfq-restored-'))
    context.after(() => rmSync(copied, { recursive: true, force: true }))
    backUpSqliteStore(files.directory, copied)
    const restored = await openSqliteStore({ directory: copied, log: () => undefined })
    context.after(() => restored.close())
    return { store: restored, start: () => world.startService(restored) }
  }
  const toSolver = () => world.paid().filter(([to]) => to === 'solver')
  const release = (store = files.store()) => store.findPayout(`release:${orderId}`)
  /** Runs a service over the original store until it has signed the release. */
  const signRelease = async () => {
    const service = world.startService(files.store())
    for (let second = 0; second < SETTLING_SECONDS && (await release()) === undefined; second += 1)
      await passSeconds(world, service, 1)
    assert.equal((await release())?.outcome, 'open')
  }
  return { ...world, orderId, startCopy, toSolver, release, signRelease }
}

test('a store restored while a payout of a later time is in flight waits until that one has landed', async (context) => {
  const world = await openCopied(context)
  const copy = await world.startCopy()
  world.origin.setIncluding(false)
  await world.signRelease()
  const restored = copy.start()
  await passSeconds(world, restored, 5)
  world.origin.setIncluding(true)
  await passSeconds(world, restored, 2 * SETTLING_SECONDS)
  assert.deepEqual(world.toSolver(), [['solver', 'token', 1_000n]])
  assert.equal((await world.release(copy.store))?.outcome, 'succeeded')
})

test('a restored store pays once when the payout of a later time never lands', async (context) => {
  const world = await openCopied(context)
  const copy = await world.startCopy()
  world.origin.setIncluding(false)
  await world.signRelease()
  const restored = copy.start()
  await passSeconds(world, restored, SETTLING_SECONDS)
  world.origin.setIncluding(true)
  await passSeconds(world, restored, SETTLING_SECONDS)
  assert.deepEqual(world.toSolver(), [['solver', 'token', 1_000n]])
})

test('a restored store does not sign an expired payout again that was signed again and paid since', async (context) => {
  const world = await openCopied(context)
  world.origin.setIncluding(false)
  await world.signRelease()
  const copy = await world.startCopy()
  const later = world.startService(files.store())
  await passSeconds(world, later, SETTLING_SECONDS)
  world.origin.setIncluding(true)
  await passSeconds(world, later, SETTLING_SECONDS)
  assert.equal(world.toSolver().length, 1)
  const restored = copy.start()
  await passSeconds(world, restored, 2 * SETTLING_SECONDS)
  assert.equal(world.toSolver().length, 1)
  assert.equal((await world.release(copy.store))?.outcome, 'succeeded')
})

test('a store restored from before a quote does not return the deposit that was paid out since', async (context) => {
  const world = await openCopied(context)
  const copy = await world.startCopy()
  const service = world.startService(files.store())
  await service.facts.round()
  await service.operator.round()
  const { orderId, muxedId } = await world.quote()
  world.origin.pay(world.deposit({ muxedId }))
  world.destination.pay(world.fill(orderId))
  await passSeconds(world, service, SETTLING_SECONDS)
  assert.equal((await files.store().findPayout(`release:${orderId}`))?.outcome, 'succeeded')
  const stranger = { from: 'stranger', amount: 1_033n }
  world.origin.pay(world.deposit(stranger))
  const restored = copy.start()
  await passSeconds(world, restored, 2 * SETTLING_SECONDS)
  assert.deepEqual(world.paid().toSorted(), [
    ['solver', 'token', 1_000n],
    ['solver', 'token', 1_000n],
    ['stranger', 'token', 1_032n],
  ])
  assert.equal(world.lines.filter((line) => line === 'error return_held').length, 1)
})

test('pays nothing before payments are read up to its start', async () => {
  const world = await open()
  const { muxedId } = await world.quote()
  world.origin.pay(world.deposit({ muxedId }))
  await world.pass(5)
  world.origin.advance(2 * OVER_SECONDS)
  world.destination.advance(2 * OVER_SECONDS)
  const restarted = world.startService()
  for (let round = 0; round < 5; round += 1) await restarted.operator.round()
  assert.deepEqual(await files.store().listOpenPayouts(world.origin.chain.chainId, 'vault'), [])
  await passSeconds(world, restarted, SETTLING_SECONDS)
  assert.deepEqual(world.paid(), [['depositor', 'token', 1_000n]])
})

test('pays no more than was received, and logs it once', async () => {
  const world = await open()
  const { orderId, muxedId } = await world.quote()
  world.origin.pay(world.deposit({ muxedId }))
  world.origin.pay({ from: 'vault', to: 'somebody', token: 'token', amount: 1n })
  world.destination.pay(world.fill(orderId))
  world.origin.lose('token', -1n)
  await world.pass(SETTLING_SECONDS)
  assert.deepEqual(world.paid(), [['somebody', 'token', 1n]])
  assert.equal(world.service.guard.isHolding(), true)
  assert.equal(world.lines.filter((line) => line === 'error vault_payouts_held').length, 1)
  world.origin.pay(world.deposit({ amount: 9n }))
  await world.pass(SETTLING_SECONDS)
  assert.deepEqual(world.paid().at(-1), ['solver', 'token', 1_000n])
  assert.equal(world.service.guard.isHolding(), false)
  assert.ok(world.lines.includes('info vault_payouts_resumed'))
})

test('pays no more per day than the limit, and continues a day later', async () => {
  const world = await open()
  for (const amount of [DAILY_LIMIT - 1n, 2n + 9n]) {
    const { muxedId } = await world.quote()
    world.origin.pay(world.deposit({ muxedId, token: 'other', amount }))
  }
  await world.pass(SETTLING_SECONDS)
  assert.equal(world.paid().length, 1)
  assert.ok(world.lines.includes('error vault_payouts_held'))
  world.origin.advance(DAY_SECONDS)
  world.destination.advance(DAY_SECONDS)
  await world.pass(SETTLING_SECONDS)
  assert.equal(world.paid().length, 2)
  assert.equal(world.service.guard.isHolding(), false)
})

test('counts a landed payout toward the daily limit while its payment cannot be read', async () => {
  const world = await open()
  const { service } = world
  for (const amount of [DAILY_LIMIT - 1n, 2n + 9n]) {
    const { muxedId } = await world.quote()
    world.origin.pay(world.deposit({ muxedId, token: 'other', amount }))
  }
  await passSeconds(world, { ...service, operator: { ...service.operator, round: async () => {} } }, 5)
  await passSeconds(
    world,
    { ...service, facts: { ...service.facts, round: async () => {} } },
    SETTLING_SECONDS,
  )
  assert.deepEqual(await files.store().listOpenPayouts(world.origin.chain.chainId, 'vault'), [])
  assert.equal(world.paid().length, 1)
  await world.pass(SETTLING_SECONDS)
  assert.equal(world.paid().length, 1)
})

test('holds payouts while the vault holds less than its books require, also at its start', async () => {
  const world = await open()
  const { orderId, muxedId } = await world.quote()
  world.origin.pay(world.deposit({ muxedId }))
  await world.pass(5)
  world.origin.lose('token', 1n)
  await world.pass(45)
  assert.equal(world.lines.filter((line) => line === 'error vault_books_differ').length, 1)
  world.destination.pay(world.fill(orderId))
  await world.pass(SETTLING_SECONDS)
  const restarted = world.startService()
  await passSeconds(world, restarted, SETTLING_SECONDS)
  assert.deepEqual(world.paid(), [])
  assert.ok(!world.lines.includes('info vault_books_agree'))
  world.origin.lose('token', 0n)
  await passSeconds(world, restarted, SETTLING_SECONDS)
  assert.ok(world.lines.includes('info vault_books_agree'))
  assert.ok(!world.lines.includes('info vault_payouts_resumed'))
  assert.deepEqual(world.paid(), [['solver', 'token', 1_000n]])
})

test('logs once that a vault holds more than its books require, and again when it holds yet more', async () => {
  const world = await open()
  const surpluses = () => world.lines.filter((line) => line === 'warn vault_surplus_grew').length
  await world.pass(45)
  assert.equal(surpluses(), 0)
  world.origin.lose('token', -50n)
  await world.pass(90)
  assert.deepEqual([surpluses(), world.service.guard.surpluses().get('token')], [1, 50n])
  world.origin.lose('token', -60n)
  const { orderId, muxedId } = await world.quote()
  world.origin.pay(world.deposit({ muxedId }))
  world.destination.pay(world.fill(orderId))
  await world.pass(90)
  assert.deepEqual([surpluses(), world.service.guard.surpluses().get('token')], [2, 60n])
  assert.deepEqual(world.paid(), [['solver', 'token', 1_000n]])
  assert.equal(world.service.guard.isHolding(), false)
})

test('logs once when the books cannot be compared and once when they can again', async () => {
  const world = await open()
  const told = () => world.lines.filter((line) => line.includes('vault_check_'))
  world.origin.setReadable(false)
  for (const _ of [1, 2, 3]) await world.service.operator.round()
  assert.deepEqual(told(), ['warn vault_check_failed'])
  world.origin.setReadable(true)
  for (const _ of [1, 2]) await world.service.operator.round()
  assert.deepEqual(told(), ['warn vault_check_failed', 'info vault_check_recovered'])
})

test('logs once when deposits cannot be settled and once when they can again', async () => {
  const store = files.store()
  let isAway = true
  let rounds = 0
  const listUnsettledDeposits: typeof store.listUnsettledDeposits = (most) => {
    if (!isAway) return store.listUnsettledDeposits(most)
    rounds += 1
    return Promise.reject(new Error(`the store is away, asked ${rounds} times`))
  }
  const world = createTestVault({ ...store, listUnsettledDeposits })
  const { operator } = world.startService()
  const told = () => world.lines.filter((line) => line.includes('deposit_settlement_round_'))
  operator.start()
  try {
    await until(() => rounds >= 5)
    assert.deepEqual(told(), ['error deposit_settlement_round_failed'])
    isAway = false
    await until(() => told().length > 1)
    assert.deepEqual(told()[1], 'info deposit_settlement_round_recovered')
  } finally {
    await operator.stop()
  }
})
