import assert from 'node:assert/strict'
import { test } from 'node:test'
import { baseUnits } from '../../../core/amount.ts'
import type { IntentOrder, OrderId } from '../../../core/intent-order.ts'
import type { SolverAsset } from '../assets.ts'
import { orderKeys } from '../order-keys.ts'
import { createTransactionStates } from '../transaction-states.ts'
import { createPendingOrders } from './pending-orders.ts'
import { createAttestedReservations } from './reservations.ts'

const ASSET: SolverAsset = {
  key: 'solana:ledger token',
  chainId: 'solana:ledger',
  address: 'token',
  symbol: 'TKN',
  isNative: false,
  isOnPaymentChain: true,
  price: undefined,
}
const DEADLINE_MS = 100_000

const idOf = (index: number): OrderId => `0x${index.toString(16).padStart(64, '0')}`

const orderOf = (outputAmount: bigint, outputToken = ASSET.address): IntentOrder => ({
  depositor: 'depositor',
  salt: idOf(0),
  originChain: 'stellar:ledger',
  originSettler: 'vault',
  destinationChain: ASSET.chainId,
  destinationSettler: 'vault',
  openDeadline: 1,
  fillDeadline: DEADLINE_MS / 1000,
  refundAfter: 200,
  inputToken: 'input',
  inputAmount: baseUnits(1n),
  outputToken,
  outputAmount: baseUnits(outputAmount),
  recipient: 'recipient',
  solver: 'solver',
  filler: 'filler',
  attester: 'attester',
})

/** Three orders of 1, 10 and 100 of the asset, and one of another asset. */
const createScene = () => {
  const scene = { now: 0, readAt: 0 }
  const pendingOrders = createPendingOrders()
  const states = createTransactionStates({
    findTransaction: async () => undefined,
    findPayout: async () => undefined,
    findDeclinedOrder: async () => undefined,
    addDeclinedOrder: async () => undefined,
  })
  const holding = () => ({ asset: ASSET, spendable: 1_000n, blockNumber: 1n, readAt: scene.readAt })
  const reservations = createAttestedReservations({
    pendingOrders,
    inventory: { holding },
    states,
    now: () => scene.now,
  })
  for (const [index, amount] of [1n, 10n, 100n].entries())
    pendingOrders.take({ orderId: idOf(index), order: orderOf(amount), isFinal: true })
  pendingOrders.take({ orderId: idOf(3), order: orderOf(1_000n, 'other'), isFinal: true })
  return {
    scene,
    pendingOrders,
    states,
    owed: () => reservations.owed(ASSET),
    sent: () => reservations.sent(ASSET),
  }
}

test('an order is owed until it is paid and a later read of the balance has begun', () => {
  const { scene, pendingOrders, states, owed, sent } = createScene()
  assert.deepEqual([owed(), sent()], [111n, 0n])
  states.note({ key: orderKeys(idOf(1)).fill, outcome: 'open' })
  assert.deepEqual([owed(), sent()], [111n, 10n])
  states.note({ key: orderKeys(idOf(1)).fill, outcome: 'succeeded' })
  pendingOrders.change(idOf(1), { paidAt: 5_000 })
  scene.readAt = 5_000
  assert.deepEqual([owed(), sent()], [111n, 10n], 'a read that began at the payment may not include it')
  scene.readAt = 5_001
  assert.deepEqual([owed(), sent()], [101n, 0n])
})

test('declined, failed and late orders are not owed; a signed payment always is', () => {
  const { scene, states, owed, sent } = createScene()
  states.note({ key: orderKeys(idOf(0)).decline, outcome: 'succeeded' })
  assert.equal(owed(), 110n)
  states.note({ key: orderKeys(idOf(2)).fill, outcome: 'open' })
  scene.now = DEADLINE_MS + 1
  assert.deepEqual([owed(), sent()], [100n, 100n])
  states.note({ key: orderKeys(idOf(2)).fill, outcome: 'expired' })
  assert.deepEqual([owed(), sent()], [0n, 0n])
})

test('a final deposit stays final, and an order keeps its state over a repeated notice', () => {
  const { pendingOrders } = createScene()
  pendingOrders.change(idOf(0), { paidAt: 7, declineSentAt: 8, isFillNamed: true })
  pendingOrders.take({ orderId: idOf(0), order: orderOf(1n), isFinal: false })
  const [entry] = pendingOrders.orders()
  const { isFinal, paidAt, declineSentAt, isFillNamed } = entry ?? {}
  assert.deepEqual([isFinal, paidAt, declineSentAt, isFillNamed], [true, 7, undefined, false])
  pendingOrders.forget(idOf(0))
  assert.equal(pendingOrders.orders().length, 3)
})

test('the number of pending orders is limited, and earlier ones stay', () => {
  const pendingOrders = createPendingOrders()
  const take = (index: number): boolean =>
    pendingOrders.take({ orderId: idOf(index), order: orderOf(1n), isFinal: true })
  for (let index = 0; index < 10_000; index += 1) assert.ok(take(index))
  assert.equal(take(10_000), false)
  assert.equal(take(5), true)
  assert.equal(pendingOrders.orders().length, 10_000)
})
