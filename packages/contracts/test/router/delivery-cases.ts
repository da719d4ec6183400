import assert from 'node:assert/strict'
import { keccak256, stringToHex, toHex, zeroAddress } from 'viem'
import { SHAPES } from './shapes.ts'
import { pathOf } from './site.ts'
import {
  alter,
  approve,
  assertEmpty,
  type Case,
  EXECUTOR,
  type ExpressOrder,
  eventOf,
  executing,
  expressing,
  freshId,
  fromNative,
  GAS_PAYMENT,
  INTEGRATOR,
  KEEPER,
  messageOf,
  orderOf,
  RECIPIENT,
  REFUNDEE,
  SENDER,
  STRANGER,
  send,
  sending,
  toNative,
  type World,
} from './world.ts'

const sendRefusal = async (world: World, part: Partial<ExpressOrder>, value?: bigint) => {
  const call = sending(world.a, await orderOf(world.a, world.b, part))
  return world.a.refusal(value === undefined ? call : { ...call, value })
}

/** What `send` and the two ways of executing do and refuse. */
export const DELIVERY_CASES: readonly Case[] = [
  ...SHAPES.flatMap(([name, side, shape]) =>
    (['executeWithToken', 'expressExecuteWithToken'] as const).map(
      (way): Case => ({
        name: `${way} delivers ${name}`,
        run: async (world) => {
          const [from, to] = side === 'a' ? [world.a, world.b] : [world.b, world.a]
          const order = await orderOf(from, to, shape(from, to))
          const events = await from.run(sending(from, order))
          const message = messageOf(from, to, events)
          const paid = eventOf(events, 'NativeGasPaidForExpressCallWithToken')
          assert.equal(paid?.['gasFeeAmount'], GAS_PAYMENT)
          assert.equal(paid?.['refundAddress'], REFUNDEE)
          assert.equal(eventOf(events, 'Sent')?.['transferId'], keccak256(message.payload))
          assert.ok(message.amount >= order.minimumBridgeAmount)
          const before = await to.balanceOf(order.outputToken, RECIPIENT)
          const id = freshId()
          const isExpress = way === 'expressExecuteWithToken'
          if (!isExpress) await approve(to, message, id)
          const call = isExpress ? expressing(to, id, message, EXECUTOR) : executing(to, id, message)
          const delivered = eventOf(await to.run(call), 'Delivered')
          const received = (await to.balanceOf(order.outputToken, RECIPIENT)) - before
          assert.ok(received >= order.minimumAmount)
          assert.equal(delivered?.['amount'], received)
          if (isExpress) {
            const token = order.symbol === from.symbol ? to.bridge : to.ether
            const spent = await to.balanceOf(token, EXECUTOR)
            await approve(to, message, id)
            await to.run(executing(to, id, message))
            assert.equal((await to.balanceOf(token, EXECUTOR)) - spent, message.amount)
            assert.equal((await to.balanceOf(order.outputToken, RECIPIENT)) - before, received)
          }
          assert.notEqual(await to.refusal(executing(to, id, message)), undefined)
          await assertEmpty(from)
          await assertEmpty(to)
        },
      }),
    ),
  ),
  {
    name: 'send refuses what cannot end well',
    run: async (world) => {
      const { a, b } = world
      const now = Math.max(await a.now(), await b.now())
      for (const [part, expected] of [
        [{ deadline: 1 }, 'DeadlinePassed'],
        [{ returnAfter: now - 1 }, 'WrongDeadlines'],
        [{ returnAfter: now + 86_400 + 600 }, 'WrongDeadlines'],
        [{ priorityUntil: now + 1200 }, 'WrongDeadlines'],
        [{ inputAmount: 0n }, 'ZeroAmount'],
        [{ minimumBridgeAmount: 0n }, 'ZeroAmount'],
        [{ minimumAmount: 0n }, 'ZeroAmount'],
        [{ recipient: zeroAddress }, 'InvalidParty'],
        [{ recipient: a.router }, 'InvalidParty'],
        [{ refundAddress: zeroAddress }, 'InvalidParty'],
        [{ refundAddress: a.router }, 'InvalidParty'],
        [{ integrator: INTEGRATOR }, 'InvalidFee'],
        [{ integratorFeeBps: 1 }, 'InvalidFee'],
        [{ integrator: INTEGRATOR, integratorFeeBps: 101 }, 'InvalidFee'],
        [{ integrator: INTEGRATOR, integratorFeeBps: 100 }, undefined],
        [{ destinationChain: 'SANDBOX-A' }, 'WrongDestination'],
        [{ destinationChainId: BigInt(a.number) }, 'WrongDestination'],
        [{ destinationChain: '' }, 'InvalidChainName'],
        [{ symbol: 'NONE' }, 'UnknownSymbol'],
        [{ inputToken: a.token }, 'InvalidPath'],
        [{ inputPath: pathOf(a.token, [500, a.bridge]) }, 'InvalidPath'],
        [{ inputToken: a.token, inputPath: pathOf(a.token, [500, a.wrapped]) }, 'InvalidPath'],
        [{ inputToken: a.token, inputPath: pathOf(a.token, [500, a.token]) }, 'InvalidPath'],
        [{ inputToken: a.token, inputPath: `${pathOf(a.token, [500, a.bridge])}00` }, 'InvalidPath'],
        [
          { inputToken: a.token, inputPath: `${a.token}0001f4${'00'.repeat(7)}${a.bridge.slice(2)}` },
          'InvalidPath',
        ],
        [{ inputToken: a.token, inputPath: pathOf(a.token, [3000, a.bridge]) }, 'NoPool'],
        [{ minimumBridgeAmount: 1_000_001n }, 'TooLittleOutput'],
        [{ ...fromNative(a), minimumBridgeAmount: 1_000_000n }, 'TooLittleOutput'],
      ] as const)
        assert.equal(await sendRefusal(world, part), expected, JSON.stringify(part, String))
      assert.equal(await sendRefusal(world, {}, 0n), 'MissingGasPayment')
      assert.equal(await sendRefusal(world, fromNative(a), 1_000_000n), 'MissingGasPayment')
      const order = await orderOf(a, b)
      await a.run(sending(a, order))
      assert.equal(await a.refusal(sending(a, order)), 'SaltUsed')
    },
  },
  {
    name: 'a path of five pools is refused, of four taken',
    run: async (world) => {
      const { a } = world
      const hops = [
        [500, a.bridge],
        [500, a.token],
        [500, a.bridge],
      ] as const
      const four = pathOf(a.token, ...hops, [500, a.token])
      assert.notEqual(await sendRefusal(world, { inputToken: a.token, inputPath: four }), undefined)
      const three = pathOf(a.token, ...hops)
      const part = { inputToken: a.token, minimumBridgeAmount: 1n }
      assert.equal(await sendRefusal(world, { ...part, inputPath: three }), undefined)
      const five = pathOf(a.token, ...hops, [500, a.token], [500, a.bridge])
      assert.equal(await sendRefusal(world, { ...part, inputPath: five }), 'InvalidPath')
    },
  },
  {
    name: 'a message is taken from its own address on the chain it names alone, in any case of letters',
    run: async (world) => {
      const { a, b } = world
      const message = await send(a, b)
      const refusalOf = async (part: Partial<typeof message>) => {
        const changed = { ...message, ...part }
        return b.refusal(executing(b, await approve(b, changed), changed))
      }
      for (const [part, expected] of [
        [{ sourceAddress: STRANGER }, 'UntrustedSource'],
        [{ sourceAddress: '' }, 'UntrustedSource'],
        [{ sourceChain: 'evil' }, 'WrongTransfer'],
        [{ sourceChain: '' }, 'InvalidChainName'],
        [{ amount: message.amount - 1n }, 'WrongTransfer'],
        [
          { payload: alter(message.payload, { destinationChain: toHex('evil', { size: 32 }) }) },
          'WrongTransfer',
        ],
        [{ payload: alter(message.payload, { sourceChain: toHex('evil', { size: 32 }) }) }, 'WrongTransfer'],
        [{ payload: alter(message.payload, { destinationChainId: 1n }) }, 'WrongTransfer'],
        [{ sourceAddress: message.sourceAddress.toLowerCase() }, undefined],
        [{ sourceChain: 'SANDBOX-A' }, undefined],
      ] as const)
        assert.equal(await refusalOf(part), expected, JSON.stringify(part, String))
      const raw = executing(b, freshId(), message)
      assert.equal(await b.refusal(raw), 'NotApprovedByGateway')
      const bare = b.encode('execute', [freshId(), 'sandbox-a', message.sourceAddress, message.payload])
      assert.equal(await b.refusal({ ...raw, data: bare }), 'NotApprovedByGateway')
      const express = b.encode('expressExecute', [
        freshId(),
        'sandbox-a',
        message.sourceAddress,
        message.payload,
      ])
      assert.equal(await b.refusal({ ...raw, data: express }), 'TokenRequired')
      assert.equal(
        await b.refusal({ ...expressing(b, freshId(), message, EXECUTOR), value: 1n }),
        'UnexpectedValue',
      )
      assert.equal(await b.refusal({ from: SENDER, to: b.router, data: '0x', value: 1n }), 'UnexpectedNative')
    },
  },
  {
    name: 'a delivery that cannot pay the minimum reverts, stays approved, and pays when it can',
    run: async (world) => {
      const { a, b } = world
      const message = await send(a, b, { ...toNative(b), minimumAmount: 990_000n })
      const id = await approve(b, message)
      const low = { ...message, payload: alter(message.payload, { minimumAmount: 999_999n }) }
      const lowId = await approve(b, low)
      assert.equal(await b.refusal(executing(b, lowId, low)), 'TooLittleOutput')
      assert.equal(await b.refusal(expressing(b, freshId(), low, EXECUTOR)), 'TooLittleOutput')
      const missing = { ...message, payload: alter(message.payload, { outputPath: '0x' }) }
      assert.equal(await b.refusal(executing(b, await approve(b, missing), missing)), 'InvalidPath')
      const own = { ...message, payload: alter(message.payload, { recipient: b.wrapped }) }
      assert.equal(await b.refusal(executing(b, await approve(b, own), own)), 'InvalidParty')
      const self = { ...message, payload: alter(message.payload, { recipient: b.router }) }
      assert.equal(await b.refusal(executing(b, await approve(b, self), self)), 'InvalidParty')
      await b.run(executing(b, id, message))
      await assertEmpty(b)
    },
  },
  {
    name: 'the named executor and the keeper execute first, everybody after the priority',
    run: async (world) => {
      const { a, b } = world
      const priorityUntil = Math.max(await a.now(), await b.now()) + 300
      const message = await send(a, b, { executor: EXECUTOR, priorityUntil })
      const id = await approve(b, message)
      assert.equal(await b.refusal(executing(b, id, message), priorityUntil), 'TooEarly')
      assert.equal(await b.refusal(executing(b, id, message), priorityUntil + 1), undefined)
      assert.equal(await b.refusal(executing(b, id, message, EXECUTOR), priorityUntil), undefined)
      assert.equal(await b.refusal(executing(b, id, message, KEEPER), priorityUntil), undefined)
      const unapproved = await send(a, b, { executor: KEEPER, priorityUntil })
      assert.equal(await b.refusal(expressing(b, freshId(), unapproved, EXECUTOR), priorityUntil), 'TooEarly')
      const free = await send(a, b, { priorityUntil })
      assert.equal(await b.refusal(executing(b, await approve(b, free), free), priorityUntil), undefined)
    },
  },
  {
    name: 'a delivery pays the integrator its part, in tokens, and the recipient at least the minimum of the rest',
    run: async (world) => {
      const { a, b } = world
      const fee = { integrator: INTEGRATOR, integratorFeeBps: 30 }
      const swap = { outputToken: b.token, outputPath: pathOf(b.bridge, [500, b.token]) }
      for (const [part, feeToken, output] of [
        [{}, b.bridge, b.bridge],
        [swap, b.token, b.token],
        [toNative(b), b.wrapped, zeroAddress],
      ] as const) {
        const message = await send(a, b, { ...fee, ...part })
        const earned = await b.balanceOf(feeToken, INTEGRATOR)
        const before = await b.balanceOf(output, RECIPIENT)
        const events = await b.run(executing(b, await approve(b, message), message))
        const paid = (await b.balanceOf(feeToken, INTEGRATOR)) - earned
        const received = (await b.balanceOf(output, RECIPIENT)) - before
        assert.equal(paid, ((paid + received) * 30n) / 10_000n)
        assert.equal(eventOf(events, 'FeePaid')?.['amount'], paid)
        assert.equal(eventOf(events, 'Delivered')?.['amount'], received)
        await assertEmpty(b)
      }
      const exact = await send(a, b, { ...fee, minimumAmount: 997_001n })
      assert.equal(await b.refusal(executing(b, await approve(b, exact), exact)), 'TooLittleOutput')
      const least = await send(a, b, { ...fee, minimumAmount: 997_000n })
      assert.equal(await b.refusal(executing(b, await approve(b, least), least)), undefined)
      const refused = await send(a, b, { ...fee, ...swap })
      const setting = b.encode('setCall', [INTEGRATOR, '0x'])
      await b.run({ from: STRANGER, to: b.token, data: setting })
      for (const mood of [10, 0]) {
        await b.run({ from: STRANGER, to: b.token, data: b.encode('setMood', [mood]) })
        const events = await b.run(executing(b, await approve(b, refused), refused))
        const delivered = BigInt(String(eventOf(events, 'Delivered')?.['amount']))
        assert.equal(eventOf(events, 'FeePaid') === undefined, mood === 10)
        assert.equal(delivered > 999_000n - 2_000n, mood === 10, 'the recipient gets a refused fee')
        await assertEmpty(b)
      }
    },
  },
  {
    name: 'the router says its chain, exchange and gas service as the factory was told',
    run: async (world) => {
      const { a } = world
      assert.equal(await a.read(a.router, 'chainName', []), stringToHex('sandbox-a', { size: 32 }))
      assert.equal(await a.read(a.router, 'swapFactory', []), a.pools)
      assert.equal(await a.read(a.router, 'wrappedNative', []), a.wrapped)
      assert.equal(await a.read(a.router, 'gasService', []), a.gasService)
      assert.equal(await a.read(a.router, 'gateway', []), a.gateway)
    },
  },
]
