import assert from 'node:assert/strict'
import { chainWord, encodeOrder, type IntentOrder, orderIdOf } from '@openrfq/sandbox/test/intent-order.ts'
import { type Hex, zeroAddress } from 'viem'
import { dirtied } from './opening-cases.ts'
import {
  argsOf,
  type Case,
  fillCall,
  KIND,
  messagesOf,
  moves,
  orderOf,
  proveCall,
  recordOf,
  repayTo,
} from './steps.ts'
import { FILLER, PAYEE, RECIPIENT, SOLVER, STRANGER, WINDOW, type World } from './world.ts'

const NATIVE = { inputToken: zeroAddress, outputToken: zeroAddress }

const refusal = async (
  world: World,
  part: Partial<IntentOrder>,
  at?: number,
  from?: Hex,
  fillerData?: Hex,
) => {
  const order = await orderOf(world, part)
  return world.b.refusal(fillCall(world.b, order, from, fillerData), at)
}

/** What `fill` and `prove` do and refuse. */
export const DELIVERY_CASES: readonly Case[] = [
  {
    name: 'the filler pays the recipient exactly once, for the solver’s repayment',
    run: async (world) => {
      const { b } = world
      for (const part of [{}, NATIVE]) {
        const order = await orderOf(world, part)
        let filled: Readonly<Record<string, unknown>> = {}
        const steps = async () => {
          filled = argsOf(await b.run(fillCall(b, order)), 'Filled')
        }
        await moves(b, steps, [
          [order.outputToken, FILLER, -order.outputAmount],
          [order.outputToken, RECIPIENT, order.outputAmount],
          [order.outputToken, b.settler, 0n],
        ])
        assert.deepEqual(filled, {
          orderId: orderIdOf(world.settler, order),
          filler: FILLER,
          repayTo: SOLVER,
        })
        assert.deepEqual(await recordOf(b, order), [KIND.filled, SOLVER])
        assert.equal(await b.refusal(fillCall(b, order)), 'WrongKind')
      }
    },
  },
  {
    name: 'the filler fills for the solver after its exclusive time too, regardless of its fillerData',
    run: async (world) => {
      const order = await orderOf(world, { exclusiveUntil: 0 })
      await world.b.run(fillCall(world.b, order, FILLER, repayTo(PAYEE)))
      assert.deepEqual(await recordOf(world.b, order), [KIND.filled, SOLVER])
    },
  },
  {
    name: 'anybody fills after the exclusive time, not within it, and says where to be repaid',
    run: async (world) => {
      const { b } = world
      const order = await orderOf(world)
      const call = fillCall(b, order, STRANGER, repayTo(PAYEE))
      assert.equal(await b.refusal(call, order.exclusiveUntil), 'NotFiller')
      assert.equal(await b.refusal(call, order.exclusiveUntil + 1), undefined)
      const free = await orderOf(world, { exclusiveUntil: 0 })
      for (const [account, expected] of [
        [zeroAddress, 'InvalidParty'],
        [world.settler, 'InvalidParty'],
        [PAYEE, undefined],
      ] as const)
        assert.equal(await b.refusal(fillCall(b, free, STRANGER, repayTo(account))), expected)
      assert.notEqual(await b.refusal(fillCall(b, free, STRANGER)), undefined)
      assert.notEqual(await b.refusal(fillCall(b, free, STRANGER, `0x${'ff'.repeat(32)}`)), undefined)
      await b.run(fillCall(b, free, STRANGER, repayTo(PAYEE)))
      assert.deepEqual(await recordOf(b, free), [KIND.filled, PAYEE])
    },
  },
  {
    name: 'fill succeeds to the second of the fill deadline, and not after',
    run: async (world) => {
      const order = await orderOf(world)
      const call = fillCall(world.b, order)
      assert.equal(await world.b.refusal(call, order.fillDeadline), undefined)
      assert.equal(await world.b.refusal(call, order.fillDeadline + 1), 'FillDeadlinePassed')
    },
  },
  {
    name: 'fill requires this chain by number and by name',
    run: async (world) => {
      assert.equal(await refusal(world, { destinationChainId: 1n }), 'WrongDestination')
      assert.equal(await refusal(world, { destinationChain: chainWord('evil') }), 'WrongDestination')
      const order = await orderOf(world)
      assert.equal(await world.a.refusal(fillCall(world.a, order)), 'WrongDestination')
    },
  },
  {
    name: 'fill requires time for a proof between the fill deadline and the refund',
    run: async (world) => {
      const { fillDeadline } = await orderOf(world)
      const at = (refundAfter: number) => refusal(world, { fillDeadline, refundAfter })
      assert.equal(await at(fillDeadline + WINDOW - 1), 'WrongDeadlines')
      assert.equal(await at(fillDeadline + WINDOW), undefined)
      assert.equal(await refusal(world, { fillDeadline: 2 ** 32 - 1, refundAfter: 599 }), 'WrongDeadlines')
    },
  },
  {
    name: 'fill refuses another id, and a recipient that is the settler or the caller',
    run: async (world) => {
      const { b } = world
      const order = await orderOf(world)
      const other = await orderOf(world)
      const data = b.encode('fill', [orderIdOf(world.settler, other), encodeOrder(order), '0x'])
      assert.equal(await b.refusal({ ...fillCall(b, order), data }), 'WrongOrderId')
      const long = b.encode('fill', [orderIdOf(world.settler, order), `${encodeOrder(order)}00`, '0x'])
      assert.equal(await b.refusal({ ...fillCall(b, order), data: long }), 'WrongOrderLength')
      assert.equal(await refusal(world, { recipient: world.settler }), 'InvalidParty')
      assert.equal(await refusal(world, { recipient: FILLER }), 'InvalidParty')
      const own = { recipient: STRANGER, exclusiveUntil: 0, ...NATIVE }
      assert.equal(await refusal(world, own, undefined, STRANGER, repayTo(PAYEE)), 'InvalidParty')
    },
  },
  {
    name: 'fill takes the exact value, and reverts when the recipient or the token refuses',
    run: async (world) => {
      const { b } = world
      const order = await orderOf(world, NATIVE)
      const call = fillCall(b, order)
      assert.equal(await b.refusal({ ...call, value: order.outputAmount - 1n }), 'WrongValue')
      assert.equal(await b.refusal({ ...call, value: order.outputAmount + 1n }), 'WrongValue')
      assert.equal(await b.refusal({ ...fillCall(b, await orderOf(world)), value: 1n }), 'WrongValue')
      const recipient = await b.deploy('puppet')
      await b.run({ from: STRANGER, to: recipient, data: b.encode('setMood', [1]) })
      assert.equal(await refusal(world, { ...NATIVE, recipient }), 'PaymentRefused')
      const token = await b.deploy('token')
      await b.run({ from: FILLER, to: token, data: b.encode('mint', [FILLER, 10n ** 18n]) })
      await b.run({ from: FILLER, to: token, data: b.encode('approve', [b.settler, 10n ** 18n]) })
      for (const [mood, expected] of [
        [0, undefined],
        [1, 'InexactTransfer'],
        [2, 'SafeERC20FailedOperation'],
        [3, 'HostileToken: refused'],
      ] as const) {
        await b.run({ from: STRANGER, to: token, data: b.encode('setMood', [mood]) })
        assert.equal(await refusal(world, { outputToken: token }), expected)
      }
    },
  },
  {
    name: 'a fill with dirty upper bits in a field that it does not read fills another order',
    run: async (world) => {
      const { b } = world
      const order = await orderOf(world)
      // Position 5 is the open deadline. Its id is another, which open never gives.
      const originData = dirtied(encodeOrder(order), 5)
      const data = b.encode('fill', [orderIdOf(world.settler, order), originData, '0x'])
      assert.equal(await b.refusal({ ...fillCall(b, order), data }), 'WrongOrderId')
    },
  },
  {
    name: 'prove sends digest and payee of each filled order to its own address, and pays the relay’s gas',
    run: async (world) => {
      const { b } = world
      const orders = [await orderOf(world), await orderOf(world, { exclusiveUntil: 0 })]
      const [one, two] = orders
      assert.ok(one && two)
      await b.run(fillCall(b, one))
      await b.run(fillCall(b, two, STRANGER, repayTo(PAYEE)))
      const events = await b.run(proveCall(b, orders, 'Sandbox-A', 7n))
      const [message] = messagesOf(b, events)
      assert.ok(message)
      const call = argsOf(events, 'ContractCall')
      assert.equal(call['sender'], b.settler)
      assert.equal(call['destinationChain'], 'Sandbox-A')
      assert.equal(String(call['destinationContractAddress']), b.settler.toLowerCase())
      assert.equal((message.payload.length - 2) / 2, 128)
      const paid = argsOf(events, 'NativeGasPaidForContractCall')
      assert.equal(paid['gasFeeAmount'], 7n)
      assert.equal(paid['refundAddress'], STRANGER)
      assert.equal(paid['payloadHash'], call['payloadHash'])
      const free = await b.run(proveCall(b, orders, 'Sandbox-A'))
      assert.equal(free.length, 1, 'no gas is paid without value')
    },
  },
  {
    name: 'prove refuses orders that are not filled here, none, and more than a hundred',
    run: async (world) => {
      const { b } = world
      const order = await orderOf(world)
      assert.equal(await b.refusal(proveCall(b, [order], 'Sandbox-A')), 'WrongKind')
      assert.equal(await b.refusal(proveCall(b, [], 'Sandbox-A')), 'WrongBatchSize')
      await b.run(fillCall(b, order))
      assert.equal(await b.refusal(proveCall(b, [order, await orderOf(world)], 'Sandbox-A')), 'WrongKind')
      const many = Array.from({ length: 100 }, () => order)
      assert.equal(await b.refusal(proveCall(b, many, 'Sandbox-A')), undefined)
      assert.equal(await b.refusal(proveCall(b, [...many, order], 'Sandbox-A')), 'WrongBatchSize')
      assert.equal(await world.a.refusal(proveCall(world.a, [order], 'sandbox-b')), 'WrongKind')
    },
  },
]
