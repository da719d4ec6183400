import assert from 'node:assert/strict'
import { type AttestedOrder, attestedIdOf } from '@openrfq/sandbox/test/attested-order.ts'
import { type Hex, pad, zeroAddress, zeroHash } from 'viem'
import {
  argsOf,
  type Case,
  chainHash,
  fillCall,
  into,
  openCall,
  outOf,
  recordOf,
  type World,
} from './attested-world.ts'
import { DEPOSITOR, FILLER, RECIPIENT, SOLVER, STRANGER } from './world.ts'

const NATIVE = zeroHash

const DIRTY: Hex = `0x01${'00'.repeat(11)}${SOLVER.slice(2)}`

const KIND = { none: 0, open: 1, refunded: 2, released: 3 } as const

const openRefusal = async (world: World, part: Partial<AttestedOrder>, at?: number) =>
  world.refusal(openCall(world, await outOf(world, part)), at)

const fillRefusal = async (world: World, part: Partial<AttestedOrder>, at?: number) =>
  world.refusal(fillCall(world, await into(world, part)), at)

const change = async (
  world: World,
  token: Hex,
  account: Hex,
  steps: () => Promise<unknown>,
): Promise<bigint> => {
  const before = await world.balanceOf(token, account)
  await steps()
  return (await world.balanceOf(token, account)) - before
}

/** What `fill` does and refuses, and hostile tokens. */
export const ATTESTED_FILL_CASES: readonly Case[] = [
  {
    name: 'the filler pays the recipient exactly once, in tokens and native value',
    run: async (world) => {
      for (const [outputToken, token] of [
        [pad(world.token), world.token],
        [NATIVE, zeroAddress],
      ] as const) {
        const order = await into(world, { outputToken })
        const paid = await change(world, token, RECIPIENT, async () => {
          const event = argsOf(await world.run(fillCall(world, order)), 'Filled')
          assert.deepEqual(event, { orderId: attestedIdOf(order), filler: FILLER, repayTo: order.solver })
        })
        assert.equal(paid, order.outputAmount)
        assert.deepEqual(await recordOf(world, order), [KIND.none, order.solver])
        assert.equal(await world.refusal(fillCall(world, order)), 'AlreadyFilled')
      }
    },
  },
  {
    name: 'anybody fills after the exclusive time, and names whom to repay',
    run: async (world) => {
      const order = await into(world)
      const payee: Hex = `0x${'77'.repeat(32)}`
      const call = fillCall(world, order, STRANGER, payee)
      assert.equal(await world.refusal(call, order.exclusiveUntil), 'NotFiller')
      assert.equal(await world.refusal(call, order.exclusiveUntil + 1), undefined)
      const nobody = fillCall(world, order, STRANGER, zeroHash)
      assert.equal(await world.refusal(nobody, order.exclusiveUntil + 1), 'InvalidParty')
      const free = await into(world, { exclusiveUntil: 0 })
      await world.run(fillCall(world, free, STRANGER, payee))
      assert.deepEqual(await recordOf(world, free), [KIND.none, payee])
      const own = await into(world, { exclusiveUntil: 0 })
      await world.run(fillCall(world, own, FILLER, payee))
      assert.deepEqual(await recordOf(world, own), [KIND.none, own.solver])
    },
  },
  {
    name: 'rejects the fill of an order for another settler, of a late order, and of one with an invalid recipient or amount',
    run: async (world) => {
      const order = await into(world)
      assert.equal(await world.refusal(fillCall(world, order), order.fillDeadline), undefined)
      assert.equal(await world.refusal(fillCall(world, order), order.fillDeadline + 1), 'FillDeadlinePassed')
      for (const [part, expected] of [
        [{ destinationChain: chainHash('eip155:1') }, 'WrongDestination'],
        [{ destinationSettler: pad(STRANGER) }, 'WrongDestination'],
        [{ originChain: order.destinationChain }, 'WrongOrigin'],
        [{ outputAmount: 0n }, 'ZeroAmount'],
        [{ recipientTag: 1n }, 'InvalidTag'],
        [{ recipient: zeroHash }, 'InvalidParty'],
        [{ recipient: pad(world.settler) }, 'InvalidParty'],
        [{ recipient: pad(FILLER) }, 'InvalidParty'],
        [{ recipient: DIRTY }, 'InvalidAddress'],
        [{ outputToken: DIRTY }, 'InvalidAddress'],
        [{ filler: DIRTY }, 'InvalidAddress'],
        [{ solver: zeroHash }, 'InvalidParty'],
      ] as const)
        assert.equal(await fillRefusal(world, part), expected, JSON.stringify(part, String))
      assert.equal(await world.refusal({ ...fillCall(world, order), value: 1n }), 'WrongValue')
    },
  },
  {
    name: 'a hostile token opens and fills nothing that is not paid in full',
    run: async (world) => {
      const token = await world.deploy('token')
      for (const account of [DEPOSITOR, FILLER]) {
        await world.run({ from: account, to: token, data: world.encode('mint', [account, 10n ** 18n]) })
        const data = world.encode('approve', [world.settler, 10n ** 18n])
        await world.run({ from: account, to: token, data })
      }
      for (const [mood, expected] of [
        [0, undefined],
        [1, 'InexactTransfer'],
        [2, 'SafeERC20FailedOperation'],
        [3, 'HostileToken: refused'],
        [7, undefined],
        [8, 'SafeERC20FailedOperation'],
      ] as const) {
        await world.run({ from: STRANGER, to: token, data: world.encode('setMood', [mood]) })
        assert.equal(await openRefusal(world, { inputToken: pad(token) }), expected)
        assert.equal(await fillRefusal(world, { outputToken: pad(token) }), expected)
      }
      const inner = await into(world, { filler: pad(token), outputToken: pad(token) })
      const data = world.encode('setCall', [world.settler, world.encode('fill', [inner, zeroHash])])
      await world.run({ from: STRANGER, to: token, data })
      await world.run({ from: STRANGER, to: token, data: world.encode('setMood', [6]) })
      await world.run(fillCall(world, await into(world, { outputToken: pad(token) })))
      assert.equal(await world.read(token, 'answer', []), '0x3ee5aeb5', 'ReentrancyGuardReentrantCall')
    },
  },
]
