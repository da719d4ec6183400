import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Event } from '@openrfq/sandbox/test/chain-calls.ts'
import { type Hex, keccak256, zeroAddress } from 'viem'
import { SHAPES } from './express-shapes.ts'
import { pathOf } from './express-site.ts'
import { eventOf } from './express-walk.ts'
import {
  approve,
  assertEmpty,
  EXECUTOR,
  type ExpressOrder,
  type ExpressWorld,
  executing,
  expressing,
  freshId,
  fromNative,
  GAS_PAYMENT,
  messageOf,
  orderOf,
  RECIPIENT,
  REFUNDEE,
  SENDER,
  type Side,
  STRANGER,
  sending,
  startExpressWorld,
} from './express-world.ts'

let world: ExpressWorld
before(async () => {
  world = await startExpressWorld()
})
after(() => world.stop())

const getOrderPayments = (at: 'a' | 'b'): readonly [Side, Side] =>
  at === 'a' ? [world.a, world.b] : [world.b, world.a]

/** Sends an order and checks that exactly its input and its gas payment left the sender. */
const sendExactly = async (from: Side, to: Side, order: ExpressOrder) => {
  const isNative = order.inputToken === zeroAddress
  const before = await from.balanceOf(order.inputToken, SENDER)
  const gasBefore = await from.balanceOf(zeroAddress, from.gasService)
  const events = await from.run(sending(from, order))
  const paid = before - (await from.balanceOf(order.inputToken, SENDER))
  assert.equal(paid, order.inputAmount + (isNative ? GAS_PAYMENT : 0n))
  assert.equal((await from.balanceOf(zeroAddress, from.gasService)) - gasBefore, GAS_PAYMENT)
  await assertEmpty(from)
  const message = messageOf(from, to, events)
  const { args } = eventOf(events, 'Sent')
  assert.equal(args['transferId'], keccak256(message.payload))
  assert.equal(args['bridgeAmount'], message.amount)
  assert.ok(message.amount >= order.minimumBridgeAmount)
  return { message, transferId: keccak256(message.payload) }
}

const assertDelivered = (events: readonly Event[], order: ExpressOrder, id: Hex, paid: bigint): void => {
  const { args } = eventOf(events, 'Delivered')
  assert.deepEqual(
    [args['commandId'], args['recipient'], args['token'], args['amount']],
    [id, order.recipient, order.outputToken, paid],
  )
  assert.ok(paid >= order.minimumAmount)
}

for (const [name, at, part] of SHAPES) {
  test(`ordinary execution delivers ${name}`, async () => {
    const [from, to] = getOrderPayments(at)
    const order = orderOf(from, to, part(from, to))
    const { message, transferId } = await sendExactly(from, to, order)
    const id = await approve(to, message)
    const before = await to.balanceOf(order.outputToken, RECIPIENT)
    const events = await to.run(executing(to, id, message, STRANGER))
    const paid = (await to.balanceOf(order.outputToken, RECIPIENT)) - before
    assertDelivered(events, order, id, paid)
    assert.equal(eventOf(events, 'Delivered').args['transferId'], transferId)
    await assertEmpty(to)
    assert.equal(await to.refusal(executing(to, id, message, STRANGER)), 'NotApprovedByGateway')
  })

  test(`an express executor delivers ${name} early and is repaid without a second delivery`, async () => {
    const [from, to] = getOrderPayments(at)
    const order = orderOf(from, to, part(from, to))
    const { message } = await sendExactly(from, to, order)
    const token = order.symbol === from.symbol ? to.bridge : to.ether
    const stock = await to.balanceOf(token, EXECUTOR)
    const id = freshId()
    const before = await to.balanceOf(order.outputToken, RECIPIENT)
    const events = await to.run(expressing(to, id, message, EXECUTOR))
    const paid = (await to.balanceOf(order.outputToken, RECIPIENT)) - before
    assertDelivered(events, order, id, paid)
    assert.equal(stock - (await to.balanceOf(token, EXECUTOR)), message.amount)
    await assertEmpty(to)
    assert.equal(await to.refusal(expressing(to, id, message, EXECUTOR)), 'ExpressExecutorAlreadySet')
    await approve(to, message, id)
    assert.equal(await to.refusal(expressing(to, id, message, EXECUTOR)), 'AlreadyExecuted')
    const repaid = await to.run(executing(to, id, message, STRANGER))
    assert.ok(eventOf(repaid, 'ExpressExecutionWithTokenFulfilled'))
    assert.equal(await to.balanceOf(token, EXECUTOR), stock)
    assert.equal(await to.balanceOf(order.outputToken, RECIPIENT), before + paid)
    await assertEmpty(to)
    assert.equal(await to.refusal(executing(to, id, message, STRANGER)), 'NotApprovedByGateway')
  })
}

test('the router pays the gas service for an express call, and excess gas goes to the refund address', async () => {
  const { a, b } = world
  const events = await a.run(sending(a, orderOf(a, b)))
  const { args } = eventOf(events, 'NativeGasPaidForExpressCallWithToken')
  const message = messageOf(a, b, events)
  assert.deepEqual(
    [args['sourceAddress'], args['destinationChain'], args['payloadHash'], args['symbol'], args['amount']],
    [a.router, b.axelarChain, keccak256(message.payload), a.symbol, message.amount],
  )
  assert.deepEqual([args['gasFeeAmount'], args['refundAddress']], [GAS_PAYMENT, REFUNDEE])
  assert.equal(String(args['destinationAddress']).toLowerCase(), b.router.toLowerCase())
})

test('send reverts when a field of the order is invalid', async () => {
  const { a, b } = world
  const now = await a.now()
  const refused = async (part: Partial<ExpressOrder>, expected: string | undefined): Promise<void> => {
    assert.equal(
      await a.refusal(sending(a, orderOf(a, b, part)), now + 10),
      expected,
      JSON.stringify(Object.keys(part)),
    )
  }
  await refused({ deadline: now + 10 }, undefined)
  await refused({ deadline: now + 9 }, 'DeadlinePassed')
  await refused({ inputAmount: 0n }, 'ZeroAmount')
  await refused({ minimumBridgeAmount: 0n }, 'ZeroAmount')
  await refused({ minimumAmount: 0n }, 'ZeroAmount')
  await refused({ recipient: zeroAddress }, 'InvalidParty')
  await refused({ recipient: b.router }, 'InvalidParty')
  await refused({ refundAddress: zeroAddress }, 'InvalidParty')
  await refused({ refundAddress: a.router }, 'InvalidParty')
  await refused({ deliveryGas: 99_999 }, 'InvalidDeliveryGas')
  await refused({ deliveryGas: 3_000_001 }, 'InvalidDeliveryGas')
  await refused({ destinationChainId: BigInt(a.number) }, 'UnknownDestination')
  await refused({ destinationChainId: 1n }, 'UnknownDestination')
  await refused({ symbol: 'axlUSDC' }, 'UnknownSymbol')
  await refused({ minimumBridgeAmount: 1_000_001n }, 'TooLittleOutput')
  await refused({ ...fromNative(a), minimumBridgeAmount: 999_999n }, 'Too little received')
  await refused({ inputToken: a.token }, 'InvalidPath')
  await refused({ inputToken: zeroAddress }, 'InvalidPath')
  await refused({ inputPath: pathOf(a.bridge, [500, a.token]) }, 'InvalidPath')
  await refused({ inputPath: pathOf(a.bridge, [500, a.token], [500, a.bridge]) }, 'InvalidPath')
  const path = pathOf(a.token, [500, a.bridge])
  await refused({ inputToken: a.token, inputPath: path }, undefined)
  await refused({ inputToken: a.token, inputPath: `${path}00` }, 'InvalidPath')
  await refused(
    { inputToken: a.token, inputPath: `${path.slice(0, 42)}${path.slice(48)}` as Hex },
    'InvalidPath',
  )
  await refused({ inputToken: a.wrapped, inputPath: path }, 'InvalidPath')
  const hops = ([500, 500, 500, 500] as const).map(
    (fee, index) => [fee, index % 2 ? a.token : a.bridge] as const,
  )
  await refused({ inputToken: a.token, inputPath: pathOf(a.token, ...hops, [500, a.bridge]) }, 'InvalidPath')
})

test('the gas payment is the value above a native input, and must not be zero', async () => {
  const { a, b } = world
  const native = orderOf(a, b, fromNative(a))
  assert.equal(await a.refusal({ ...sending(a, orderOf(a, b)), value: 0n }), 'MissingGasPayment')
  assert.equal(await a.refusal({ ...sending(a, native), value: native.inputAmount }), 'MissingGasPayment')
  assert.equal(await a.refusal({ ...sending(a, native), value: native.inputAmount + 1n }), undefined)
})

test('an order is sent once; another sender may reuse its salt', async () => {
  const { a, b } = world
  const order = orderOf(a, b)
  assert.equal(await a.read(a.router, 'isSaltUsed', [SENDER, order.salt]), false)
  await a.run(sending(a, order))
  assert.equal(await a.read(a.router, 'isSaltUsed', [SENDER, order.salt]), true)
  assert.equal(await a.refusal(sending(a, order)), 'SaltUsed')
  assert.equal(await a.refusal(sending(a, { ...order, inputAmount: 2_000_000n })), 'SaltUsed')
  assert.equal(await a.refusal(sending(a, order, EXECUTOR)), undefined)
})

test('send reverts for a sender without balance or approval', async () => {
  const { a, b } = world
  assert.equal(await a.refusal({ ...sending(a, orderOf(a, b), STRANGER), value: 0n }), 'MissingGasPayment')
  await a.rpc('anvil_setBalance', STRANGER, '0xffffffff')
  assert.equal(await a.refusal(sending(a, orderOf(a, b), STRANGER)), 'ERC20InsufficientAllowance')
})

test('the router rejects native value except from the wrapped token, and messages without a token', async () => {
  const { a, b } = world
  const plain = { from: SENDER, to: a.router, data: '0x' as const, value: 1n }
  assert.equal(await a.refusal(plain), 'UnexpectedNative')
  const express = b.encode('expressExecute', [freshId(), a.axelarChain, a.router, '0x'])
  assert.equal(await b.refusal({ from: EXECUTOR, to: b.router, data: express }), 'TokenRequired')
  const message = messageOf(a, b, await a.run(sending(a, orderOf(a, b))))
  const call = { ...expressing(b, freshId(), message, EXECUTOR), value: 1n }
  assert.equal(await b.refusal(call), 'UnexpectedValue')
  const deliver = b.encode('deliver', [
    b.bridge,
    { ...orderOf(a, b), amount: 1n, sourceChainId: 1n, sender: SENDER },
  ])
  assert.equal(await b.refusal({ from: EXECUTOR, to: b.router, data: deliver }), 'OnlyItself')
})
