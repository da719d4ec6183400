import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Event } from '@openrfq/sandbox/test/chain-calls.ts'
import {
  encodeOrder,
  encodeOrders,
  type IntentOrder,
  orderIdOf,
  wrapOrder,
} from '@openrfq/sandbox/test/intent-order.ts'
import {
  approve,
  DEPOSITOR,
  executionOf,
  FILLER,
  fund,
  type Message,
  messagesOf,
  orderOf,
  type SettlerWorld,
  type Side,
  SOLVER,
  STRANGER,
  startSettlerWorld,
  THIRD,
} from '@openrfq/sandbox/test/settler-world.ts'
import { type Hex, zeroAddress } from 'viem'

const NATIVE = { inputToken: zeroAddress, outputToken: zeroAddress }

let world: SettlerWorld
before(async () => {
  world = await startSettlerWorld()
  for (const side of [world.a, world.b]) {
    await fund(side, DEPOSITOR, 10n ** 18n)
    await fund(side, FILLER, 10n ** 18n)
  }
})
after(() => world.stop())

const order = async (part: Partial<IntentOrder> = {}, from = world.a, to = world.b): Promise<IntentOrder> =>
  orderOf(from, to, Math.max(await from.now(), await to.now()), part)

const nativeOf = (token: Hex, amount: bigint): bigint => (token === zeroAddress ? amount : 0n)

const open = (side: Side, intent: IntentOrder) =>
  side.run({
    from: intent.depositor,
    to: side.settler,
    data: side.encode('open', [wrapOrder(intent)]),
    value: nativeOf(intent.inputToken, intent.inputAmount),
  })
const fill = (side: Side, intent: IntentOrder) =>
  side.run({
    from: intent.filler,
    to: side.settler,
    data: side.encode('fill', [orderIdOf(intent), encodeOrder(intent), '0x']),
    value: nativeOf(intent.outputToken, intent.outputAmount),
  })
const proveCall = (side: Side, orders: readonly IntentOrder[], value = 0n) => ({
  from: FILLER,
  to: side.settler,
  data: side.encode('prove', [orders]),
  value,
})
const statusOf = (side: Side, intent: IntentOrder) => side.read(side.settler, 'statusOf', [orderIdOf(intent)])
const namesOf = (events: readonly Event[]) => events.map(({ eventName }) => eventName)

const prove = async (side: Side, orders: readonly IntentOrder[]): Promise<Message> => {
  const [message] = messagesOf(side, await side.run(proveCall(side, orders)))
  assert.ok(message)
  return message
}
const deliver = async (side: Side, message: Message): Promise<readonly Event[]> =>
  side.run(executionOf(side, await approve(side, message), message))

test('a proven fill repays the solver through the Axelar gateway, in tokens and in the native asset, in both directions', async () => {
  const { a, b } = world
  for (const [from, to] of [[a, b] as const, [b, a] as const])
    for (const part of [{}, NATIVE]) {
      const intent = await order(part, from, to)
      const token = intent.inputToken
      const [solver, escrow] = [
        await from.balanceOf(token, SOLVER),
        await from.balanceOf(token, from.settler),
      ]
      await open(from, intent)
      await fill(to, intent)
      const events = await deliver(from, await prove(to, [intent]))
      assert.deepEqual(events.find(({ eventName }) => eventName === 'Released')?.args, {
        orderId: orderIdOf(intent),
        solver: SOLVER,
        token,
        amount: intent.inputAmount,
      })
      assert.equal(await from.balanceOf(token, SOLVER), solver + intent.inputAmount)
      assert.equal(await from.balanceOf(token, from.settler), escrow)
      assert.equal(await statusOf(from, intent), 2)
    }
})

test('prove pays the gas of its relay, and Axelar refunds the excess to the prover', async () => {
  const { a, b } = world
  const intent = await order()
  await fill(b, intent)
  const events = await b.run(proveCall(b, [intent], 12_345n))
  const paid = events.find(({ eventName }) => eventName === 'NativeGasPaidForContractCall')
  const call = events.find(({ eventName }) => eventName === 'ContractCall')
  assert.equal(paid?.args['gasFeeAmount'], 12_345n)
  assert.equal(paid?.args['refundAddress'], FILLER)
  assert.equal(paid?.args['sourceAddress'], b.settler)
  assert.equal(paid?.args['payloadHash'], call?.args['payloadHash'])
  assert.equal(paid?.args['destinationChain'], 'Sandbox-A')
  assert.equal(call?.args['destinationContractAddress'], a.settler.toLowerCase())
  assert.deepEqual(events.find(({ eventName }) => eventName === 'Proved')?.args, {
    orderId: orderIdOf(intent),
    originChainId: 31_337n,
    prover: FILLER,
  })
  assert.equal(await b.balanceOf(zeroAddress, b.settler), 0n)
})

test('prove accepts 1 to 32 filled orders of one origin, repeatedly', async () => {
  const { a, b } = world
  const [filled, unfilled] = [await order(), await order()]
  const elsewhere = await order({ originChainId: THIRD.chainId, originSettler: THIRD.settler })
  await fill(b, filled)
  await fill(b, elsewhere)
  await open(a, unfilled)
  assert.equal(await b.refusal(proveCall(b, [unfilled])), 'WrongStatus')
  assert.equal(await a.refusal(proveCall(a, [unfilled])), 'WrongStatus')
  assert.equal(await b.refusal(proveCall(b, [filled, elsewhere])), 'WrongOrigin')
  assert.equal(await b.refusal(proveCall(b, [])), 'WrongBatchSize')
  const batch = Array.from({ length: 33 }, () => filled)
  assert.equal(await b.refusal(proveCall(b, batch)), 'WrongBatchSize')
  assert.equal(await b.refusal(proveCall(b, batch.slice(1))), undefined)
  await prove(b, [filled])
  assert.equal(await b.refusal({ ...proveCall(b, [filled]), from: STRANGER }), undefined)
})

test('one message proves 32 orders and skips repeated and unknown ones', async () => {
  const { a, b } = world
  const orders: IntentOrder[] = []
  for (let index = 0; index < 30; index++) {
    const intent = await order(index % 2 === 0 ? NATIVE : {})
    await open(a, intent)
    await fill(b, intent)
    orders.push(intent)
  }
  const unknown = await order()
  await fill(b, unknown)
  const [first] = orders
  assert.ok(first)
  const events = await deliver(a, await prove(b, [unknown, ...orders, first]))
  const names = namesOf(events).filter((name) => name !== 'Transfer' && name !== 'ContractCallExecuted')
  assert.deepEqual(names, ['ProofIgnored', ...orders.map(() => 'Released'), 'ProofIgnored'])
  assert.deepEqual(
    events.filter(({ eventName }) => eventName === 'ProofIgnored').map(({ args }) => args),
    [
      { orderId: orderIdOf(unknown), sourceChainId: 31_338n, status: 0 },
      { orderId: orderIdOf(first), sourceChainId: 31_338n, status: 2 },
    ],
  )
})

test('the settler accepts messages only from a trusted settler on its own chain, in any case of its address', async () => {
  const { a, b } = world
  const intent = await order()
  await open(a, intent)
  const proof: Message = {
    sourceChain: 'sandbox-b',
    sourceAddress: b.settler,
    target: a.settler,
    payload: encodeOrders([intent]),
  }
  for (const forged of [
    { ...proof, sourceAddress: STRANGER },
    { ...proof, sourceChain: 'Sandbox-A' },
    { ...proof, sourceChain: 'Sandbox-B' },
    { ...proof, sourceChain: 'nowhere' },
    { ...proof, sourceChain: THIRD.axelarChain },
    { ...proof, sourceChain: 'Sandbox-A', sourceAddress: a.settler },
    { ...proof, sourceChain: 'nowhere', sourceAddress: zeroAddress },
  ])
    assert.equal(await a.refusal(executionOf(a, await approve(a, forged), forged)), 'UntrustedSource')
  const shapeless = { ...proof, sourceAddress: b.settler.slice(2) }
  assert.equal(
    await a.refusal(executionOf(a, await approve(a, shapeless), shapeless)),
    'InvalidAddressString',
  )
  assert.equal(await statusOf(a, intent), 1)
  const shouted = { ...proof, sourceAddress: `0x${b.settler.slice(2).toUpperCase()}` }
  assert.deepEqual(namesOf(await deliver(a, shouted)).includes('Released'), true)
})

test('a message that the gateway has not approved, or has already executed, does nothing', async () => {
  const { a, b } = world
  const intent = await order()
  await open(a, intent)
  await fill(b, intent)
  const message = await prove(b, [intent])
  const commandId: Hex = `0x${'12'.repeat(32)}`
  assert.equal(await a.refusal(executionOf(a, commandId, message)), 'NotApprovedByGateway')
  const approved = await approve(a, message)
  await a.run(executionOf(a, approved, message))
  assert.equal(await a.refusal(executionOf(a, approved, message)), 'NotApprovedByGateway')
})

test('a trusted settler cannot prove an order whose destination is another chain', async () => {
  const { a } = world
  const intent = await order()
  await open(a, intent)
  const events = await deliver(a, {
    sourceChain: THIRD.axelarChain,
    sourceAddress: THIRD.settler,
    target: a.settler,
    payload: encodeOrders([intent]),
  })
  assert.deepEqual(namesOf(events).slice(-1), ['ProofIgnored'])
  assert.equal(await statusOf(a, intent), 1)
})

test('a proof of an altered order releases nothing', async () => {
  const { a, b } = world
  const intent = await order()
  await open(a, intent)
  const altered = { ...intent, solver: STRANGER }
  const events = await deliver(a, {
    sourceChain: 'sandbox-b',
    sourceAddress: b.settler,
    target: a.settler,
    payload: encodeOrders([altered]),
  })
  assert.deepEqual(namesOf(events).slice(-1), ['ProofIgnored'])
  assert.equal(await statusOf(a, intent), 1)
})

test('a solver or token that reverts, burns gas, returns huge data or calls back does not block its batch', async () => {
  const { a, b } = world
  const orders: IntentOrder[] = []
  const kept = await order({ ...NATIVE, solver: await a.deploy('puppet') })
  await open(a, kept)
  for (const [mood, solver] of [
    [1, await a.deploy('puppet')],
    [2, await a.deploy('puppet')],
    [3, kept.solver],
  ] as const) {
    const data = a.encode('setCall', [a.settler, a.encode('decline', [kept])])
    await a.run({ from: STRANGER, to: solver, data })
    await a.run({ from: STRANGER, to: solver, data: a.encode('setMood', [mood]) })
    orders.push(await order({ ...NATIVE, solver }))
  }
  const tokens: (readonly [Hex, number])[] = []
  for (const mood of [2, 3, 4, 5]) {
    const inputToken = await a.deploy('token')
    await a.run({ from: DEPOSITOR, to: inputToken, data: a.encode('mint', [DEPOSITOR, 1_000_000n]) })
    await a.run({ from: DEPOSITOR, to: inputToken, data: a.encode('approve', [a.settler, 1_000_000n]) })
    tokens.push([inputToken, mood])
    orders.push(await order({ inputToken }))
  }
  const good = await order()
  orders.push(good)
  for (const intent of orders) {
    await open(a, intent)
    await fill(b, intent)
  }
  for (const [token, mood] of tokens)
    await a.run({ from: STRANGER, to: token, data: a.encode('setMood', [mood]) })
  const events = await deliver(a, await prove(b, orders))
  const names = namesOf(events).filter((name) => name.startsWith('Release'))
  assert.equal(await statusOf(a, kept), 1)
  assert.deepEqual(names, [...orders.slice(1).map(() => 'ReleaseCredited'), 'Released'])
  for (const intent of orders.slice(0, -1)) {
    const { solver, inputToken, inputAmount } = intent
    assert.equal(await statusOf(a, intent), 2)
    assert.equal(await a.read(a.settler, 'creditOf', [solver, inputToken]), inputAmount)
    if (inputToken === zeroAddress)
      await a.run({ from: STRANGER, to: solver, data: a.encode('setMood', [0]) })
    else await a.run({ from: STRANGER, to: inputToken, data: a.encode('setMood', [0]) })
    const before = await a.balanceOf(inputToken, solver)
    const data = a.encode('withdraw', [solver, inputToken])
    await a.run({ from: STRANGER, to: a.settler, data })
    assert.equal(await a.balanceOf(inputToken, solver), before + inputAmount)
    assert.equal(await a.refusal({ from: STRANGER, to: a.settler, data }), 'NothingToWithdraw')
  }
})

test('executing a proof with too little gas reverts instead of crediting', async () => {
  const { a, b } = world
  const intent = await order()
  await open(a, intent)
  await fill(b, intent)
  const message = await prove(b, [intent])
  const call = executionOf(a, await approve(a, message), message)
  assert.equal((await a.send({ ...call, gas: 450_000n })).events, undefined)
  assert.equal(await a.refusal({ ...call, gas: 450_000n }), 'InsufficientGas')
  assert.equal(await statusOf(a, intent), 1)
  assert.ok(namesOf(await a.run(call)).includes('Released'))
})
