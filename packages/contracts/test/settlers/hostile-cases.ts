import assert from 'node:assert/strict'
import {
  digestOf,
  encodeOrder,
  type IntentOrder,
  orderIdOf,
  wrapOrder,
} from '@openrfq/sandbox/test/intent-order.ts'
import { type Hex, zeroAddress } from 'viem'
import { dirtied } from './opening-cases.ts'
import { filledOrder, proofOf, provenOrder } from './settlement-cases.ts'
import {
  approved,
  type Case,
  claimCall,
  fillCall,
  gasOf,
  KIND,
  moves,
  openCall,
  orderOf,
  proveAndMark,
  proveCall,
  recordOf,
  refundCall,
  repayTo,
} from './steps.ts'
import { DEPOSITOR, FILLER, PAYEE, type Side, SOLVER, STRANGER } from './world.ts'

const NATIVE = { inputToken: zeroAddress, outputToken: zeroAddress }

/** A token of the attacker's that makes a call during its transfers. */
const callingToken = async (side: Side, holder: Hex): Promise<Hex> => {
  const token = await side.deploy('token')
  await side.run({ from: holder, to: token, data: side.encode('mint', [holder, 10n ** 18n]) })
  await side.run({ from: holder, to: token, data: side.encode('approve', [side.settler, 10n ** 18n]) })
  return token
}

const setCall = async (side: Side, contract: Hex, mood: number, target: Hex, data: Hex): Promise<void> => {
  await side.run({ from: STRANGER, to: contract, data: side.encode('setCall', [target, data]) })
  await side.run({ from: STRANGER, to: contract, data: side.encode('setMood', [mood]) })
}

/** Hostile tokens, payees and callers, which gain nothing. */
export const HOSTILE_CASES: readonly Case[] = [
  {
    name: 'a token that calls back while it is escrowed opens, fills and refunds nothing of others',
    run: async (world) => {
      const { a } = world
      const solver = await a.deploy('puppet')
      const token = await callingToken(a, DEPOSITOR)
      const victim = await orderOf(world, { inputToken: token })
      await a.run(openCall(a, victim))
      const inner = await orderOf(world, { depositor: token, ...NATIVE, inputToken: token })
      for (const data of [a.encode('open', [wrapOrder(inner)]), a.encode('openWith', [inner, '0x00'])]) {
        const outer = await orderOf(world, { inputToken: token })
        await setCall(a, token, 6, a.settler, data)
        await a.run(openCall(a, outer))
        assert.equal(await a.read(token, 'isCallSuccessful', []), false)
        assert.equal(await a.read(token, 'answer', []), '0x3ee5aeb5', 'ReentrancyGuardReentrantCall')
      }
      const outer = await orderOf(world, { inputToken: token, solver })
      const decline = a.encode('act', [a.settler, a.encode('refund', [outer, DEPOSITOR])])
      await setCall(a, token, 6, solver, decline)
      assert.equal(await a.refusal(openCall(a, outer)), 'InexactTransfer', 'declined before it is paid in')
      await a.run({ from: STRANGER, to: token, data: a.encode('setMood', [0]) })
      assert.deepEqual(await recordOf(a, victim), [KIND.open, zeroAddress])
      await a.run(refundCall(a, victim, SOLVER))
    },
  },
  {
    name: 'a token that calls back while it is delivered fills nothing else with the same transfer',
    run: async (world) => {
      const { b } = world
      const token = await callingToken(b, FILLER)
      const inner = await orderOf(world, { outputToken: token, filler: token })
      const data = b.encode('fill', [orderIdOf(world.settler, inner), encodeOrder(inner), '0x'])
      await setCall(b, token, 6, b.settler, data)
      await b.run(fillCall(b, await orderOf(world, { outputToken: token })))
      assert.equal(await b.read(token, 'answer', []), '0x3ee5aeb5', 'ReentrancyGuardReentrantCall')
      assert.deepEqual(await recordOf(b, inner), [KIND.none, zeroAddress])
    },
  },
  {
    name: 'a payee that calls back while it is paid gets nothing by that call',
    run: async (world) => {
      const { a, b } = world
      const puppet = await a.deploy('puppet')
      const order = await filledOrder(world, { ...NATIVE, solver: puppet })
      await proveAndMark(a, b, [order])
      await setCall(a, puppet, 3, a.settler, claimCall(a, [order], puppet).data)
      assert.equal(await a.refusal(claimCall(a, [order], puppet)), 'PaymentRefused')
      const declined = await orderOf(world, { ...NATIVE, depositor: puppet, solver: STRANGER })
      const open = a.encode('act', [a.settler, openCall(a, declined).data])
      await a.run({ from: STRANGER, to: puppet, data: open, value: declined.inputAmount })
      await setCall(a, puppet, 3, a.settler, refundCall(a, declined).data)
      assert.equal(await a.refusal(refundCall(a, declined, STRANGER)), 'PaymentRefused')
      const recipient = await b.deploy('puppet')
      const filled = await orderOf(world, { ...NATIVE, recipient, exclusiveUntil: 0 })
      await setCall(b, recipient, 3, b.settler, fillCall(b, filled, STRANGER, repayTo(PAYEE)).data)
      assert.equal(await b.refusal(fillCall(b, filled)), 'PaymentRefused')
    },
  },
  {
    name: 'too little gas reverts, and never leaves a payment half done',
    run: async (world, note) => {
      const { a, b } = world
      const payee = await a.deploy('puppet')
      const proven = await provenOrder(world, { ...NATIVE, solver: payee })
      const declined = await orderOf(world, { ...NATIVE, solver: STRANGER })
      await a.run(openCall(a, declined))
      const delivered = await orderOf(world, { ...NATIVE, recipient: await b.deploy('puppet') })
      const orders = [await filledOrder(world), await filledOrder(world)]
      const message = await approved(a, {
        sourceChain: b.axelarName,
        sourceAddress: world.settler,
        target: world.settler,
        payload: proofOf(world.settler, orders, SOLVER),
      })
      for (const [side, call, order, kinds] of [
        [a, claimCall(a, [proven], payee), proven, [KIND.proven, KIND.released]],
        [a, refundCall(a, declined, STRANGER), declined, [KIND.open, KIND.refunded]],
        [b, fillCall(b, delivered), delivered, [KIND.none, KIND.filled]],
        [a, message, orders[1] ?? proven, [KIND.open, KIND.proven]],
      ] as const) {
        const held = await side.balanceOf(zeroAddress, side.settler)
        let tries = 0
        for (let gas = 50_000n; ; gas = (gas * 107n) / 100n) {
          tries++
          const { events } = await side.send({ ...call, gas })
          const [kind] = await recordOf(side, order)
          assert.equal(kind, events === undefined ? kinds[0] : kinds[1])
          if (events !== undefined) break
          assert.equal(await side.balanceOf(zeroAddress, side.settler), held)
        }
        note(`${tries} gas limits`)
      }
    },
  },
  {
    name: 'dirty upper bits in a claimed or refunded order name another order',
    run: async (world) => {
      const { a } = world
      const order = await provenOrder(world)
      const open = await orderOf(world)
      await a.run(openCall(a, open))
      const dirtyData = (data: Hex, intent: IntentOrder, position: number): Hex => {
        const clean = encodeOrder(intent).slice(2)
        const [head, tail] = data.split(clean)
        assert.ok(head !== undefined && tail !== undefined)
        return `0x${head.slice(2)}${dirtied(`0x${clean}`, position).slice(2)}${tail}`
      }
      const claim = claimCall(a, [order], SOLVER)
      const refund = refundCall(a, open, SOLVER)
      for (const position of [0, 5, 6, 7, 8, 11, 13, 14, 15, 16]) {
        const dirtyClaim = { ...claim, data: dirtyData(claim.data, order, position) }
        assert.notEqual(await a.refusal(dirtyClaim), undefined, `claim ${position}`)
        const dirtyRefund = { ...refund, data: dirtyData(refund.data, open, position) }
        assert.notEqual(await a.refusal(dirtyRefund), undefined, `refund ${position}`)
      }
    },
  },
  {
    name: 'a fee that a token switches on later is its own payee’s loss, and of no other order',
    run: async (world) => {
      const { a, b } = world
      const token = await callingToken(a, DEPOSITOR)
      const [one, two] = [
        await filledOrder(world, { inputToken: token }),
        await filledOrder(world, { inputToken: token }),
      ]
      const other = await filledOrder(world)
      await proveAndMark(a, b, [one, two, other])
      await a.run({ from: STRANGER, to: token, data: a.encode('setMood', [1]) })
      await moves(a, () => a.run(claimCall(a, [one], SOLVER)), [[token, SOLVER, 998_999n]])
      await moves(a, () => a.run(claimCall(a, [two], SOLVER)), [[token, SOLVER, 998_999n]])
      await moves(a, () => a.run(claimCall(a, [other], SOLVER)), [[a.token, SOLVER, 999_000n]])
    },
  },
  {
    name: 'strangers race for a fill: the loser loses the gas of a revert',
    run: async (world, note) => {
      const { b } = world
      const order = await orderOf(world, { exclusiveUntil: 0 })
      await b.run(fillCall(b, order, STRANGER, repayTo(PAYEE)))
      const gas = await gasOf(b, fillCall(b, order))
      assert.ok(gas < 60_000n)
      note(`the loser's cost: ${gas} gas`)
    },
  },
  {
    name: 'a proof that is sent to the wrong chain marks nothing and costs its prover alone',
    run: async (world, note) => {
      const { a, b } = world
      const order = await filledOrder(world)
      const gas = await gasOf(b, proveCall(b, [order], 'evil'))
      assert.deepEqual(await recordOf(a, order), [KIND.open, zeroAddress])
      await proveAndMark(a, b, [order])
      await a.run(claimCall(a, [order], SOLVER))
      note(`cost: ${gas} gas`)
    },
  },
  {
    name: 'an order of one chain’s number and another’s name is the business of neither',
    run: async (world) => {
      const { a, b } = world
      const order = await orderOf(world, { destinationChainId: 1n })
      await a.run(openCall(a, order))
      assert.equal(await b.refusal(fillCall(b, order)), 'WrongDestination')
      assert.equal(await b.refusal(proveCall(b, [order], a.axelarName)), 'WrongKind')
      assert.equal(digestOf(world.settler, order).length, 66)
    },
  },
]
