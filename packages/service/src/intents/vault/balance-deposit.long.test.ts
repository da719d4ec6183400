import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openOwnStore } from '../../../test/outbox-world.ts'
import type { TestPayment } from '../../../test/test-payment-chain.ts'
import { openTestVault, unsettledDeposits } from '../../../test/test-vault.ts'
import type { BalanceClaimant } from '../../chains/payment-chain.ts'
import { findPayoutAttempts } from '../../transactions/attempts.ts'

const SETTLING_SECONDS = 12
const OVER_SECONDS = 120

let files: Awaited<ReturnType<typeof openOwnStore>>
before(async () => {
  files = await openOwnStore()
})
after(() => files.remove())

type Balance = Omit<TestPayment, 'to'> & { readonly claimants: readonly BalanceClaimant[] }

const open = async () => {
  const world = await openTestVault(files.store())
  const quoted = await world.quote()
  const { order, orderId, muxedId } = quoted
  const claimants: readonly BalanceClaimant[] = [
    { account: 'vault', right: 'always' },
    { account: 'depositor', right: { notBefore: order.refundAfter } },
  ]
  const balance = (changes: Partial<Balance> = {}): Balance => ({
    from: 'depositor',
    token: 'token',
    amount: 1_000n,
    claimants,
    ...changes,
  })
  const deposits = async () => {
    const found = await world.service.facts.lastKnown(orderId, order)
    return found.deposits?.final
  }
  const unsettled = async () =>
    (await unsettledDeposits(files.store())).filter(({ chainId }) => chainId === world.origin.chain.chainId)
  /** What accounts got out of balances. */
  const taken = () =>
    world.origin
      .landed()
      .filter(({ from }) => from.startsWith('balance'))
      .map(({ to, amount }) => [to, amount])
  return { ...world, ...quoted, muxedId, claimants, balance, deposits, unsettled, taken }
}

const SOLVER = ['solver', 'token', 1_000n] as const
const REFUND = ['depositor', 'token', 1_000n] as const

test('a balance whose order is filled is claimed and paid to the solver in one transaction', async () => {
  const world = await open()
  const [balance] = world.origin.makeBalances(world.muxedId, world.balance())
  await world.pass(4)
  const found = await world.deposits()
  assert.equal(found?.state, 'complete')
  assert.equal(found.source?.to, balance)
  assert.deepEqual(world.paid(), [])
  world.destination.pay(world.fill(world.orderId))
  await world.pass(SETTLING_SECONDS)
  assert.deepEqual(world.paid(), [SOLVER])
  const hashes = world.origin.landed().filter(({ from }) => from === 'vault' || from === balance)
  assert.equal(new Set(hashes.map(({ txHash }) => txHash)).size, 1)
  await world.pass(SETTLING_SECONDS)
  assert.deepEqual(await world.unsettled(), [])
  assert.equal(world.service.guard.isHolding(), false)
  assert.deepEqual([...world.service.guard.surpluses().values()], [0n, 0n])
})

test('a balance whose order is not filled goes back, once', async () => {
  const world = await open()
  world.origin.makeBalances(world.muxedId, world.balance())
  await world.pass(4)
  world.origin.advance(OVER_SECONDS)
  world.destination.advance(OVER_SECONDS)
  await world.pass(2 * SETTLING_SECONDS)
  assert.deepEqual(world.paid(), [REFUND])
  assert.deepEqual(await world.unsettled(), [])
})

test('what the depositor has taken back itself is refunded, and nothing more is paid', async () => {
  const world = await open()
  const [balance = ''] = world.origin.makeBalances(world.muxedId, world.balance())
  await world.pass(4)
  world.origin.setIncluding(false)
  world.origin.advance(OVER_SECONDS)
  const txHash = world.origin.pay({ from: balance, to: 'depositor', token: 'token', amount: 1_000n })
  world.destination.advance(OVER_SECONDS)
  world.origin.setIncluding(true)
  await world.pass(3 * SETTLING_SECONDS)
  assert.deepEqual(world.paid(), [])
  assert.deepEqual(await world.unsettled(), [])
  const refund = await findPayoutAttempts(files.store(), `refund:${world.orderId}`)
  assert.equal(refund.kind === 'succeeded' && refund.txHash, txHash)
})

test('a balance that its issuer clawed back is closed with one line in the log', async () => {
  const world = await open()
  const [balance = ''] = world.origin.makeBalances(world.muxedId, world.balance())
  await world.pass(4)
  world.origin.setIncluding(false)
  world.origin.advance(OVER_SECONDS)
  world.origin.clawBack(balance)
  world.destination.advance(OVER_SECONDS)
  world.origin.setIncluding(true)
  await world.pass(3 * SETTLING_SECONDS)
  assert.deepEqual(world.paid(), [])
  assert.deepEqual(await world.unsettled(), [])
  const lines = world.lines.filter((line) => /balance_lost|deposit_settlement_failed/.test(line))
  assert.deepEqual(lines, ['error balance_lost'])
})

test('a refund that was signed before the depositor took the balance moves nothing', async () => {
  const world = await open()
  const [balance = ''] = world.origin.makeBalances(world.muxedId, world.balance())
  await world.pass(4)
  world.origin.setIncluding(false)
  world.origin.advance(OVER_SECONDS)
  world.destination.advance(OVER_SECONDS)
  await world.pass(3)
  assert.equal((await files.store().findPayout(`refund:${world.orderId}`))?.outcome, 'open')
  world.origin.pay({ from: balance, to: 'depositor', token: 'token', amount: 1_000n })
  world.origin.setIncluding(true)
  await world.pass(3 * SETTLING_SECONDS)
  assert.deepEqual(world.paid(), [])
  assert.deepEqual(world.taken(), [['depositor', 1_000n]])
  assert.deepEqual(await world.unsettled(), [])
})

test('a solver that is not repaid before the depositor takes the balance gets nothing from the vault', async () => {
  const world = await open()
  const [balance = ''] = world.origin.makeBalances(world.muxedId, world.balance())
  world.origin.pay(world.deposit({ from: 'other', muxedId: 5n, amount: 5_000n }))
  await world.pass(4)
  world.origin.setIncluding(false)
  world.destination.pay(world.fill(world.orderId))
  world.origin.advance(1_400)
  world.origin.pay({ from: balance, to: 'depositor', token: 'token', amount: 1_000n })
  world.origin.setIncluding(true)
  await world.pass(3 * SETTLING_SECONDS)
  assert.deepEqual(
    world.paid().filter(([to]) => to === 'solver' || to === 'depositor'),
    [],
  )
  assert.deepEqual(await world.unsettled(), [])
})

test('the vault is not counted as holding what is in balances', async () => {
  const world = await open()
  world.origin.makeBalances(world.muxedId, world.balance())
  await world.pass(SETTLING_SECONDS)
  const owed = { token: 'token', amount: 1n }
  assert.equal(await world.service.guard.allows(owed), false)
  assert.equal(await world.service.guard.allows({ ...owed, claims: 'balance' }), true)
})

const REFUSED: Readonly<Record<string, (world: Awaited<ReturnType<typeof open>>) => Partial<Balance>>> = {
  'of too little': () => ({ amount: 999n }),
  'of too much': () => ({ amount: 1_001n }),
  'of another asset': () => ({ token: 'other' }),
  'that the depositor can take back at any time': () => ({
    claimants: [
      { account: 'vault', right: 'always' },
      { account: 'depositor', right: 'always' },
    ],
  }),
  'that the depositor can take back a second too early': ({ order }) => ({
    claimants: [
      { account: 'vault', right: 'always' },
      { account: 'depositor', right: { notBefore: order.refundAfter - 1 } },
    ],
  }),
  'that the depositor can take in some other case': () => ({
    claimants: [
      { account: 'vault', right: 'always' },
      { account: 'depositor', right: 'other' },
    ],
  }),
  'that the vault cannot take at any time': ({ order }) => ({
    claimants: [
      { account: 'vault', right: 'other' },
      { account: 'depositor', right: { notBefore: order.refundAfter } },
    ],
  }),
  'that a third account can take': ({ claimants }) => ({
    claimants: [...claimants, { account: 'accomplice', right: 'always' }],
  }),
  'that only the vault can take': () => ({ claimants: [{ account: 'vault', right: 'always' }] }),
  'of somebody else for the order': () => ({ from: 'stranger' }),
}

for (const [name, changes] of Object.entries(REFUSED))
  test(`a balance ${name} is no deposit and is never claimed`, async () => {
    const world = await open()
    world.origin.makeBalances(world.muxedId, world.balance(changes(world)))
    world.destination.pay(world.fill(world.orderId))
    await world.pass(SETTLING_SECONDS)
    assert.notEqual((await world.deposits())?.state, 'complete')
    world.origin.advance(OVER_SECONDS)
    await world.pass(SETTLING_SECONDS)
    assert.deepEqual(world.paid(), [])
    assert.deepEqual(world.taken(), [])
  })

test('of two balances for one order the first is the deposit, and its maker keeps the other', async () => {
  const world = await open()
  const [first] = world.origin.makeBalances(world.muxedId, world.balance(), world.balance())
  world.origin.makeBalances(world.muxedId, world.balance())
  world.destination.pay(world.fill(world.orderId))
  await world.pass(2 * SETTLING_SECONDS)
  assert.equal((await world.deposits())?.source?.to, first)
  assert.deepEqual(world.paid(), [SOLVER])
  assert.deepEqual(world.taken(), [['vault', 1_000n]])
  assert.deepEqual(await world.unsettled(), [])
})

test("a stranger's payments for the order come back, before and after the balance that they do not hinder", async () => {
  const world = await open()
  const pay = (amount: bigint) =>
    world.origin.pay(world.deposit({ from: 'stranger', muxedId: world.muxedId, amount }))
  pay(999n)
  world.origin.makeBalances(world.muxedId, world.balance())
  pay(50n)
  world.destination.pay(world.fill(world.orderId))
  await world.pass(3 * SETTLING_SECONDS)
  assert.deepEqual(world.paid().map(String).toSorted(), [
    'depositor,token,50',
    'depositor,token,999',
    'solver,token,1000',
  ])
  assert.deepEqual(await world.unsettled(), [])
})

test('a balance after the input was paid into the vault, or made too late, stays with its maker', async () => {
  const paid = await open()
  paid.origin.pay(paid.deposit({ muxedId: paid.muxedId }))
  paid.origin.makeBalances(paid.muxedId, paid.balance())
  paid.destination.pay(paid.fill(paid.orderId))
  await paid.pass(2 * SETTLING_SECONDS)
  assert.deepEqual(paid.paid(), [SOLVER])
  assert.deepEqual(paid.taken(), [])
  const late = await open()
  late.origin.advance(70)
  late.origin.makeBalances(late.muxedId, late.balance())
  await late.pass(SETTLING_SECONDS)
  assert.notEqual((await late.deposits())?.state, 'complete')
  assert.deepEqual([late.paid(), late.taken(), await late.unsettled()], [[], [], []])
})

test('looks at three transactions of an order at most, and only at those of its depositor', async () => {
  const world = await open()
  for (let count = 0; count < 3; count += 1)
    world.origin.makeBalances(world.muxedId, world.balance({ amount: 7n }))
  for (let count = 0; count < 10; count += 1)
    world.origin.makeBalances(world.muxedId, world.balance({ from: 'stranger' }))
  world.origin.makeBalances(world.muxedId, world.balance())
  await world.pass(SETTLING_SECONDS)
  assert.notEqual((await world.deposits())?.state, 'complete')
  assert.deepEqual(world.taken(), [])
})
