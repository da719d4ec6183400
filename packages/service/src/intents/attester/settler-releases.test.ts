import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { createTestPaymentChain, type TestPayment } from '../../../test/test-payment-chain.ts'
import { RpcError } from '../../chains/rpc/rpc-error.ts'
import { strKeyText } from '../../chains/stellar/str-key.ts'
import { baseUnits } from '../../core/amount.ts'
import type { IntentOrder } from '../../core/intent-order.ts'
import type { Payment } from '../../core/payment.ts'
import { orderIdOf } from '../settlers/settler-contract.ts'
import type { OpenedOrder } from './fill-check.ts'
import type { Progress } from './releaser.ts'
import { createSettlerReleases } from './settler-releases.ts'

const account = (seed: number): string => strKeyText('G', new Uint8Array(32).fill(seed))
const EVM = '0x00000000000000000000000000000000000000E1'
const STELLAR = 'stellar:sandbox'
const START = 1_000
const NO_TRANSACTION = 'ff'.repeat(32)

const ORDER: IntentOrder = {
  depositor: EVM,
  salt: `0x${'5a'.repeat(32)}`,
  originChain: 'eip155:31337',
  originSettler: EVM,
  destinationChain: STELLAR,
  destinationSettler: account(1),
  openDeadline: START,
  fillDeadline: START + 60,
  refundAfter: START + 600,
  inputToken: EVM,
  inputAmount: baseUnits(1_000n),
  outputToken: strKeyText('C', new Uint8Array(32).fill(2)),
  outputAmount: baseUnits(500n),
  recipient: account(3),
  solver: EVM,
  filler: account(4),
  attester: EVM,
}
const OTHER: IntentOrder = { ...ORDER, salt: `0x${'5b'.repeat(32)}` }
const FILL: TestPayment = {
  from: ORDER.filler,
  to: ORDER.recipient,
  token: ORDER.outputToken,
  amount: ORDER.outputAmount,
  memo: orderIdOf(ORDER),
}

let stellar: ReturnType<typeof createTestPaymentChain>
let opened: Map<string, OpenedOrder>
let released: (readonly [string, Payment])[]
let progress: Progress

beforeEach(() => {
  stellar = createTestPaymentChain({ chainId: STELLAR, chainType: 'stellar', startSeconds: START })
  opened = new Map()
  released = []
  progress = 'waiting'
  open(ORDER)
  open(OTHER)
})

const open = (order: IntentOrder, isOpen = true): void => {
  const orderId = orderIdOf(order)
  opened.set(orderId, { orderId, order, isOpen })
}

/** Makes a payment and waits until it is final. */
const pay = (part: Partial<TestPayment> = {}, seconds = 5): string => {
  const txHash = stellar.pay({ ...FILL, ...part })
  stellar.advance(seconds)
  return txHash
}

const answerTo = async (transaction: string, order = ORDER): Promise<string> => {
  const judge = createSettlerReleases({
    attester: EVM,
    orders: { find: async (orderId) => opened.get(orderId) },
    paymentChains: new Map([[STELLAR, stellar.chain]]),
    releaser: {
      release: async ({ orderId }, payment) => {
        released.push([orderId, payment])
        return progress
      },
      hasReleased: async () => progress === 'released',
    },
  })
  const answer = await judge({ order, transaction })
  return answer.kind === 'attested' ? 'attested' : `${answer.kind}: ${answer.reason}`
}

test('a fill that is handed over has its order released by the payment of the named transaction', async () => {
  const transaction = pay()
  assert.equal(await answerTo(transaction), 'waiting: the release is under way')
  const [[orderId, payment] = assert.fail(), ...more] = released
  assert.deepEqual([orderId, payment.txHash, more], [orderIdOf(ORDER), transaction, []])
})

test('a transaction of another solver, order, recipient, amount or token releases nothing', async () => {
  const foreign: readonly Partial<TestPayment>[] = [
    { from: account(6) },
    { memo: orderIdOf(OTHER) },
    { to: account(7) },
    { amount: 499n },
    { amount: 501n },
    { token: account(8) },
  ]
  for (const part of foreign) assert.match(await answerTo(pay(part)), /^refused: no fill in transaction/)
  assert.deepEqual(released, [])
})

test('one transaction releases no second order', async () => {
  const transaction = pay()
  assert.match(await answerTo(transaction, OTHER), /^refused: .*paid for another order/)
  assert.deepEqual(released, [])
})

test('a fill after the deadline releases nothing', async () => {
  stellar.advance(60)
  assert.match(await answerTo(pay()), /^refused: .*paid after the fill deadline/)
  assert.deepEqual(released, [])
})

test('a fill that is not final waits, and so does an order that is not open in a final block', async () => {
  const behind = { paymentsIn: () => Promise.reject(new RpcError('NODE_BEHIND', 'not known')) }
  const judge = createSettlerReleases({
    attester: EVM,
    orders: { find: async (orderId) => opened.get(orderId) },
    paymentChains: new Map([[STELLAR, behind]]),
    releaser: { release: () => assert.fail('nothing is final'), hasReleased: async () => false },
  })
  assert.equal((await judge({ order: ORDER, transaction: NO_TRANSACTION })).kind, 'waiting')
  opened.clear()
  assert.equal(await answerTo(pay()), 'waiting: the order is not open in a final block')
  assert.deepEqual(released, [])
})

test('an order that is over, of another attester, proven otherwise, invalid or on an unread chain is refused', async () => {
  const transaction = pay()
  open(ORDER, false)
  assert.match(await answerTo(transaction), /^refused: the order is released or refunded/)
  assert.match(await answerTo(transaction, { ...ORDER, attester: account(9) }), /^refused: /)
  assert.match(
    await answerTo(transaction, { ...ORDER, attester: '0x00000000000000000000000000000000000000f2' }),
    /^refused: the order names another attester/,
  )
  assert.match(
    await answerTo(transaction, { ...ORDER, recipient: 'nobody' }),
    /^refused: the order is invalid/,
  )
  assert.match(await answerTo('nothing'), /^refused: nothing names no transaction/)
  assert.deepEqual(released, [])
})

test('an order whose releases all reverted is refused', async () => {
  const transaction = pay()
  progress = 'given up'
  assert.equal(await answerTo(transaction), 'refused: no release succeeds')
})

test('an order that the attester has released is not refused, whether or not it still shows as open', async () => {
  const transaction = pay()
  progress = 'released'
  assert.equal(await answerTo(transaction), 'waiting: the order is released')
  open(ORDER, false)
  assert.equal(await answerTo(transaction), 'waiting: the order is released')
})
