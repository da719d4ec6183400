import assert from 'node:assert/strict'
import { digestOf, type IntentOrder, orderIdOf } from '@openrfq/sandbox/test/intent-order.ts'
import { concat, type Hex, pad, zeroAddress } from 'viem'
import {
  argsOf,
  type Case,
  claimCall,
  fillCall,
  KIND,
  moves,
  openCall,
  orderOf,
  proveAndMark,
  recordOf,
  refundCall,
  repayTo,
} from './steps.ts'
import { DEPOSITOR, INTEGRATOR, PAYEE, type Side, SOLVER, STRANGER, type World } from './world.ts'

const NATIVE = { inputToken: zeroAddress, outputToken: zeroAddress }

/** An order that is open at its origin and filled at its destination. */
export const filledOrder = async (
  world: World,
  part: Partial<IntentOrder> = {},
  [from, to]: readonly [Side, Side] = [world.a, world.b],
  by?: readonly [filler: Hex, payee: Hex],
): Promise<IntentOrder> => {
  const order = await orderOf(world, part, [from, to])
  await from.run(openCall(from, order))
  await to.run(by === undefined ? fillCall(to, order) : fillCall(to, order, by[0], repayTo(by[1])))
  return order
}

/** An order that is proven at its origin. */
export const provenOrder = async (world: World, part: Partial<IntentOrder> = {}): Promise<IntentOrder> => {
  const order = await filledOrder(world, part)
  await proveAndMark(world.a, world.b, [order])
  return order
}

const payFees = (side: Side, token: Hex, to: Hex = INTEGRATOR, from: Hex = STRANGER) => ({
  from,
  to: side.settler,
  data: side.encode('payFees', [token, INTEGRATOR, to]),
})

/** The payload that the settlers' proofs have. */
export const proofOf = (settler: Hex, orders: readonly IntentOrder[], payee: Hex): Hex =>
  concat(orders.flatMap((order) => [digestOf(settler, order), pad(payee)]))

/** What proofs, `claim`, `refund` and `payFees` do and refuse. */
export const SETTLEMENT_CASES: readonly Case[] = [
  {
    name: 'a proven fill pays the solver and sets the integrator’s fee aside, in both directions and assets',
    run: async (world) => {
      const { a, b } = world
      for (const [from, to] of [[a, b] as const, [b, a] as const])
        for (const part of [{}, NATIVE, { integrator: zeroAddress, integratorFee: 0n }]) {
          const order = await filledOrder(world, part, [from, to])
          const marked = argsOf(await proveAndMark(from, to, [order]), 'Proven')
          assert.deepEqual(marked, { orderId: orderIdOf(world.settler, order), payee: SOLVER })
          assert.deepEqual(await recordOf(from, order), [KIND.proven, SOLVER])
          const token = order.inputToken
          const amount = order.inputAmount - order.integratorFee
          let released: Readonly<Record<string, unknown>> = {}
          const claim = async () => {
            released = argsOf(await from.run(claimCall(from, [order], SOLVER)), 'Released')
          }
          await moves(from, claim, [
            [token, SOLVER, amount],
            [token, from.settler, -amount],
          ])
          const id = orderIdOf(world.settler, order)
          assert.deepEqual(released, { orderId: id, payee: SOLVER, to: SOLVER, amount })
          assert.deepEqual(await recordOf(from, order), [KIND.released, SOLVER])
          assert.equal(await from.refusal(claimCall(from, [order], SOLVER)), 'WrongKind')
          if (order.integratorFee === 0n) continue
          const fee = await from.read(from.settler, 'feesOf', [INTEGRATOR, token])
          assert.equal(fee, order.integratorFee)
          await moves(from, () => from.run(payFees(from, token)), [
            [token, INTEGRATOR, order.integratorFee],
            [token, from.settler, -order.integratorFee],
          ])
          assert.equal(await from.refusal(payFees(from, token)), 'NothingToPay')
        }
    },
  },
  {
    name: 'a stranger’s fill repays whom it named, and the solver nothing',
    run: async (world) => {
      const { a, b } = world
      const order = await filledOrder(world, { exclusiveUntil: 0 }, [a, b], [STRANGER, PAYEE])
      await proveAndMark(a, b, [order])
      await moves(a, () => a.run(claimCall(a, [order], PAYEE)), [
        [a.token, PAYEE, order.inputAmount - order.integratorFee],
        [a.token, SOLVER, 0n],
      ])
    },
  },
  {
    name: 'one claim pays the sum of orders of one payee and token, and no mixed ones',
    run: async (world) => {
      const { a, b } = world
      const free = { exclusiveUntil: 0 }
      const one = await filledOrder(world)
      const two = await filledOrder(world, { inputAmount: 7_000_000n })
      const native = await filledOrder(world, NATIVE)
      const others = await filledOrder(world, free, [a, b], [STRANGER, PAYEE])
      await proveAndMark(a, b, [one, two, native, others])
      for (const mixed of [
        [one, native],
        [one, others],
        [others, one],
      ])
        for (const to of [SOLVER, PAYEE]) assert.notEqual(await a.refusal(claimCall(a, mixed, to)), undefined)
      assert.equal(await a.refusal(claimCall(a, [one, one], SOLVER)), 'WrongKind')
      assert.equal(await a.refusal(claimCall(a, [one, native], SOLVER)), 'MixedBatch')
      assert.equal(await a.refusal(claimCall(a, [one, others], SOLVER)), 'MixedBatch')
      assert.equal(await a.refusal(claimCall(a, [], SOLVER)), 'WrongBatchSize')
      await moves(a, () => a.run(claimCall(a, [one, two], SOLVER)), [[a.token, SOLVER, 7_998_000n]])
    },
  },
  {
    name: 'a payee alone has its claim, refund or fee paid to another account',
    run: async (world) => {
      const { a } = world
      const order = await provenOrder(world)
      assert.equal(await a.refusal(claimCall(a, [order], PAYEE)), 'NotPayee')
      for (const nobody of [zeroAddress, world.settler])
        assert.equal(await a.refusal(claimCall(a, [order], nobody, SOLVER)), 'InvalidPayee')
      await moves(a, () => a.run(claimCall(a, [order], PAYEE, SOLVER)), [[a.token, PAYEE, 999_000n]])
      assert.equal(await a.refusal(payFees(a, a.token, PAYEE)), 'NotPayee')
      // CAST: a uint256.
      const earned = (await a.read(a.settler, 'feesOf', [INTEGRATOR, a.token])) as bigint
      await moves(a, () => a.run(payFees(a, a.token, PAYEE, INTEGRATOR)), [[a.token, PAYEE, earned]])
      const declined = await orderOf(world)
      await a.run(openCall(a, declined))
      assert.equal(await a.refusal(refundCall(a, declined, SOLVER, PAYEE)), 'NotPayee')
      assert.equal(await a.refusal(refundCall(a, declined, DEPOSITOR, PAYEE)), 'RefundTooEarly')
      const late = declined.refundAfter + 1
      assert.equal(await a.refusal(refundCall(a, declined, DEPOSITOR, PAYEE), late), undefined)
      assert.equal(await a.refusal(refundCall(a, declined, DEPOSITOR, world.settler), late), 'InvalidPayee')
    },
  },
  {
    name: 'an order that is open, refunded or unknown cannot be claimed',
    run: async (world) => {
      const { a } = world
      const unknown = await orderOf(world)
      assert.equal(await a.refusal(claimCall(a, [unknown], zeroAddress)), 'InvalidPayee')
      const order = await orderOf(world)
      await a.run(openCall(a, order))
      for (const to of [SOLVER, zeroAddress]) {
        assert.notEqual(await a.refusal(claimCall(a, [order], to)), undefined)
        assert.notEqual(await a.refusal(claimCall(a, [order], to, SOLVER)), undefined)
      }
      await a.run(refundCall(a, order, SOLVER))
      assert.notEqual(await a.refusal(claimCall(a, [order], SOLVER)), undefined)
    },
  },
]
