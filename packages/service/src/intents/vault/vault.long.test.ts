import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { openOwnStore } from '../../../test/outbox-world.ts'
import { testQuote } from '../../../test/test-deposits.ts'
import type { TestPayment } from '../../../test/test-payment-chain.ts'
import { createTestVault, passSeconds, unsettledDeposits } from '../../../test/test-vault.ts'
import { OrderId } from '../../core/intent-order.ts'
import { firstQuoteId } from '../../core/quote-id.ts'
import { depositMuxedId } from '../settlers/deposit-reference.ts'
import type { PaymentRecord } from './payment-indexer.ts'

const SETTLING_SECONDS = 12
const OVER_SECONDS = 70

let files: Awaited<ReturnType<typeof openOwnStore>>
before(async () => {
  files = await openOwnStore()
})
after(() => files.remove())

const open = async (random?: () => number) => {
  const world = createTestVault(files.store(), random)
  const service = world.startService()
  await service.facts.round()
  await service.operator.round()
  const pass = (seconds: number) => passSeconds(world, service, seconds)
  const unsettled = async () =>
    (await unsettledDeposits(files.store())).filter(({ chainId }) => chainId === world.origin.chain.chainId)
  return { ...world, service, pass, unsettled }
}

type Paid = readonly (readonly [to: string, token: string, amount: bigint])[]
type Walk = {
  /** Deposits in time. */
  readonly deposits: readonly Partial<TestPayment>[]
  readonly late?: readonly Partial<TestPayment>[]
  readonly filled?: Partial<TestPayment>
  readonly paid: Paid
}

const SOLVER = ['solver', 'token', 1_000n] as const
const REFUND = ['depositor', 'token', 1_000n] as const
/** Of a deposit that names no order: the cost is kept. */
const RETURN = ['depositor', 'token', 999n] as const

const WALKS: Readonly<Record<string, Walk>> = {
  'a deposit whose order is filled goes to the solver': { deposits: [{}], filled: {}, paid: [SOLVER] },
  'a deposit whose order is not filled goes back': { deposits: [{}], paid: [REFUND] },
  'a fill of too little repays the depositor, not the solver': {
    deposits: [{}],
    filled: { amount: 899n },
    paid: [REFUND],
  },
  'a fill to somebody else is none': { deposits: [{}], filled: { to: 'friend' }, paid: [REFUND] },
  'a fill by somebody else is none': { deposits: [{}], filled: { from: 'other' }, paid: [REFUND] },
  'split deposits that reach the amount are one': {
    deposits: [{ amount: 400n }, { amount: 600n, from: 'exchange' }],
    filled: {},
    paid: [SOLVER],
  },
  'too little goes back once the time is over, filled or not': {
    deposits: [{ amount: 400n }, { amount: 599n }],
    filled: {},
    paid: [['depositor', 'token', 999n]],
  },
  'what exceeds the amount goes back beside the release': {
    deposits: [{ amount: 1_500n }],
    filled: {},
    paid: [['depositor', 'token', 500n], SOLVER],
  },
  'a late deposit goes back whole': { deposits: [], late: [{}], filled: {}, paid: [REFUND] },
  'a second deposit and a deposit after the release go back': {
    deposits: [{}, { amount: 700n }],
    filled: {},
    late: [{ amount: 800n }],
    paid: [['depositor', 'token', 700n], SOLVER, ['depositor', 'token', 800n]],
  },
  'a deposit after the refund goes back as well': {
    deposits: [{ amount: 999n }],
    late: [{}],
    paid: [['depositor', 'token', 999n], REFUND],
  },
  'another asset goes back as what it is': {
    deposits: [{ token: 'other' }],
    paid: [['depositor', 'other', 1_000n]],
  },
  'dust moves nothing': { deposits: [{ amount: 9n }, { token: 'other', amount: 9n }], paid: [] },
}

for (const [name, walk] of Object.entries(WALKS))
  test(name, async () => {
    const world = await open()
    const { orderId, muxedId } = await world.quote()
    for (const changes of walk.deposits) world.origin.pay(world.deposit({ muxedId, ...changes }))
    await world.pass(4)
    if (walk.filled !== undefined) world.destination.pay(world.fill(orderId, walk.filled))
    await world.pass(SETTLING_SECONDS)
    world.origin.advance(OVER_SECONDS)
    for (const changes of walk.late ?? []) world.origin.pay(world.deposit({ muxedId, ...changes }))
    world.destination.advance(2 * OVER_SECONDS)
    await world.pass(2 * SETTLING_SECONDS)
    const sorted = (paid: Paid) => paid.map(String).toSorted()
    assert.deepEqual(sorted(world.paid()), sorted(walk.paid))
    assert.deepEqual(await world.unsettled(), [])
  })

test('pays nothing while a fill is still possible, and nothing for deposits that are not final', async () => {
  const world = await open()
  const { orderId, order, muxedId } = await world.quote()
  world.origin.pay(world.deposit({ muxedId }))
  await world.service.facts.round()
  const early = await world.service.facts.getOrderPayments(orderId, order)
  assert.deepEqual([early.deposits?.final.state, early.deposits?.seen.state], ['nothing', 'complete'])
  await world.pass(SETTLING_SECONDS)
  world.origin.pay(world.deposit({ muxedId, amount: 500n }))
  await world.service.facts.round()
  await world.service.operator.round()
  assert.deepEqual(await files.store().listOpenPayouts(order.originChain, 'vault'), [])
  world.origin.fork()
  assert.equal(await world.service.facts.fillOf(orderId, order), 'open')
  world.destination.pay(world.fill(orderId))
  await world.service.facts.round()
  assert.equal((await world.service.facts.getOrderPayments(orderId, order)).fill, undefined)
  assert.equal(await world.service.facts.fillOf(orderId, order), 'open')
  world.destination.fork()
  await world.pass(2)
  assert.equal((await world.service.facts.getOrderPayments(orderId, order)).deposits?.final.state, 'complete')
  assert.deepEqual(world.paid(), [])
})

test('returns a deposit without a reference, even if a quote names its payer, token and amount', async () => {
  const world = await open()
  const strangers = await world.quote({ recipient: 'stranger', solver: 'stranger' })
  const own = await world.quote()
  world.origin.pay(world.deposit(), world.deposit({ memo: 'hello' }), world.deposit({ muxedId: 7n }))
  world.destination.pay(world.fill(strangers.orderId, { to: 'stranger' }))
  await world.pass(SETTLING_SECONDS)
  for (const { orderId } of [strangers, own])
    assert.deepEqual(
      (await files.store().findPayments(orderId)).filter(({ role }) => role === 'deposit'),
      [],
    )
  assert.deepEqual(world.paid(), [RETURN, RETURN, RETURN])
  assert.deepEqual(await world.unsettled(), [])
})

/** An order with the same muxed id as another of the same millisecond. */
const withIdOf = (orderId: OrderId): OrderId => OrderId.parse(`${orderId.slice(0, 6)}${'7'.repeat(60)}`)

for (const [recipient, credited] of [
  ['stranger', 0],
  ['recipient', 1],
] as const)
  test(`a second quote of the same muxed id for the ${recipient} leaves ${credited} deposits credited`, async () => {
    const world = await open()
    const { orderId, quote, order } = await world.quote()
    const quoteId = firstQuoteId(quote.createdAt, BigInt(credited + 1) << 50n)
    const other = testQuote(quoteId, withIdOf(orderId), { ...order, recipient })
    await files.store().saveQuotes([{ ...other, createdAt: quote.createdAt }])
    world.origin.pay(world.deposit({ muxedId: depositMuxedId(quote.createdAt, orderId) }))
    await world.pass(4)
    const deposits = await Promise.all(
      [orderId, withIdOf(orderId)].map((one) => files.store().findPayments(one)),
    )
    assert.equal(deposits.flat().length, credited)
    await world.pass(SETTLING_SECONDS)
    assert.deepEqual(world.paid(), credited === 0 ? [RETURN] : [])
  })

test('matches a deposit by its muxed id, from any payer', async () => {
  const world = await open()
  const { orderId, quote } = await world.quote()
  await world.quote()
  const muxedId = depositMuxedId(quote.createdAt, orderId)
  world.origin.pay(world.deposit({ from: 'exchange', amount: 10n, muxedId }))
  world.origin.pay(world.deposit({ from: 'exchange', amount: 990n, muxedId: muxedId + 1n }))
  await world.pass(4)
  assert.deepEqual(
    (await files.store().findPayments(orderId)).map(({ amount, from }) => [amount, from]),
    [[10n, 'exchange']],
  )
})

test("returns a stranger's deposit to the stranger, and keeps the operator's own", async () => {
  const world = await open()
  world.origin.pay(world.deposit({ from: 'stranger', memo: 'hello' }))
  world.origin.pay(world.deposit({ from: 'treasury' }))
  world.origin.pay(world.deposit({ from: 'stranger', amount: 9n }))
  await world.pass(SETTLING_SECONDS)
  assert.deepEqual(world.paid(), [['stranger', 'token', 999n]])
  assert.deepEqual(await world.unsettled(), [])
})

test('pays a depositor that was not payable as soon as it is', async () => {
  const world = await open()
  world.origin.close('stranger')
  world.origin.pay(world.deposit({ from: 'stranger' }))
  await world.pass(SETTLING_SECONDS)
  assert.deepEqual([world.paid().length, (await world.unsettled()).length], [0, 1])
  assert.equal(world.lines.filter((line) => line.includes('payout_recipient_unpayable')).length, 1)
  world.origin.reopen('stranger')
  world.origin.advance(60)
  await world.pass(SETTLING_SECONDS)
  assert.deepEqual(world.paid(), [['stranger', 'token', 999n]])
})

test('holds a deposit whose payer cannot be paid for the twelfth time, until the operator releases it', async () => {
  const world = await open()
  const { chainId } = world.origin.chain
  world.origin.close('stranger')
  const key = { chainId, txHash: world.origin.pay(world.deposit({ from: 'stranger' })), position: 0 }
  const heldOfChain = async () =>
    (await files.store().listHeldDeposits(1_000)).filter((one) => one.chainId === chainId)
  await world.pass(4)
  await files.store().postponeDeposit(key, { failures: 11, unpayable: 11, tryAt: 0 })
  assert.deepEqual(await heldOfChain(), [])
  world.origin.advance(60)
  await world.pass(2)
  assert.deepEqual(
    (await heldOfChain()).map(({ from, amount, why }) => ({ from, amount, why })),
    [{ from: 'stranger', amount: 1_000n, why: 'stranger cannot be paid: the account does not exist' }],
  )
  assert.equal(world.lines.filter((line) => line === 'warn deposit_held').length, 1)
  assert.deepEqual(await world.unsettled(), [])
  world.origin.reopen('stranger')
  await world.pass(4)
  assert.deepEqual(world.paid(), [])
  assert.equal(await world.service.held.release({ ...key, position: 1 }), false)
  assert.equal(await world.service.held.release(key), true)
  world.origin.advance(60)
  await world.pass(SETTLING_SECONDS)
  assert.deepEqual([world.paid(), await heldOfChain()], [[['stranger', 'token', 999n]], []])
})

test('a chain that cannot be read makes no deposit a held one', async () => {
  const world = await open()
  const { chainId } = world.origin.chain
  const key = { chainId, txHash: world.origin.pay(world.deposit({ from: 'stranger' })), position: 0 }
  await world.pass(4)
  await files.store().postponeDeposit(key, { failures: 100, unpayable: 11, tryAt: 0 })
  world.origin.setReadable(false)
  await world.service.operator.round()
  world.origin.setReadable(true)
  assert.equal((await world.unsettled()).length, 1)
})

test('500 payments that cannot be returned delay neither the refund of an order nor a return for long', async () => {
  const world = createTestVault(files.store(), undefined, 1)
  const service = world.startService()
  await passSeconds(world, service, SETTLING_SECONDS)
  const gone = Array.from({ length: 500 }, (_, index) => `gone ${index}`)
  for (const account of gone) world.origin.close(account)
  world.origin.pay(...gone.map((from) => world.deposit({ from, amount: 77n })))
  world.origin.pay(world.deposit({ from: 'honest', amount: 500n }))
  const { muxedId } = await world.quote()
  world.origin.pay(world.deposit({ muxedId, amount: 999n }))
  world.origin.advance(OVER_SECONDS)
  world.destination.advance(2 * OVER_SECONDS)
  await service.facts.round()
  await service.operator.round()
  const [open] = await files.store().listOpenPayouts(world.origin.chain.chainId, 'vault')
  assert.deepEqual([open?.recipient, open?.amount], ['depositor', 999n])
  let rounds = 0
  for (; rounds < 40 && !world.paid().some(([to]) => to === 'honest'); rounds += 1)
    await passSeconds(world, service, 1)
  assert.ok(rounds < 30, `the return came after ${rounds} rounds`)
})

test('tries a payout that fails on chain six times, then holds it', async () => {
  const world = await open(() => 0.05)
  world.origin.pay(world.deposit({ from: 'stranger' }))
  await world.pass(60)
  assert.deepEqual([world.paid(), await world.unsettled()], [[], []])
  assert.equal(world.lines.filter((line) => line === 'info payout_submitted').length, 6)
  assert.equal(world.lines.filter((line) => line.startsWith('error payout_held')).length, 1)
})

test('reports a payment when it is seen, when it is final, and again after a restart', async () => {
  const world = await open()
  const { orderId, muxedId } = await world.quote()
  const listen = (service: typeof world.service) => {
    const heard: [PaymentRecord['role'], boolean][] = []
    service.facts.onEvent((record) => {
      if (record.orderId === orderId) heard.push([record.role, record.final])
    })
    return heard
  }
  const heard = listen(world.service)
  world.origin.pay(world.deposit({ muxedId }))
  world.destination.pay(world.fill(orderId))
  await world.service.facts.round()
  await world.service.facts.round()
  assert.deepEqual(heard, [['deposit', false]])
  world.origin.advance(2)
  world.destination.advance(2)
  await world.service.facts.round()
  await world.service.facts.round()
  assert.deepEqual(heard.slice(1).toSorted(), [
    ['deposit', true],
    ['fill', true],
  ])
  const next = world.startService()
  const again = listen(next)
  await next.facts.round()
  assert.deepEqual(again.toSorted(), [
    ['deposit', true],
    ['fill', true],
  ])
  assert.equal((await next.facts.getOrderPayments(orderId, (await world.quote()).order)).fill?.final, true)
})

test('an unreadable payment chain decides nothing', async () => {
  const world = await open()
  const { orderId, order, muxedId } = await world.quote()
  world.origin.pay(world.deposit({ muxedId }))
  await world.pass(4)
  world.destination.setReadable(false)
  world.origin.advance(3 * OVER_SECONDS)
  await world.pass(4)
  assert.equal(await world.service.facts.fillOf(orderId, order), 'open')
  world.origin.setReadable(false)
  await assert.rejects(world.service.facts.getOrderPayments(orderId, order), /were not read for a while/)
  assert.equal((await world.service.facts.lastKnown(orderId, order)).deposits?.final.state, 'complete')
  assert.deepEqual(world.paid(), [])
  assert.equal((await world.unsettled()).length, 1)
})

test('a started vault operator runs by itself, and stops', async () => {
  const world = await open()
  world.origin.pay(world.deposit({ from: 'stranger' }))
  const { facts, operator, outbox } = world.service
  await facts.start()
  operator.start()
  outbox.start()
  await eventually('everything is paid', async () => {
    world.origin.advance()
    return world.paid().length > 0 && (await world.unsettled()).length === 0
  })
  await operator.stop()
  await facts.stop()
  await outbox.stop()
  assert.deepEqual(world.paid(), [['stranger', 'token', 999n]])
})

test('of a hundred deposits that name no order, four returns at most come before the return of an excess', async () => {
  const world = createTestVault(files.store(), undefined, 1)
  const service = world.startService()
  await passSeconds(world, service, SETTLING_SECONDS)
  world.origin.pay(...Array.from({ length: 100 }, () => world.deposit({ from: 'stranger', amount: 77n })))
  await passSeconds(world, service, 3)
  const { muxedId } = await world.quote()
  world.origin.pay(world.deposit({ muxedId, amount: 1_500n }))
  const place = (): number => world.paid().findIndex(([, , amount]) => amount === 500n)
  for (let second = 0; second < 3 * SETTLING_SECONDS && place() < 0; second += 1)
    await passSeconds(world, service, 1)
  assert.ok(place() >= 0 && place() <= 4, `${place()} payouts came before the excess`)
})

test('of a flood of deposits that name no order, four returns at most come before the payout of an order', async () => {
  const world = createTestVault(files.store(), undefined, 1)
  const service = world.startService()
  await passSeconds(world, service, SETTLING_SECONDS)
  for (let stray = 0; stray < 24; stray += 1)
    world.origin.pay(world.deposit({ from: `stranger ${stray}`, amount: 77n }))
  const { orderId, muxedId } = await world.quote()
  world.origin.pay(world.deposit({ muxedId }))
  world.destination.pay(world.fill(orderId))
  const place = (): number => world.paid().findIndex(([to]) => to === 'solver')
  for (let second = 0; second < 3 * SETTLING_SECONDS && place() < 0; second += 1)
    await passSeconds(world, service, 1)
  // What was signed before the order's fill was final goes first.
  assert.ok(place() >= 0 && place() <= 4, `${place()} payouts came before the order's`)
})

/** The vault after deposits of another asset for many older orders, which all go back, one payout at a time. */
const floodedByReturns = async () => {
  const world = createTestVault(files.store(), undefined, 1)
  const service = world.startService()
  await passSeconds(world, service, SETTLING_SECONDS)
  for (let order = 0; order < 12; order += 1) {
    const { muxedId } = await world.quote()
    const wrong = world.deposit({ muxedId, token: 'other', amount: 40n })
    world.origin.pay(wrong, wrong, wrong, wrong)
  }
  /** How many payouts came before the one that is sought. */
  const countBefore = async (isSought: (paid: ReturnType<typeof world.paid>[number]) => boolean) => {
    const place = (): number => world.paid().findIndex(isSought)
    for (let second = 0; second < 5 * SETTLING_SECONDS && place() < 0; second += 1)
      await passSeconds(world, service, 1)
    return place()
  }
  return { world, countBefore }
}

test('of many returns for older orders, four at most come before the payout of a younger order', async () => {
  const { world, countBefore } = await floodedByReturns()
  const { orderId, muxedId } = await world.quote()
  world.origin.pay(world.deposit({ muxedId }))
  world.destination.pay(world.fill(orderId))
  const before = await countBefore(([to]) => to === 'solver')
  // What was signed before the order's fill was final goes first.
  assert.ok(before >= 0 && before <= 4, `${before} payouts came before the order's`)
})

test('many returns for older orders delay the return of a younger one by one each', async () => {
  const { world, countBefore } = await floodedByReturns()
  const { muxedId } = await world.quote()
  world.origin.pay(world.deposit({ muxedId, amount: 1_500n }))
  const before = await countBefore(([, token, amount]) => token === 'token' && amount === 500n)
  assert.ok(before >= 0 && before <= 12 + 4, `${before} payouts came before the excess`)
})
