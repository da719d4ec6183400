import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Event } from '@openrfq/sandbox/test/chain-calls.ts'
import { DEPLOYER } from '@openrfq/sandbox/test/contract-deployer.ts'
import { toFunctionSelector, zeroAddress } from 'viem'
import { openPool, pathOf } from './express-site.ts'
import { assertRefunded, eventOf, expressly, meanwhile, ordinarily, send, setMood } from './express-walk.ts'
import {
  alter,
  approve,
  assertEmpty,
  EXECUTOR,
  type ExpressWorld,
  executing,
  expressing,
  freshId,
  fromNative,
  give,
  type Message,
  orderOf,
  STRANGER,
  sending,
  startExpressWorld,
  THIRD,
  toNative,
} from './express-world.ts'

let world: ExpressWorld
before(async () => {
  world = await startExpressWorld()
})
after(() => world.stop())

test('a recipient that calls back during its payment starts, delivers and repays nothing', async () => {
  const { a, b } = world
  const recipient = await b.deploy('puppet')
  await setMood(b, recipient, 3)
  await give(b, b.bridge, recipient, 10n ** 10n)
  const approval = b.encode('act', [b.bridge, b.encode('approve', [b.router, 10n ** 10n])])
  await b.run({ from: STRANGER, to: recipient, data: approval })
  const other = await send(a, b, {})
  const id = await approve(b, other)
  const calls = [
    executing(b, id, other, STRANGER).data,
    expressing(b, freshId(), other, STRANGER).data,
    sending(b, orderOf(b, a)).data,
    b.encode('deliver', [b.bridge, { ...orderOf(a, b), amount: 1n, sourceChainId: 1n, sender: STRANGER }]),
  ]
  for (const data of calls) {
    await b.run({ from: STRANGER, to: recipient, data: b.encode('setCall', [b.router, data]) })
    const message = await send(a, b, { ...toNative(b), recipient, deliveryGas: 2_000_000 })
    await assertRefunded(a, b, message, ordinarily, ordinarily)
    assert.equal(await b.balanceOf(zeroAddress, recipient), 0n)
  }
  assert.ok(eventOf(await b.run(executing(b, id, other, STRANGER)), 'Delivered'))
})

test('an output token that takes a fee, returns false, reverts, burns gas or returns huge errors causes a refund', async () => {
  const { a, b } = world
  const token = await b.deploy('token')
  await b.run({ from: DEPLOYER, to: token, data: b.encode('mint', [DEPLOYER, 10n ** 20n]) })
  await openPool(b, b.bridge, token, 3000, 10n ** 20n)
  const part = { outputToken: token, outputPath: pathOf(b.bridge, [3000, token]) }
  for (const mood of [1, 2, 3, 4, 5]) {
    const message = await send(a, b, part)
    await setMood(b, token, mood)
    const reason = await assertRefunded(a, b, message, mood % 2 ? ordinarily : expressly, ordinarily)
    assert.ok(String(reason).length <= 202, 'the event repeats the flood')
  }
  await setMood(b, token, 7)
  assert.ok(eventOf(await ordinarily(b, await send(a, b, part)), 'Delivered'), 'a silent token is a good one')
})

test('an order that would leave value in the wrapped native asset or in the router is refunded', async () => {
  const { a, b } = world
  const message = await send(a, b, { ...toNative(b), recipient: b.wrapped })
  await assertRefunded(a, b, message, ordinarily, ordinarily)
  const forged = { ...message, payload: alter(message.payload, { recipient: b.router }) }
  assert.ok(eventOf(await b.run(expressing(b, freshId(), forged, EXECUTOR)), 'Returned'))
  await assertEmpty(b)
  const payload = alter(message.payload, { refundAddress: a.router })
  const back = { sourceChain: b.axelarChain, sourceAddress: b.router, target: a.router, payload }
  const call = expressing(a, freshId(), { ...back, symbol: a.symbol, amount: message.amount }, EXECUTOR)
  assert.equal(await a.refusal(call), 'InvalidParty')
})

test('a delivery with too little gas reverts and can be repeated', async () => {
  const { a, b } = world
  const message = await send(a, b, toNative(b))
  const call = executing(b, await approve(b, message), message, STRANGER)
  assert.equal(await b.refusal({ ...call, gas: 700_000n }), 'InsufficientGas')
  let events: readonly Event[] | undefined
  for (let gas = 60_000n; events === undefined; gas += 20_000n) {
    assert.ok(gas < 1_000_000n, 'no gas is enough')
    events = (await b.send({ ...call, gas })).events
  }
  assert.ok(eventOf(events, 'Delivered'))
})

test('the gas reserve pays for the return leg with the longest path and the most expensive recipient', async () => {
  const { a, b } = world
  const recipient = await b.deploy('puppet')
  await setMood(b, recipient, 2)
  const path = pathOf(b.bridge, [500, b.token], [500, b.bridge], [500, b.token], [3000, b.wrapped])
  const message = await send(a, b, { outputToken: zeroAddress, outputPath: path, recipient })
  const id = await approve(b, message)
  const least = 500_000n + 250_000n
  let gas = least
  while ((await b.refusal({ ...executing(b, id, message, STRANGER), gas })) === 'InsufficientGas')
    gas += 2_000n
  const events = await b.run({ ...executing(b, id, message, STRANGER), gas })
  assert.ok(eventOf(events, 'Returned'))
})

test('an order whose pools cannot take the whole input is rejected at the source or refunded', async () => {
  const { a, b } = world
  for (const side of [a, b]) {
    const token = await side.deploy('token')
    await side.run({ from: DEPLOYER, to: token, data: side.encode('mint', [DEPLOYER, 10n ** 20n]) })
    for (const other of [side.bridge, side.wrapped]) await openPool(side, token, other, 3000, 10n ** 12n, 60)
    if (side === a) {
      const part = { minimumBridgeAmount: 1n, minimumAmount: 1n, inputAmount: 10n ** 15n }
      const path = pathOf(a.wrapped, [3000, token], [3000, a.bridge])
      const code = await a.refusal(sending(a, orderOf(a, b, { ...part, ...fromNative(a), inputPath: path })))
      assert.equal(code, 'UnspentInput')
    } else {
      const part = {
        outputToken: token,
        outputPath: pathOf(b.bridge, [3000, token]),
        minimumAmount: 1n,
        deliveryGas: 3_000_000,
      }
      const message = await send(a, b, { ...part, inputAmount: 10n ** 15n })
      await assertRefunded(a, b, message, ordinarily, ordinarily)
    }
  }
})

test('native value left on the exchange by others changes nothing', async () => {
  const { a, b } = world
  for (const side of [a, b]) await side.rpc('anvil_setBalance', side.swapRouter, '0xde0b6b3a7640000')
  const message = await send(a, b, { ...fromNative(a), ...toNative(b) })
  assert.ok(eventOf(await ordinarily(b, message), 'Delivered'))
  const wrapped = { inputToken: a.wrapped, inputPath: pathOf(a.wrapped, [3000, a.bridge]) }
  const back = await send(a, b, { ...wrapped, ...toNative(b) })
  assert.ok(eventOf(await expressly(b, back), 'Delivered'))
  await assertEmpty(a)
  await assertEmpty(b)
  for (const side of [a, b]) assert.equal(await side.balanceOf(zeroAddress, side.swapRouter), 10n ** 18n)
})

test("the router accepts messages only from its chain's trusted router, in any hex case", async () => {
  const { a, b } = world
  const message = await send(a, b, {})
  const refused = async (part: Partial<Message>, expected: string | undefined): Promise<void> => {
    const forged = { ...message, ...part }
    assert.equal(await b.refusal(expressing(b, freshId(), forged, EXECUTOR)), expected)
    const id = await approve(b, forged)
    assert.equal(await b.refusal(executing(b, id, forged, STRANGER)), expected)
  }
  await refused({ sourceAddress: message.sourceAddress.toLowerCase() }, undefined)
  await refused({ sourceAddress: `0x${message.sourceAddress.slice(2).toUpperCase()}` }, undefined)
  await refused({ sourceAddress: STRANGER }, 'UntrustedSource')
  await refused({ sourceAddress: zeroAddress }, 'UntrustedSource')
  await refused({ sourceChain: b.axelarChain }, 'UntrustedSource')
  const nowhere = { sourceChain: 'Nowhere', sourceAddress: zeroAddress }
  await refused({ ...nowhere, payload: alter(message.payload, { sourceChainId: 0n }) }, 'UntrustedSource')
  await refused({ sourceChain: 'sandbox-a' }, 'UntrustedSource')
  await refused({ sourceChain: THIRD.axelarChain, sourceAddress: THIRD.router }, 'WrongTransfer')
  await refused({ amount: message.amount - 1n }, 'WrongTransfer')
  const altered = async (change: Readonly<Record<string, unknown>>) =>
    refused({ payload: alter(message.payload, change) }, 'WrongTransfer')
  await altered({ sourceChainId: THIRD.chainId })
  await altered({ sourceChainId: BigInt(b.number) })
  await altered({ destinationChainId: 1n })
  await altered({ amount: message.amount + 1n })
})

test('a return leg with another token or from another chain does not refund', async () => {
  const { a, b } = world
  const { payload } = await send(a, b, {})
  const back = { sourceChain: b.axelarChain, sourceAddress: b.router, target: a.router, payload }
  const amount = 1_000_000n
  const other = { ...back, symbol: a.etherSymbol, amount }
  assert.equal(await a.refusal(expressing(a, freshId(), other, EXECUTOR)), 'WrongTransfer')
  const same = { ...back, symbol: a.symbol, amount }
  assert.equal(await a.refusal(expressing(a, freshId(), same, EXECUTOR)), undefined)
  const third = { ...same, sourceChain: THIRD.axelarChain, sourceAddress: THIRD.router }
  assert.equal(await a.refusal(expressing(a, freshId(), third, EXECUTOR)), 'WrongTransfer')
})

test('send reverts for an input token that takes a fee, returns false or rejects the transfer', async () => {
  const { a, b } = world
  const outcomes: (string | undefined)[] = []
  for (const token of [a.bridge, a.token]) {
    const swap = token === a.token ? { inputToken: token, inputPath: pathOf(token, [500, a.bridge]) } : {}
    for (const mood of [0, 1, 2, 3, 7]) {
      await setMood(a, token, mood)
      outcomes.push(await a.refusal(sending(a, orderOf(a, b, swap))))
    }
    await setMood(a, token, 0)
  }
  const expected = [
    undefined,
    'InexactTransfer',
    'SafeERC20FailedOperation',
    'HostileToken: refused',
    undefined,
  ]
  assert.deepEqual(outcomes, [...expected, ...expected])
})

test('an input token that calls back during its transfer sends nothing twice', async () => {
  const { a, b } = world
  const call = sending(a, orderOf(a, b)).data
  await a.run({ from: STRANGER, to: a.token, data: a.encode('setCall', [a.router, call]) })
  await setMood(a, a.token, 6)
  const order = orderOf(a, b, { inputToken: a.token, inputPath: pathOf(a.token, [500, a.bridge]) })
  await a.run(sending(a, order))
  assert.equal(await a.read(a.token, 'isCallSuccessful', []), false)
  assert.equal(await a.read(a.token, 'answer', []), toFunctionSelector('ReentrancyGuardReentrantCall()'))
  await setMood(a, a.token, 0)
})

test('tokens left in a router cannot pay for an order', async () => {
  const { a, b } = world
  await meanwhile(b, async () => {
    for (const token of [b.token, b.wrapped, b.bridge]) await give(b, token, b.router, 10n ** 10n)
    const held = () =>
      Promise.all([b.token, b.wrapped, b.bridge].map((token) => b.balanceOf(token, b.router)))
    const before = await held()
    const parts = [{ outputToken: b.token }, { outputToken: zeroAddress }, { minimumAmount: 1_000_001n }]
    for (const part of parts) assert.ok(eventOf(await ordinarily(b, await send(a, b, part)), 'Returned'))
    assert.ok(eventOf(await ordinarily(b, await send(a, b, toNative(b))), 'Delivered'))
    assert.deepEqual(await held(), before)
  })
})
