import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Hex, keccak256, zeroAddress } from 'viem'
import type { Event } from './chain-calls.ts'
import { DEPLOYER, openPool, pathOf } from './express-site.ts'
import {
  alter,
  approve,
  assertEmpty,
  EXECUTOR,
  type ExpressOrder,
  type ExpressWorld,
  executing,
  expressing,
  freshId,
  fromNative,
  type Message,
  messageOf,
  orderOf,
  RECIPIENT,
  REFUNDEE,
  type Side,
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

const HALF = 5n * 10n ** 19n

const eventOf = (events: readonly Event[], name: string): Event => {
  const found = events.find(({ eventName }) => eventName === name)
  assert.ok(found, `no ${name}`)
  return found
}

const send = async (from: Side, to: Side, part: Partial<ExpressOrder>): Promise<Message> =>
  messageOf(from, to, await from.run(sending(from, orderOf(from, to, part))))

const trade = async (side: Side, first: Hex, fee: number, second: Hex, amountIn: bigint): Promise<void> => {
  const run = (to: Hex, name: string, args: readonly unknown[]) =>
    side.run({ from: DEPLOYER, to, data: side.encode(name, args) })
  await run(first, 'approve', [side.swapRouter, amountIn])
  const params = {
    path: pathOf(first, [fee, second]),
    recipient: DEPLOYER,
    deadline: 2n ** 40n,
    amountIn,
    amountOutMinimum: 0n,
  }
  await run(side.swapRouter, 'exactInput', [params])
}

const setMood = (side: Side, of: Hex, mood: number) =>
  side.run({ from: STRANGER, to: of, data: side.encode('setMood', [mood]) })

/** Does something for the time of a test alone. */
const meanwhile = async (side: Side, work: () => Promise<void>): Promise<void> => {
  const state = await side.rpc('evm_snapshot')
  try {
    await work()
  } finally {
    await side.rpc('evm_revert', state)
  }
}

type Carrier = (to: Side, message: Message) => Promise<readonly Event[]>
const ordinarily: Carrier = async (to, message) =>
  to.run(executing(to, await approve(to, message), message, STRANGER))
/** By express first, and then the true message, which repays the executor and does nothing else. */
const expressly: Carrier = async (to, message) => {
  const token = message.symbol === to.symbol ? to.bridge : to.ether
  const stock = await to.balanceOf(token, EXECUTOR)
  const id = freshId()
  const events = await to.run(expressing(to, id, message, EXECUTOR))
  assert.equal(await to.balanceOf(token, EXECUTOR), stock - message.amount)
  await approve(to, message, id)
  const repaid = await to.run(executing(to, id, message, STRANGER))
  assert.deepEqual(
    repaid.filter(({ eventName }) => ['Delivered', 'Returned', 'Refunded'].includes(eventName)),
    [],
  )
  assert.equal(await to.balanceOf(token, EXECUTOR), stock)
  return events
}
const CARRIERS = [
  ['ordinary execution', ordinarily],
  ['an express executor', expressly],
] as const

/** A delivery that fails, and the way back: nobody but the refund address gets anything, and it all of what crossed. */
const assertRefunded = async (from: Side, to: Side, message: Message, there: Carrier, back: Carrier) => {
  const held = await to.balanceOf(zeroAddress, RECIPIENT)
  const events = await there(to, message)
  assert.equal(await to.balanceOf(zeroAddress, RECIPIENT), held)
  await assertEmpty(to)
  const transferId = keccak256(message.payload)
  const returned = eventOf(events, 'Returned').args
  assert.deepEqual(
    [returned['transferId'], returned['sourceChainId'], returned['amount']],
    [transferId, BigInt(from.number), message.amount],
  )
  const answer = messageOf(to, from, events)
  assert.equal(keccak256(answer.payload), transferId, 'the way back has another identifier')
  const refundToken = answer.symbol === from.symbol ? from.bridge : from.ether
  const before = await from.balanceOf(refundToken, REFUNDEE)
  const { args } = eventOf(await back(from, answer), 'Refunded')
  assert.deepEqual(
    [args['transferId'], args['refundAddress'], args['token'], args['amount']],
    [transferId, REFUNDEE, refundToken, message.amount],
  )
  assert.equal((await from.balanceOf(refundToken, REFUNDEE)) - before, message.amount)
  await assertEmpty(from)
  return returned['reason']
}

for (const [there, carryThere] of CARRIERS)
  for (const [back, carryBack] of CARRIERS)
    test(`a price beyond the minimum refunds the bridge token: there by ${there}, back by ${back}`, async () => {
      const { a, b } = world
      await meanwhile(b, async () => {
        const message = await send(a, b, { ...fromNative(a), ...toNative(b) })
        await trade(b, b.bridge, 3000, b.wrapped, HALF)
        const reason = await assertRefunded(a, b, message, carryThere, carryBack)
        const text = Buffer.from('Too little received').toString('hex')
        assert.ok(String(reason).includes(text), 'the event does not say why')
      })
    })

test('a price within the minimum delivers less', async () => {
  const { a, b } = world
  const part = { ...toNative(b), minimumAmount: 400_000n }
  for (const [, carry] of CARRIERS)
    await meanwhile(b, async () => {
      const message = await send(a, b, part)
      await trade(b, b.bridge, 3000, b.wrapped, HALF / 2n)
      const before = await b.balanceOf(zeroAddress, RECIPIENT)
      const paid = eventOf(await carry(b, message), 'Delivered').args['amount']
      assert.equal((await b.balanceOf(zeroAddress, RECIPIENT)) - before, paid)
      assert.ok(typeof paid === 'bigint' && paid >= 400_000n && paid < 700_000n)
    })
})

test('a minimum is met to the last base unit', async () => {
  const { a, b } = world
  const dry = async (minimumAmount: bigint): Promise<Event> => {
    const message = await send(a, b, { ...toNative(b), minimumAmount })
    const state = await b.rpc('evm_snapshot')
    const events = await ordinarily(b, message)
    await b.rpc('evm_revert', state)
    const found = events.find(({ eventName }) => ['Delivered', 'Returned'].includes(eventName))
    assert.ok(found)
    return found
  }
  const amount = (await dry(1n)).args['amount']
  assert.ok(typeof amount === 'bigint')
  assert.equal((await dry(amount)).eventName, 'Delivered')
  assert.equal((await dry(amount + 1n)).eventName, 'Returned')
})

test('a recipient that refuses native value, or burns all the gas, is not paid: refunded', async () => {
  const { a, b } = world
  const recipient = await b.deploy('puppet')
  for (const [, carry] of CARRIERS)
    for (const mood of [1, 2]) {
      await setMood(b, recipient, mood)
      const message = await send(a, b, { ...toNative(b), recipient })
      await assertRefunded(a, b, message, carry, carry)
      assert.equal(await b.balanceOf(zeroAddress, recipient), 0n)
    }
})

test('a recipient that calls back while it is paid starts, delivers and repays nothing', async () => {
  const { a, b } = world
  const recipient = await b.deploy('puppet')
  await setMood(b, recipient, 3)
  const other = await send(a, b, {})
  const id = await approve(b, other)
  const calls = [
    executing(b, id, other, STRANGER).data,
    expressing(b, freshId(), { ...other, amount: 0n }, STRANGER).data,
    sending(b, orderOf(b, a)).data,
    b.encode('deliver', [b.bridge, { ...orderOf(a, b), amount: 1n, sourceChainId: 1n, sender: STRANGER }]),
  ]
  for (const data of calls) {
    await b.run({ from: STRANGER, to: recipient, data: b.encode('setCall', [b.router, data]) })
    const message = await send(a, b, { ...toNative(b), recipient, deliveryGas: 1_000_000 })
    await assertRefunded(a, b, message, ordinarily, ordinarily)
    assert.equal(await b.balanceOf(zeroAddress, recipient), 0n)
  }
  assert.ok(eventOf(await b.run(executing(b, id, other, STRANGER)), 'Delivered'))
})

test('an output token that takes a fee, answers false, refuses, burns gas or floods with errors: refunded', async () => {
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

test('an order whose path does not begin with what arrives, or does not exist, is refunded and never stuck', async () => {
  const { a, b } = world
  const parts: readonly Partial<ExpressOrder>[] = [
    { outputToken: b.token },
    { outputToken: b.token, outputPath: pathOf(b.wrapped, [3000, b.token]) },
    { outputToken: b.token, outputPath: pathOf(b.bridge, [500, b.wrapped]) },
    { outputToken: b.token, outputPath: pathOf(b.bridge, [10_000, b.token]) },
    { outputToken: b.token, outputPath: '0x1234' },
    { outputToken: zeroAddress },
    { outputToken: STRANGER },
    { outputToken: STRANGER, outputPath: pathOf(b.bridge, [3000, STRANGER]) },
    { minimumAmount: 1_000_001n },
  ]
  for (const part of parts) await assertRefunded(a, b, await send(a, b, part), ordinarily, ordinarily)
})

test('nobody makes a delivery fail by giving it little gas', async () => {
  const { a, b } = world
  const message = await send(a, b, toNative(b))
  const id = await approve(b, message)
  const outcomes = new Set<string>()
  for (let gas = 60_000n; gas <= 1_000_000n; gas += 20_000n) {
    const state = await b.rpc('evm_snapshot')
    const { events } = await b.send({ ...executing(b, id, message, STRANGER), gas })
    outcomes.add(
      events === undefined
        ? 'reverted'
        : events.some((e) => e.eventName === 'Returned')
          ? 'returned'
          : 'delivered',
    )
    await b.rpc('evm_revert', state)
  }
  assert.deepEqual([...outcomes], ['reverted', 'delivered'])
  const call = { ...executing(b, id, message, STRANGER), gas: 700_000n }
  assert.equal(await b.refusal(call), 'InsufficientGas')
})

test('what is kept back for the way back suffices, with the longest path and the hungriest recipient', async () => {
  const { a, b } = world
  const recipient = await b.deploy('puppet')
  await setMood(b, recipient, 2)
  const hops = [
    [3000, b.token],
    [500, b.bridge],
    [500, b.token],
    [3000, b.wrapped],
  ] as const
  const path = pathOf(b.bridge, ...hops.slice(0, 1), ...hops.slice(1))
  const message = await send(a, b, { outputToken: zeroAddress, outputPath: path, recipient })
  const id = await approve(b, message)
  const least = 500_000n + 500_000n / 63n + 250_000n
  let gas = least
  while ((await b.refusal({ ...executing(b, id, message, STRANGER), gas })) === 'InsufficientGas')
    gas += 2_000n
  const events = await b.run({ ...executing(b, id, message, STRANGER), gas })
  assert.ok(eventOf(events, 'Returned'))
})

test('pools that cannot take all of the input: the sender keeps it, or it is refunded', async () => {
  const { a, b } = world
  for (const side of [a, b]) {
    const token = await side.deploy('token')
    await side.run({ from: DEPLOYER, to: token, data: side.encode('mint', [DEPLOYER, 10n ** 20n]) })
    for (const other of [side.bridge, side.wrapped]) await openPool(side, token, other, 500, 10n ** 12n, 60)
    if (side === a) {
      const part = { minimumBridgeAmount: 1n, minimumAmount: 1n, inputAmount: 10n ** 15n }
      const path = pathOf(a.wrapped, [500, token], [500, a.bridge])
      const code = await a.refusal(sending(a, orderOf(a, b, { ...part, ...fromNative(a), inputPath: path })))
      assert.equal(code, 'UnspentInput')
    } else {
      const part = { outputToken: token, outputPath: pathOf(b.bridge, [500, token]), minimumAmount: 1n }
      const message = await send(a, b, { ...part, inputAmount: 10n ** 15n })
      await assertRefunded(a, b, message, ordinarily, ordinarily)
    }
  }
})

test('native value that others leave on the exchange changes nothing', async () => {
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

test('a message is taken from the trusted router of its own chain alone, in any case of its hex digits', async () => {
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

test('a way back of another token than went there is no refund', async () => {
  const { a, b } = world
  const payload = alter((await send(a, b, {})).payload, {})
  const back = { sourceChain: b.axelarChain, sourceAddress: b.router, target: a.router, payload }
  const amount = 1_000_000n
  const other = { ...back, symbol: a.etherSymbol, amount }
  assert.equal(await a.refusal(expressing(a, freshId(), other, EXECUTOR)), 'WrongTransfer')
  const same = { ...back, symbol: a.symbol, amount }
  assert.equal(await a.refusal(expressing(a, freshId(), same, EXECUTOR)), undefined)
})

test('an input token that takes a fee, answers false or refuses sends nothing', async () => {
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

test('an input token that calls back while it is taken sends nothing twice', async () => {
  const { a, b } = world
  const call = sending(a, orderOf(a, b)).data
  await a.run({ from: STRANGER, to: a.token, data: a.encode('setCall', [a.router, call]) })
  await setMood(a, a.token, 6)
  const order = orderOf(a, b, { inputToken: a.token, inputPath: pathOf(a.token, [500, a.bridge]) })
  await a.run(sending(a, order))
  assert.equal(await a.read(a.token, 'isCallSuccessful', []), false)
  await setMood(a, a.token, 0)
})
