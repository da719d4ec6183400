import assert from 'node:assert/strict'
import {
  chainWord,
  digestOf,
  encodeOrder,
  type IntentOrder,
  ORDER_DATA_TYPE,
  orderIdOf,
  wrapOrder,
} from '@openrfq/sandbox/test/intent-order.ts'
import { type Hex, maxUint256, numberToHex, pad, toHex, zeroAddress, zeroHash } from 'viem'
import { argsOf, type Case, KIND, moves, nowOf, openCall, orderOf, recordOf } from './steps.ts'
import { DEPOSITOR, INTEGRATOR, STRANGER, type World } from './world.ts'

const DAYS = 86_400
const NATIVE = { inputToken: zeroAddress, outputToken: zeroAddress }

const refusal = async (world: World, part: Partial<IntentOrder>, value?: bigint, at?: number) => {
  const call = openCall(world.a, await orderOf(world, part))
  return world.a.refusal(value === undefined ? call : { ...call, value }, at)
}

/** Each field of an order that is narrower than a word, by its position. */
const NARROW: readonly (readonly [name: string, position: number])[] = [
  ['depositor', 0],
  ['openDeadline', 5],
  ['exclusiveUntil', 6],
  ['fillDeadline', 7],
  ['refundAfter', 8],
  ['inputToken', 9],
  ['outputToken', 11],
  ['recipient', 13],
  ['solver', 14],
  ['filler', 15],
  ['integrator', 16],
]

/** The encoded order with the highest bit of one word set. */
export const dirtied = (encoded: Hex, position: number): Hex => {
  const start = 2 + 64 * position
  const word = BigInt(`0x${encoded.slice(start, start + 64)}`) | (1n << 255n)
  return `0x${encoded.slice(2, start)}${numberToHex(word, { size: 32 }).slice(2)}${encoded.slice(start + 64)}`
}

/** What `open` does and refuses. */
export const OPENING_CASES: readonly Case[] = [
  {
    name: 'ids and digests are those of EIP-712, equal on both chains, and cover every field',
    run: async (world) => {
      const order = await orderOf(world)
      for (const side of [world.a, world.b]) {
        assert.equal(await side.read(side.settler, 'digestOf', [order]), digestOf(world.settler, order))
        assert.equal(await side.read(side.settler, 'orderIdOf', [order]), orderIdOf(world.settler, order))
      }
      const words = encodeOrder(order).slice(2).match(/.{64}/g) ?? []
      assert.equal(words.length, 18)
      assert.equal(ORDER_DATA_TYPE.length, 66)
    },
  },
  {
    name: 'open escrows an ERC-20 and emits the order as ERC-7683 resolves it, byte for byte',
    run: async (world) => {
      const { a } = world
      for (const part of [{}, { integrator: zeroAddress, integratorFee: 0n }]) {
        const order = await orderOf(world, part)
        let opened: Readonly<Record<string, unknown>> = {}
        const steps = async () => {
          opened = argsOf(await a.run(openCall(a, order)), 'Open')
        }
        await moves(a, steps, [
          [a.token, DEPOSITOR, -order.inputAmount],
          [a.token, a.settler, order.inputAmount],
        ])
        const resolved = await a.read(a.settler, 'resolve', [wrapOrder(order)])
        assert.deepEqual(opened, { orderId: orderIdOf(world.settler, order), resolvedOrder: resolved })
        assert.deepEqual(resolved, {
          user: order.depositor,
          originChainId: order.originChainId,
          openDeadline: order.openDeadline,
          fillDeadline: order.fillDeadline,
          orderId: orderIdOf(world.settler, order),
          maxSpent: [
            {
              token: pad(order.outputToken).toLowerCase(),
              amount: order.outputAmount,
              recipient: pad(order.recipient),
              chainId: order.destinationChainId,
            },
          ],
          minReceived: [
            {
              token: pad(order.inputToken).toLowerCase(),
              amount: order.inputAmount - order.integratorFee,
              recipient: pad(order.solver),
              chainId: order.originChainId,
            },
          ],
          fillInstructions: [
            {
              destinationChainId: order.destinationChainId,
              destinationSettler: pad(world.settler).toLowerCase(),
              originData: encodeOrder(order),
            },
          ],
        })
        assert.deepEqual(await recordOf(a, order), [KIND.open, zeroAddress])
      }
    },
  },
  {
    name: 'open escrows exactly the native value, once',
    run: async (world) => {
      const { a } = world
      const order = await orderOf(world, NATIVE)
      await moves(a, () => a.run(openCall(a, order)), [[zeroAddress, a.settler, order.inputAmount]])
      assert.equal(await a.refusal(openCall(a, order)), 'WrongKind')
      assert.equal(await refusal(world, NATIVE, 999_999n), 'WrongValue')
      assert.equal(await refusal(world, NATIVE, 1_000_001n), 'WrongValue')
      assert.equal(await refusal(world, {}, 1n), 'WrongValue')
      assert.notEqual(
        await a.refusal({ from: DEPOSITOR, to: a.settler, data: '0x', value: 1n }),
        undefined,
        'value without an order',
      )
    },
  },
  {
    name: 'open is for the depositor, on the order’s own chain',
    run: async (world) => {
      const order = await orderOf(world)
      assert.equal(await world.a.refusal({ ...openCall(world.a, order), from: STRANGER }), 'NotDepositor')
      assert.equal(await world.b.refusal(openCall(world.b, order)), 'WrongOrigin')
      assert.equal(await refusal(world, { originChainId: 1n }), 'WrongOrigin')
    },
  },
  {
    name: 'open refuses a destination that is this chain, or no folded name',
    run: async (world) => {
      const { a } = world
      const own = chainWord(a.axelarName)
      for (const part of [
        { destinationChain: own },
        { destinationChainId: BigInt(a.number) },
        { destinationChain: zeroHash },
        { destinationChain: toHex('Optimism', { size: 32 }) },
        { destinationChain: toHex('optimisM', { size: 32 }) },
        { destinationChain: toHex('Zeta', { size: 32 }) },
        { destinationChain: pad('0x80', { dir: 'right' }) },
      ])
        assert.equal(await refusal(world, part), 'WrongDestination', JSON.stringify(part, String))
      for (const name of ['optimism', 'xrpl-evm', 'a', '[\\]^_`{|}~@'])
        assert.equal(await refusal(world, { destinationChain: toHex(name, { size: 32 }) }), undefined, name)
    },
  },
  {
    name: 'open succeeds to the second of the open deadline, and not after',
    run: async (world) => {
      const now = await nowOf(world)
      const part = { openDeadline: now + 100 }
      assert.equal(await refusal(world, part, undefined, now + 100), undefined)
      assert.equal(await refusal(world, part, undefined, now + 101), 'OpenDeadlinePassed')
    },
  },
  {
    name: 'open requires deadlines in order, and an escrow of at most thirty days',
    run: async (world) => {
      const now = await nowOf(world)
      const at = (part: Partial<IntentOrder>) => refusal(world, part, undefined, now + 1)
      const wrong: readonly Partial<IntentOrder>[] = [
        { openDeadline: now + 1201 },
        { exclusiveUntil: now + 1201 },
        { refundAfter: now + 1200 },
        { refundAfter: now + 30 * DAYS + 2 },
      ]
      const right: readonly Partial<IntentOrder>[] = [
        { openDeadline: now + 1200 },
        { exclusiveUntil: now + 1200 },
        { exclusiveUntil: 0 },
        { refundAfter: now + 1201 },
        { refundAfter: now + 30 * DAYS + 1 },
      ]
      for (const part of wrong) {
        const fixed = { fillDeadline: now + 1200, ...part }
        assert.equal(await at(fixed), 'WrongDeadlines', JSON.stringify(part))
      }
      for (const part of right)
        assert.equal(await at({ fillDeadline: now + 1200, ...part }), undefined, JSON.stringify(part))
    },
  },
  {
    name: 'open refuses zero amounts, parties that cannot be paid, and fees that leave nothing',
    run: async (world) => {
      const { settler } = world
      const none = { integrator: zeroAddress, integratorFee: 0n }
      for (const [part, expected] of [
        [{ inputAmount: 0n, ...none }, 'ZeroAmount'],
        [{ outputAmount: 0n }, 'ZeroAmount'],
        [{ solver: zeroAddress }, 'InvalidParty'],
        [{ solver: settler }, 'InvalidParty'],
        [{ filler: zeroAddress }, 'InvalidParty'],
        [{ filler: DEPOSITOR, recipient: DEPOSITOR }, 'InvalidParty'],
        [{ recipient: zeroAddress }, 'InvalidParty'],
        [{ recipient: settler }, 'InvalidParty'],
        [{ outputToken: settler }, 'InvalidParty'],
        [{ integrator: settler }, 'InvalidParty'],
        [{ integratorFee: 10_001n }, 'InvalidFee'],
        [{ integratorFee: maxUint256 }, 'InvalidFee'],
        [{ integratorFee: 0n }, 'InvalidFee'],
        [{ integrator: zeroAddress }, 'InvalidFee'],
        [{ integratorFee: 10_000n }, undefined],
        [none, undefined],
      ] as const)
        assert.equal(await refusal(world, part), expected, JSON.stringify(part, String))
    },
  },
  {
    name: 'open refuses another data type, length or outer deadline',
    run: async (world) => {
      const { a } = world
      const wrapped = wrapOrder(await orderOf(world))
      for (const [part, expected] of [
        [{ orderDataType: zeroHash }, 'WrongOrderType'],
        [{ fillDeadline: wrapped.fillDeadline + 1 }, 'WrongWrapper'],
        [{ orderData: `${wrapped.orderData}00` }, 'WrongOrderLength'],
        [{ orderData: wrapped.orderData.slice(0, -2) }, 'WrongOrderLength'],
        [{ orderData: '0x' }, 'WrongOrderLength'],
      ] as const)
        for (const functionName of ['open', 'resolve']) {
          const data = a.encode(functionName, [{ ...wrapped, ...part }])
          assert.equal(await a.refusal({ from: DEPOSITOR, to: a.settler, data }), expected)
        }
    },
  },
  {
    name: 'an order with dirty upper bits in any field cannot be opened',
    run: async (world) => {
      const { a } = world
      for (const [name, position] of NARROW) {
        const wrapped = wrapOrder(await orderOf(world))
        const data = a.encode('open', [{ ...wrapped, orderData: dirtied(wrapped.orderData, position) }])
        const before = await a.refusal({ from: DEPOSITOR, to: a.settler, data: a.encode('open', [wrapped]) })
        assert.equal(before, undefined)
        assert.notEqual(await a.refusal({ from: DEPOSITOR, to: a.settler, data }), undefined, name)
      }
    },
  },
  {
    name: 'open refuses a token that takes a fee, answers false or too little, refuses, or has no code',
    run: async (world) => {
      const { a } = world
      const token = await a.deploy('token')
      await a.run({ from: DEPOSITOR, to: token, data: a.encode('mint', [DEPOSITOR, 10n ** 18n]) })
      await a.run({ from: DEPOSITOR, to: token, data: a.encode('approve', [a.settler, 10n ** 18n]) })
      for (const [mood, expected] of [
        [0, undefined],
        [1, 'InexactTransfer'],
        [2, 'SafeERC20FailedOperation'],
        [3, 'HostileToken: refused'],
        [7, undefined],
        [8, 'SafeERC20FailedOperation'],
      ] as const) {
        await a.run({ from: STRANGER, to: token, data: a.encode('setMood', [mood]) })
        assert.equal(await refusal(world, { inputToken: token }), expected, `mood ${mood}`)
      }
      assert.notEqual(await refusal(world, { inputToken: STRANGER }), undefined)
      assert.notEqual(await refusal(world, { inputToken: INTEGRATOR }), undefined)
    },
  },
]
