import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Event } from '@openrfq/sandbox/test/chain-calls.ts'
import { encodeOrders, type IntentOrder, orderIdOf, wrapOrder } from '@openrfq/sandbox/test/intent-order.ts'
import {
  approve,
  DEPOSITOR,
  executionOf,
  fund,
  type Message,
  orderOf,
  type SettlerWorld,
  type Side,
  SOLVER,
  STRANGER,
  startSettlerWorld,
} from '@openrfq/sandbox/test/settler-world.ts'
import fc from 'fast-check'
import { type Hex, maxUint256, numberToHex, zeroAddress } from 'viem'

const NATIVE = { inputToken: zeroAddress, outputToken: zeroAddress }

let world: SettlerWorld
let a: Side
before(async () => {
  world = await startSettlerWorld()
  a = world.a
  await fund(a, DEPOSITOR, 10n ** 18n)
})
after(() => world.stop())

const opened = async (part: Partial<IntentOrder> = {}): Promise<IntentOrder> => {
  const intent = orderOf(a, world.b, await a.now(), part)
  const value = intent.inputToken === zeroAddress ? intent.inputAmount : 0n
  const data = a.encode('open', [wrapOrder(intent)])
  await a.run({ from: intent.depositor, to: a.settler, data, value })
  return intent
}

/** An order that its depositor, a contract, opens itself. */
const openedByPuppet = async (part: Partial<IntentOrder> = {}): Promise<IntentOrder> => {
  const depositor = part.depositor ?? (await a.deploy('puppet'))
  const intent = orderOf(a, world.b, await a.now(), { ...NATIVE, ...part, depositor })
  const data = a.encode('act', [a.settler, a.encode('open', [wrapOrder(intent)])])
  await a.run({ from: DEPOSITOR, to: depositor, data, value: intent.inputAmount })
  return intent
}

const setMood = (puppet: Hex, mood: number) =>
  a.run({ from: STRANGER, to: puppet, data: a.encode('setMood', [mood]) })
const declineCall = (intent: IntentOrder, from: Hex = intent.solver) => ({
  from,
  to: a.settler,
  data: a.encode('decline', [intent]),
})
const refundCall = (intent: IntentOrder) => ({
  from: STRANGER,
  to: a.settler,
  data: a.encode('refund', [intent]),
})
/** A proof in the form that the other settler sends. */
const proofOf = (intent: IntentOrder): Message => ({
  sourceChain: world.b.axelarChain,
  sourceAddress: world.b.settler,
  target: a.settler,
  payload: encodeOrders([intent]),
})
const release = async (intent: IntentOrder): Promise<readonly Event[]> => {
  const message = proofOf(intent)
  return a.run(executionOf(a, await approve(a, message), message))
}
const argsOf = (events: readonly Event[], name: string) =>
  events.find(({ eventName }) => eventName === name)?.args
const statusOf = (intent: IntentOrder) => a.read(a.settler, 'statusOf', [orderIdOf(intent)])
const refundArgs = (intent: IntentOrder) => ({
  orderId: orderIdOf(intent),
  depositor: intent.depositor,
  token: intent.inputToken,
  amount: intent.inputAmount,
})

/** The token of an account's credit, made by having the token reject the payment. */
const creditedIn = async (solver: Hex): Promise<Hex> => {
  const token = await a.deploy('token')
  await a.run({ from: DEPOSITOR, to: token, data: a.encode('mint', [DEPOSITOR, 1_000_000n]) })
  await a.run({ from: DEPOSITOR, to: token, data: a.encode('approve', [a.settler, 1_000_000n]) })
  const intent = await opened({ inputToken: token, solver })
  await setMood(token, 3)
  assert.ok(argsOf(await release(intent), 'ReleaseCredited'))
  await setMood(token, 0)
  return token
}

test('declining an open order refunds the depositor the exact input at once', async () => {
  for (const part of [{}, NATIVE]) {
    const intent = await opened(part)
    const before = await a.balanceOf(intent.inputToken, DEPOSITOR)
    const events = await a.run(declineCall(intent))
    assert.deepEqual(argsOf(events, 'Declined'), { orderId: orderIdOf(intent), solver: SOLVER })
    assert.deepEqual(argsOf(events, 'Refunded'), refundArgs(intent))
    assert.equal(await a.balanceOf(intent.inputToken, DEPOSITOR), before + intent.inputAmount)
    assert.equal(await statusOf(intent), 3)
    assert.equal(await a.refusal(declineCall(intent)), 'WrongStatus')
  }
})

test('decline reverts for anybody but the named solver', async () => {
  const intent = await opened()
  for (const from of [STRANGER, DEPOSITOR, intent.filler])
    assert.equal(await a.refusal(declineCall(intent, from)), 'NotSolver')
  assert.equal(await a.refusal(declineCall({ ...intent, solver: STRANGER })), 'WrongStatus')
})

test('anybody can refund the depositor from refundAfter on, and not a second earlier', async () => {
  const intent = await opened()
  assert.equal(await a.refusal(refundCall(intent), intent.refundAfter), 'RefundTooEarly')
  assert.equal(await a.refusal(refundCall(intent), intent.refundAfter + 1), undefined)
  const [depositor, stranger] = [await a.balanceOf(a.token, DEPOSITOR), await a.balanceOf(a.token, STRANGER)]
  await a.setNextTime(intent.refundAfter + 1)
  assert.deepEqual(argsOf(await a.run(refundCall(intent)), 'Refunded'), refundArgs(intent))
  assert.equal(await a.balanceOf(a.token, DEPOSITOR), depositor + intent.inputAmount)
  assert.equal(await a.balanceOf(a.token, STRANGER), stranger)
  assert.equal(await a.refusal(refundCall(intent)), 'WrongStatus')
})

test('refund reverts for an altered, unknown or released order', async () => {
  const intent = await opened()
  await a.setNextTime(intent.refundAfter + 1)
  await a.rpc('evm_mine')
  for (const part of [
    { depositor: STRANGER },
    { inputAmount: 2n },
    { inputToken: zeroAddress },
    { refundAfter: 0 },
  ])
    assert.equal(await a.refusal(refundCall({ ...intent, ...part })), 'WrongStatus')
  await release(intent)
  assert.equal(await a.refusal(refundCall(intent)), 'WrongStatus')
  assert.equal(await a.refusal(declineCall(intent)), 'WrongStatus')
})

test('a late proof still repays the solver of an order that was not refunded', async () => {
  const intent = await opened()
  await a.setNextTime(intent.refundAfter + 1000)
  assert.ok(argsOf(await release(intent), 'Released'))
})

test('a proof skips a refunded order', async () => {
  const intent = await opened()
  await a.run(declineCall(intent))
  const escrow = await a.balanceOf(a.token, a.settler)
  assert.deepEqual(argsOf(await release(intent), 'ProofIgnored'), {
    orderId: orderIdOf(intent),
    sourceChainId: 31_338n,
    status: 3,
  })
  assert.equal(await a.balanceOf(a.token, a.settler), escrow)
})

test('a solver that calls back during its repayment gains nothing', async () => {
  const solver = await a.deploy('puppet')
  const withdrawal = a.encode('withdraw', [solver, await creditedIn(solver)])
  await a.run({ from: STRANGER, to: solver, data: a.encode('setCall', [a.settler, withdrawal]) })
  await setMood(solver, 3)
  const intent = await opened({ ...NATIVE, solver })
  assert.ok(argsOf(await release(intent), 'ReleaseCredited'))
  assert.equal(await a.refusal({ from: STRANGER, to: a.settler, data: withdrawal }), undefined)
})

test('a depositor that rejects native value is credited; it or anybody else can trigger the withdrawal to it', async () => {
  for (const mood of [1, 2]) {
    const intent = await openedByPuppet()
    const { depositor, inputAmount } = intent
    await setMood(depositor, mood)
    const events = await a.run(declineCall(intent))
    assert.equal(argsOf(events, 'Refunded'), undefined)
    assert.deepEqual(argsOf(events, 'RefundCredited'), refundArgs(intent))
    assert.equal(await a.read(a.settler, 'creditOf', [depositor, zeroAddress]), inputAmount)
    const withdraw = { from: STRANGER, to: a.settler, data: a.encode('withdraw', [depositor, zeroAddress]) }
    assert.notEqual(await a.refusal(withdraw), undefined)
    assert.equal(await a.read(a.settler, 'creditOf', [depositor, zeroAddress]), inputAmount)
    await setMood(depositor, 0)
    assert.deepEqual(argsOf(await a.run(withdraw), 'Withdrawn'), {
      account: depositor,
      token: zeroAddress,
      recipient: depositor,
      amount: inputAmount,
    })
    assert.equal(await a.balanceOf(zeroAddress, depositor), inputAmount)
    assert.equal(await a.refusal(withdraw), 'NothingToWithdraw')
  }
})

test('only the depositor can redirect its credit to another account', async () => {
  const intent = await openedByPuppet()
  const { depositor, inputAmount } = intent
  await setMood(depositor, 1)
  await a.run(declineCall(intent))
  const recipient: Hex = '0x8000000000000000000000000000000000000008'
  const withdrawTo = (to: Hex) => a.encode('withdrawTo', [zeroAddress, to])
  const acting = (to: Hex) => ({
    from: STRANGER,
    to: depositor,
    data: a.encode('act', [a.settler, withdrawTo(to)]),
  })
  assert.equal(
    await a.refusal({ from: STRANGER, to: a.settler, data: withdrawTo(STRANGER) }),
    'NothingToWithdraw',
  )
  assert.equal(await a.refusal(acting(zeroAddress)), 'InvalidRecipient')
  assert.equal(await a.refusal(acting(a.settler)), 'InvalidRecipient')
  await a.run(acting(recipient))
  assert.equal(await a.balanceOf(zeroAddress, recipient), inputAmount)
})

test('a depositor that calls back during its refund gains nothing', async () => {
  const depositor = await a.deploy('puppet')
  const inputToken = await creditedIn(depositor)
  const escrow = await a.balanceOf(zeroAddress, a.settler)
  const intent = await openedByPuppet({ depositor })
  const [other, proven] = [await openedByPuppet({ depositor, solver: depositor }), await openedByPuppet()]
  const message = proofOf(proven)
  const execution = executionOf(a, await approve(a, message), message)
  for (const call of [
    a.encode('withdraw', [depositor, inputToken]),
    a.encode('decline', [other]),
    execution.data,
  ]) {
    const state = await a.rpc('evm_snapshot')
    await a.run({ from: STRANGER, to: depositor, data: a.encode('setCall', [a.settler, call]) })
    await setMood(depositor, 3)
    assert.deepEqual(argsOf(await a.run(declineCall(intent)), 'RefundCredited'), refundArgs(intent))
    assert.deepEqual(await Promise.all([intent, other, proven].map(statusOf)), [3, 1, 1])
    assert.equal(await a.balanceOf(zeroAddress, a.settler), escrow + 3_000_000n)
    // The same call succeeds outside a payment.
    assert.equal(await a.refusal({ from: depositor, to: a.settler, data: call }), undefined)
    await a.rpc('evm_revert', state)
  }
})

test('a depositor blacklisted by the token is credited, and paid once the token allows it', async () => {
  const token = await a.deploy('token')
  await a.run({ from: DEPOSITOR, to: token, data: a.encode('mint', [DEPOSITOR, 1_000_000n]) })
  await a.run({ from: DEPOSITOR, to: token, data: a.encode('approve', [a.settler, 1_000_000n]) })
  const intent = await opened({ inputToken: token })
  await setMood(token, 3)
  assert.ok(argsOf(await a.run(declineCall(intent)), 'RefundCredited'))
  const withdraw = { from: STRANGER, to: a.settler, data: a.encode('withdraw', [DEPOSITOR, token]) }
  assert.equal(await a.refusal(withdraw), 'HostileToken: refused')
  await setMood(token, 0)
  await a.run(withdraw)
  assert.equal(await a.balanceOf(token, DEPOSITOR), 1_000_000n)
  assert.equal(await a.balanceOf(token, a.settler), 0n)
})

test('a refund with too little gas reverts instead of crediting', async () => {
  const intent = await opened()
  assert.equal(await a.refusal({ ...declineCall(intent), gas: 430_000n }), 'InsufficientGas')
})

test('any escrowed amount is paid out to the last base unit, by refund or release', async () => {
  const token = await a.deploy('token')
  await a.run({ from: DEPOSITOR, to: token, data: a.encode('mint', [DEPOSITOR, maxUint256]) })
  await a.run({ from: DEPOSITOR, to: token, data: a.encode('approve', [a.settler, maxUint256]) })
  const amounts = fc.oneof(fc.bigInt(1n, 10n ** 6n), fc.bigInt(1n, 2n ** 200n))
  await fc.assert(
    fc.asyncProperty(amounts, fc.boolean(), fc.boolean(), async (inputAmount, isNative, isReleased) => {
      const inputToken = isNative ? zeroAddress : token
      if (isNative) await a.rpc('anvil_setBalance', DEPOSITOR, numberToHex(inputAmount))
      const payee = isReleased ? SOLVER : DEPOSITOR
      const intent = await opened({ inputToken, inputAmount })
      const [paid, escrow] = [await a.balanceOf(inputToken, payee), await a.balanceOf(inputToken, a.settler)]
      assert.ok(escrow >= inputAmount)
      await (isReleased ? release(intent) : a.run(declineCall(intent)))
      assert.equal(await a.balanceOf(inputToken, payee), paid + inputAmount)
      assert.equal(await a.balanceOf(inputToken, a.settler), escrow - inputAmount)
    }),
    { numRuns: 60 },
  )
})
