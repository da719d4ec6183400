import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDeposit, testOrder, testOrderId } from '../../../test/test-deposits.ts'
import { muxedAddress } from '../../chains/stellar/muxed-account.ts'
import type { Payment } from '../../core/payment.ts'
import { repayTo } from '../settlers/attestation.ts'
import type { OrderEvents } from '../settlers/order-events.ts'
import { evmFillFacts, isFillOf } from './fill-facts.ts'

const ACCOUNT = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'
const MUXED_ID = 2n ** 64n - 1n
const ORDER_ID = testOrderId(1)
const PLAIN = testOrder({ recipient: ACCOUNT, solver: ACCOUNT })
const MUXED = testOrder({ recipient: muxedAddress(ACCOUNT, MUXED_ID) })

const fill = (changes: Partial<Payment> = {}): Payment =>
  testDeposit(1, {
    chainId: PLAIN.destinationChain,
    from: PLAIN.filler,
    to: ACCOUNT,
    token: PLAIN.outputToken,
    amount: PLAIN.outputAmount,
    memo: ORDER_ID,
    timestampSeconds: PLAIN.fillDeadline,
    ...changes,
  })

test('a fill matches the order exactly, including muxed id and deadline', () => {
  assert.equal(isFillOf(ORDER_ID, PLAIN, fill()), true)
  assert.equal(isFillOf(ORDER_ID, MUXED, fill({ muxedId: MUXED_ID })), true)
  const others: readonly Partial<Payment>[] = [
    { chainId: PLAIN.originChain },
    { from: 'other' },
    { to: 'other' },
    { token: 'other' },
    { amount: PLAIN.outputAmount - 1n },
    { amount: PLAIN.outputAmount + 1n },
    { memo: testOrderId(2) },
    { memo: undefined },
    { muxedId: 1n },
    { timestampSeconds: PLAIN.fillDeadline + 1 },
  ]
  for (const changes of others) assert.equal(isFillOf(ORDER_ID, PLAIN, fill(changes)), false)
  for (const muxedId of [undefined, 1n]) assert.equal(isFillOf(ORDER_ID, MUXED, fill({ muxedId })), false)
})

const NOTHING: OrderEvents = {
  open: undefined,
  filled: undefined,
  proven: undefined,
  released: undefined,
  refunded: undefined,
}

const filledSide = (final: boolean): OrderEvents => ({
  ...NOTHING,
  filled: {
    chainId: 'eip155:31337',
    txHash: '0x01',
    position: 0,
    blockNumber: 1n,
    timestampSeconds: PLAIN.fillDeadline,
    final,
    event: {
      kind: 'attestedFilled',
      orderId: ORDER_ID,
      filler: PLAIN.filler,
      repayTo: repayTo(PLAIN),
    },
  },
})

const factOf = (side: OrderEvents, unfilled: boolean) =>
  evmFillFacts({ lastKnown: async () => side }, { isUnfilled: async () => unfilled })(ORDER_ID, PLAIN)

const withEvent = (change: object): OrderEvents => {
  const { filled } = filledSide(true)
  assert.ok(filled)
  return { ...NOTHING, filled: { ...filled, event: { ...filled.event, ...change } } }
}

test("on an EVM chain a final event proves a fill, and the settler's status proves that none can follow", async () => {
  assert.equal(await factOf(filledSide(true), false), 'filled')
  assert.equal(await factOf(filledSide(true), true), 'filled')
  assert.equal(await factOf(filledSide(false), true), 'open')
  assert.equal(await factOf(NOTHING, false), 'open')
  assert.equal(await factOf(NOTHING, true), 'impossible')
})

test('a fill for the repayment of another account, or of another settler, releases nothing', async () => {
  for (const change of [{ repayTo: `0x${'11'.repeat(32)}` }, { kind: 'filled' }])
    assert.equal(await factOf(withEvent(change), false), 'open')
})
