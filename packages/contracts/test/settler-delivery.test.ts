import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { encodeOrder, type IntentOrder, orderIdOf } from '@openrfq/sandbox/test/intent-order.ts'
import {
  FILLER,
  fund,
  orderOf,
  RECIPIENT,
  type SettlerWorld,
  STRANGER,
  startSettlerWorld,
  THIRD,
} from '@openrfq/sandbox/test/settler-world.ts'
import fc from 'fast-check'
import { type Hex, maxUint256, zeroAddress } from 'viem'

const NATIVE = { inputToken: zeroAddress, outputToken: zeroAddress }

let world: SettlerWorld
let now: number
before(async () => {
  world = await startSettlerWorld()
  now = (await world.b.now()) + 1
  await fund(world.b, FILLER, 10n ** 18n)
})
after(() => world.stop())

const order = (part: Partial<IntentOrder> = {}): IntentOrder => orderOf(world.a, world.b, now, part)
const fillCall = (
  intent: IntentOrder,
  value = 0n,
  from: Hex = intent.filler,
  orderId = orderIdOf(intent),
) => ({
  from,
  to: world.b.settler,
  data: world.b.encode('fill', [orderId, encodeOrder(intent), '0x']),
  value,
})

test('fill pays the recipient the exact output of an ERC-20 once', async () => {
  const { b } = world
  const intent = order()
  const before = await b.balanceOf(b.token, RECIPIENT)
  const events = await b.run(fillCall(intent))
  assert.equal(await b.balanceOf(b.token, RECIPIENT), before + intent.outputAmount)
  assert.deepEqual(events.find(({ eventName }) => eventName === 'Filled')?.args, {
    orderId: orderIdOf(intent),
    filler: FILLER,
    recipient: RECIPIENT,
    token: b.token,
    amount: intent.outputAmount,
  })
  assert.equal(await b.read(b.settler, 'statusOf', [orderIdOf(intent)]), 4)
  assert.equal(await b.refusal(fillCall(intent)), 'WrongStatus')
})

test('fill pays the recipient the exact output of the native asset once', async () => {
  const { b } = world
  const intent = order(NATIVE)
  const before = await b.balanceOf(zeroAddress, RECIPIENT)
  await b.run(fillCall(intent, intent.outputAmount))
  assert.equal(await b.balanceOf(zeroAddress, RECIPIENT), before + intent.outputAmount)
  assert.equal(await b.balanceOf(zeroAddress, b.settler), 0n)
  assert.equal(await b.refusal(fillCall(intent, intent.outputAmount)), 'WrongStatus')
})

test('fill requires the exact native value, and no value for an ERC-20', async () => {
  const { b } = world
  assert.equal(await b.refusal(fillCall(order(NATIVE), 989_999n)), 'WrongValue')
  assert.equal(await b.refusal(fillCall(order(NATIVE), 990_001n)), 'WrongValue')
  assert.equal(await b.refusal(fillCall(order(), 1n)), 'WrongValue')
})

test('fill reverts for anybody but the named filler', async () => {
  assert.equal(await world.b.refusal(fillCall(order(), 0n, STRANGER)), 'NotFiller')
})

test('fill reverts when the order id does not match the order', async () => {
  const other = orderIdOf(order())
  assert.equal(await world.b.refusal(fillCall(order(), 0n, FILLER, other)), 'WrongOrderId')
})

test('fill succeeds until the second of the fill deadline, and not after', async () => {
  const intent = order()
  assert.equal(await world.b.refusal(fillCall(intent), intent.fillDeadline), undefined)
  assert.equal(await world.b.refusal(fillCall(intent), intent.fillDeadline + 1), 'FillDeadlinePassed')
})

test('fill reverts on another chain or settler than the order names, and for an untrusted origin', async () => {
  const { b } = world
  assert.equal(await b.refusal(fillCall(order({ destinationChainId: 1n }))), 'WrongDestination')
  assert.equal(await b.refusal(fillCall(order({ destinationSettler: STRANGER }))), 'WrongDestination')
  assert.equal(await b.refusal(fillCall(order({ originSettler: STRANGER }))), 'WrongOrigin')
  assert.equal(await b.refusal(fillCall(order({ originChainId: 1n }))), 'WrongOrigin')
  assert.equal(
    await b.refusal(fillCall(order({ originChainId: THIRD.chainId, originSettler: THIRD.settler }))),
    undefined,
  )
  assert.equal(await b.refusal(fillCall(order({ recipient: b.settler }))), 'InvalidParty')
})

test('fill reverts while a recipient rejects native value, and succeeds once it accepts', async () => {
  const { b } = world
  const recipient = await b.deploy('puppet')
  const intent = order({ ...NATIVE, recipient })
  const setMood = (mood: number) =>
    b.run({ from: STRANGER, to: recipient, data: b.encode('setMood', [mood]) })
  for (const mood of [1, 2]) {
    await setMood(mood)
    assert.equal((await b.send(fillCall(intent, intent.outputAmount))).events, undefined)
    assert.equal(await b.read(b.settler, 'statusOf', [orderIdOf(intent)]), 0)
  }
  assert.equal(await b.balanceOf(zeroAddress, recipient), 0n)
  await setMood(1)
  assert.equal(await b.refusal(fillCall(intent, intent.outputAmount)), 'PaymentRefused')
  await setMood(0)
  await b.run(fillCall(intent, intent.outputAmount))
  assert.equal(await b.balanceOf(zeroAddress, recipient), intent.outputAmount)
})

test('a recipient that calls back during its payment cannot fill', async () => {
  const { b } = world
  const recipient = await b.deploy('puppet')
  await fund(b, recipient, 10n ** 18n)
  const inner = order({ filler: recipient })
  const outer = order({ ...NATIVE, recipient })
  assert.equal(await b.refusal(fillCall(inner)), undefined)
  await b.run({ from: STRANGER, to: recipient, data: b.encode('setMood', [3]) })
  const setCall = b.encode('setCall', [b.settler, fillCall(inner).data])
  await b.run({ from: STRANGER, to: recipient, data: setCall })
  assert.equal(await b.refusal(fillCall(outer, outer.outputAmount)), 'PaymentRefused')
})

test('fill reverts for a token that delivers less, returns false or rejects the transfer', async () => {
  const { b } = world
  const token = await b.deploy('token')
  await b.run({ from: FILLER, to: token, data: b.encode('mint', [FILLER, maxUint256]) })
  await b.run({ from: FILLER, to: token, data: b.encode('approve', [b.settler, maxUint256]) })
  const outcomes: (string | undefined)[] = []
  for (const mood of [0, 1, 2, 3, 7]) {
    await b.run({ from: STRANGER, to: token, data: b.encode('setMood', [mood]) })
    outcomes.push(await b.refusal(fillCall(order({ outputToken: token }))))
  }
  assert.deepEqual(outcomes, [
    undefined,
    'InexactTransfer',
    'SafeERC20FailedOperation',
    'HostileToken: refused',
    undefined,
  ])
})

test('fill delivers any amount to the last base unit, in tokens and in the native asset', async () => {
  const { b } = world
  const token = await b.deploy('token')
  await b.run({ from: FILLER, to: token, data: b.encode('mint', [FILLER, maxUint256]) })
  await b.run({ from: FILLER, to: token, data: b.encode('approve', [b.settler, maxUint256]) })
  const amount = fc.oneof(fc.bigInt(1n, 10n ** 6n), fc.bigInt(1n, 2n ** 200n))
  let recipients = 0x7000_0000_0000n
  await fc.assert(
    fc.asyncProperty(amount, fc.boolean(), async (outputAmount, isNative) => {
      const recipient: Hex = `0x${(recipients++).toString(16).padStart(40, '0')}`
      const outputToken = isNative ? zeroAddress : token
      const value = isNative ? outputAmount : 0n
      if (isNative) await b.rpc('anvil_setBalance', FILLER, `0x${outputAmount.toString(16)}`)
      await b.run(fillCall(order({ outputToken, outputAmount, recipient }), value))
      assert.equal(await b.balanceOf(outputToken, recipient), outputAmount)
      assert.equal(await b.balanceOf(outputToken, b.settler), 0n)
    }),
    { numRuns: 60 },
  )
})
