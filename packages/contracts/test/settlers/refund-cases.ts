import assert from 'node:assert/strict'
import { digestOf, type IntentOrder, orderIdOf } from '@openrfq/sandbox/test/intent-order.ts'
import { concat, encodeAbiParameters, type Hex, numberToHex, parseAbiParameters, zeroAddress } from 'viem'
import { filledOrder } from './settlement-cases.ts'
import {
  approved,
  argsOf,
  type Case,
  claimCall,
  fillCall,
  KIND,
  moves,
  openCall,
  orderOf,
  proveAndMark,
  provedMessage,
  recordOf,
  refundCall,
} from './steps.ts'
import { DEPOSITOR, FILLER, PAYEE, SOLVER, STRANGER } from './world.ts'

const NATIVE = { inputToken: zeroAddress, outputToken: zeroAddress }

/**
 * The order with a salt that gives it an id ending in 01. The settler keeps the id where it reads a token's answer, so
 * that the last byte of a word whose first 31 bytes a token answers is that of true.
 */
const endingInOne = (settler: Hex, order: IntentOrder): IntentOrder => {
  for (let number = 0; ; number++) {
    const salted = { ...order, salt: numberToHex(number, { size: 32 }) }
    if (orderIdOf(settler, salted).endsWith('01')) return salted
  }
}

/** What refunds, proofs in any form and failing payments do. */
export const REFUND_CASES: readonly Case[] = [
  {
    name: 'the solver declines to the second of its exclusive time, and only an open order',
    run: async (world) => {
      const { a } = world
      const order = await orderOf(world)
      assert.equal(await a.refusal(refundCall(a, order, SOLVER)), 'WrongKind')
      await a.run(openCall(a, order))
      assert.equal(await a.refusal(refundCall(a, order, SOLVER), order.exclusiveUntil), undefined)
      assert.equal(await a.refusal(refundCall(a, order, SOLVER), order.exclusiveUntil + 1), 'RefundTooEarly')
      for (const from of [STRANGER, DEPOSITOR, FILLER])
        assert.equal(await a.refusal(refundCall(a, order, from), order.exclusiveUntil), 'RefundTooEarly')
      let refunded: Readonly<Record<string, unknown>> = {}
      const steps = async () => {
        refunded = argsOf(await a.run(refundCall(a, order, SOLVER)), 'Refunded')
      }
      await moves(a, steps, [
        [a.token, DEPOSITOR, order.inputAmount],
        [a.token, a.settler, -order.inputAmount],
      ])
      const id = orderIdOf(world.settler, order)
      assert.deepEqual(refunded, { orderId: id, to: DEPOSITOR, amount: order.inputAmount })
      assert.equal(await a.refusal(refundCall(a, order, SOLVER)), 'WrongKind')
      assert.equal(await a.refusal(openCall(a, order)), 'WrongKind', 'an id is used once')
    },
  },
  {
    name: 'anybody refunds after refundAfter, not a second before, in tokens and native value',
    run: async (world) => {
      const { a } = world
      for (const part of [{}, NATIVE]) {
        const order = await orderOf(world, part)
        await a.run(openCall(a, order))
        assert.equal(await a.refusal(refundCall(a, order), order.refundAfter), 'RefundTooEarly')
        assert.equal(await a.refusal(refundCall(a, order), order.refundAfter + 1), undefined)
        await a.setNextTime(order.refundAfter + 1)
        await moves(a, () => a.run(refundCall(a, order)), [[order.inputToken, DEPOSITOR, order.inputAmount]])
      }
    },
  },
  {
    name: 'a proof after refundAfter still counts until the refund, and prevents the refund',
    run: async (world) => {
      const { a, b } = world
      const [late, lost] = [await filledOrder(world), await filledOrder(world)]
      const message = await provedMessage(a, b, [late, lost])
      await a.setNextTime(lost.refundAfter + 1)
      await a.run(refundCall(a, lost))
      await a.run(await approved(a, message))
      assert.deepEqual(await recordOf(a, late), [KIND.proven, SOLVER])
      assert.deepEqual(await recordOf(a, lost), [KIND.refunded, zeroAddress])
      assert.equal(await a.refusal(refundCall(a, late)), 'WrongKind')
      await a.run(claimCall(a, [late], SOLVER))
    },
  },
  {
    name: 'a proof marks what is open, once, and skips the rest',
    run: async (world) => {
      const { a, b } = world
      const order = await filledOrder(world)
      const unopened = await orderOf(world)
      await b.run(fillCall(b, unopened))
      const message = await provedMessage(a, b, [unopened, order, order])
      const events = await a.run(await approved(a, message))
      assert.equal(events.filter(({ eventName }) => eventName === 'Proven').length, 1)
      assert.deepEqual(await recordOf(a, unopened), [KIND.none, zeroAddress])
      await a.run(claimCall(a, [order], SOLVER))
      const again = await a.run(await approved(a, message))
      assert.equal(again.filter(({ eventName }) => eventName === 'Proven').length, 0)
      assert.deepEqual(await recordOf(a, order), [KIND.released, SOLVER])
    },
  },
  {
    name: 'a proof is taken in any case of the chain’s name and of the address’s digits',
    run: async (world) => {
      const { a, b } = world
      const checksummed = world.settler
      for (const [sourceChain, sourceAddress] of [
        ['SANDBOX-B', checksummed],
        ['sandbox-b', checksummed.toLowerCase()],
        ['Sandbox-B', `0x${checksummed.slice(2).toUpperCase()}`],
      ] as const) {
        const order = await filledOrder(world)
        const message = await provedMessage(a, b, [order])
        await a.run(await approved(a, { ...message, sourceChain, sourceAddress }))
        assert.deepEqual(await recordOf(a, order), [KIND.proven, SOLVER])
      }
    },
  },
  {
    name: 'a proof from another address, an unnamed chain, or of another shape is refused',
    run: async (world) => {
      const { a, b } = world
      const order = await filledOrder(world)
      const message = await provedMessage(a, b, [order])
      const own = world.settler.toLowerCase()
      const refusalOf = async (part: Partial<typeof message>) =>
        a.refusal(await approved(a, { ...message, ...part }))
      for (const sourceAddress of [
        STRANGER,
        '',
        own.slice(2),
        `${own}0`,
        own.slice(0, -1),
        `${own.slice(0, -1)}g`,
        `${own.slice(0, -1)}\u00e9`,
        `0x${own.slice(3)}0`,
        `0x${own[2] === '0' ? '1' : '0'}${own.slice(3)}`,
        `${own.slice(0, -1)}${own.endsWith('0') ? '1' : '0'}`,
      ])
        assert.equal(await refusalOf({ sourceAddress }), 'UntrustedSource', sourceAddress)
      for (const sourceChain of [
        '',
        'a-chain-name-of-more-than-twenty',
        'sandbox b',
        'sandbox-b\u0000',
        'sand\u00e9',
      ])
        assert.equal(await refusalOf({ sourceChain }), 'InvalidChainName', sourceChain)
      const word = (value: bigint) => encodeAbiParameters(parseAbiParameters('uint256'), [value])
      const digest = digestOf(world.settler, order)
      for (const payload of [
        digest,
        concat([message.payload, '0x00']),
        concat([digest, word(0n)]),
        concat([digest, word(1n << 160n)]),
        concat([digest, word(BigInt(SOLVER) | (1n << 255n))]),
      ])
        assert.equal(await refusalOf({ payload }), 'WrongProof')
      assert.equal((await a.run(await approved(a, { ...message, payload: '0x' }))).length, 1)
      const call = await approved(a, message)
      assert.equal(
        await a.refusal({ ...call, data: `${call.data.slice(0, -2)}ff` as Hex }),
        'NotApprovedByGateway',
      )
      assert.deepEqual(await recordOf(a, order), [KIND.open, zeroAddress])
      await a.run(call)
      assert.equal(await a.refusal(call), 'NotApprovedByGateway')
    },
  },
  {
    name: 'a payment that fails reverts, pays no other account, and can be repeated',
    run: async (world) => {
      const { a, b } = world
      const token = await a.deploy('token')
      await a.run({ from: DEPOSITOR, to: token, data: a.encode('mint', [DEPOSITOR, 10n ** 18n]) })
      await a.run({ from: DEPOSITOR, to: token, data: a.encode('approve', [a.settler, 10n ** 18n]) })
      const order = await filledOrder(world, { inputToken: token })
      const other = endingInOne(world.settler, await orderOf(world, { inputToken: token }))
      await a.run(openCall(a, other))
      await proveAndMark(a, b, [order])
      for (const [mood, expected] of [
        [2, 'PaymentRefused'],
        [3, 'PaymentRefused'],
        [5, 'PaymentRefused'],
        [8, 'PaymentRefused'],
        [9, 'PaymentRefused'],
        [7, undefined],
        [0, undefined],
      ] as const) {
        await a.run({ from: STRANGER, to: token, data: a.encode('setMood', [mood]) })
        assert.equal(await a.refusal(claimCall(a, [order], SOLVER)), expected, `mood ${mood}`)
        assert.equal(await a.refusal(refundCall(a, other, SOLVER)), expected, `mood ${mood}`)
      }
      const code = await a.rpc('eth_getCode', token, 'latest')
      await a.rpc('anvil_setCode', token, '0x')
      assert.equal(await a.refusal(claimCall(a, [order], SOLVER)), 'PaymentRefused', 'no code')
      await a.rpc('anvil_setCode', token, code)
      await a.run(claimCall(a, [order], SOLVER))
    },
  },
  {
    name: 'an account that refuses native value names another one',
    run: async (world) => {
      const { a, b } = world
      const solver = await a.deploy('puppet')
      await a.run({ from: STRANGER, to: solver, data: a.encode('setMood', [1]) })
      const order = await filledOrder(world, { ...NATIVE, solver })
      await proveAndMark(a, b, [order])
      assert.equal(await a.refusal(claimCall(a, [order], solver)), 'PaymentRefused')
      const data = a.encode('act', [a.settler, claimCall(a, [order], PAYEE).data])
      await moves(a, () => a.run({ from: STRANGER, to: solver, data }), [
        [zeroAddress, PAYEE, order.inputAmount - order.integratorFee],
      ])
    },
  },
]
