import assert from 'node:assert/strict'
import { chainWord, type IntentOrder, orderIdOf } from '@openrfq/sandbox/test/intent-order.ts'
import { concat, type Hex, pad, toHex, zeroAddress, zeroHash } from 'viem'
import { permission, signAuthorization, signWitness } from './permissions.ts'
import { filledOrder, proofOf } from './settlement-cases.ts'
import {
  approved,
  type Case,
  claimCall,
  fillCall,
  gasOf,
  KIND,
  type Message,
  moves,
  openCall,
  orderOf,
  proveAndMark,
  proveCall,
  recordOf,
  refundCall,
  repayTo,
} from './steps.ts'
import {
  DEPOSITOR,
  deployBy,
  FILLER,
  OWNER,
  PAYEE,
  PERMIT2,
  SETTLER_ARTIFACT,
  SIGNER,
  SOLVER,
  STRANGER,
  type World,
} from './world.ts'

const EVIL = 'evil'

/** A proof from a chain whose code at the settler's address says anything. */
const evilProof = (world: World, orders: readonly IntentOrder[], payee: Hex): Message => ({
  sourceChain: EVIL,
  sourceAddress: world.settler.toLowerCase(),
  target: world.settler,
  payload: proofOf(world.settler, orders, payee),
})

/** Attacks on the settlers that must fail; the holes that the design closed come first, by their numbers. */
export const ATTACK_CASES: readonly Case[] = [
  {
    name: 'A1: depositor and solver cannot decline once a stranger may fill',
    run: async (world, note) => {
      const { a, b } = world
      const order = await orderOf(world)
      await a.run(openCall(a, order))
      // The stranger fills when the origin's own clock is past the exclusive time.
      await a.setNextTime(order.exclusiveUntil + 1)
      await a.run({ from: STRANGER, to: a.token, data: a.encode('mint', [STRANGER, 1n]) })
      await b.setNextTime(order.exclusiveUntil + 1)
      await b.run(fillCall(b, order, STRANGER, repayTo(PAYEE)))
      const gas = await gasOf(a, refundCall(a, order, SOLVER))
      assert.deepEqual(await recordOf(a, order), [KIND.open, zeroAddress])
      await proveAndMark(a, b, [order])
      await moves(a, () => a.run(claimCall(a, [order], PAYEE)), [
        [a.token, PAYEE, order.inputAmount - order.integratorFee],
        [a.token, DEPOSITOR, 0n],
      ])
      note(`cost: ${gas} gas of a reverted decline; gain: 0; the stranger's loss: 0`)
    },
  },
  {
    name: 'A2: an order whose name and chain id differ cannot be filled, so no filler loses its output',
    run: async (world, note) => {
      const { a, b } = world
      let gas = 0n
      for (const part of [{ destinationChain: chainWord(EVIL) }, { destinationChainId: 10n }]) {
        const order = await orderOf(world, part)
        gas = await gasOf(a, openCall(a, order))
        await moves(b, async () => assert.equal(await b.refusal(fillCall(b, order)), 'WrongDestination'), [
          [b.token, FILLER, 0n],
        ])
      }
      note(`cost: ${gas} gas of open, and no escrow until the refund; gain: 0; the filler’s loss: 0`)
    },
  },
  {
    name: 'A3: a hostile chain with any code at our address marks and blocks no order of another chain',
    run: async (world, note) => {
      const { a, b } = world
      const order = await filledOrder(world)
      const gas = await gasOf(a, await approved(a, evilProof(world, [order], STRANGER)))
      assert.deepEqual(await recordOf(a, order), [KIND.open, zeroAddress])
      await proveAndMark(a, b, [order])
      assert.deepEqual(await recordOf(a, order), [KIND.proven, SOLVER])
      await a.run(await approved(a, evilProof(world, [order], STRANGER)))
      assert.deepEqual(await recordOf(a, order), [KIND.proven, SOLVER])
      note(`cost: ${gas} gas and Axelar's fees for each proof; gain: 0; the victims' loss: 0`)
    },
  },
  {
    name: 'A3: a hostile chain takes the escrow of orders that name it, and of no others',
    run: async (world) => {
      const { a } = world
      const named = await orderOf(world, { destinationChain: chainWord(EVIL), destinationChainId: 666n })
      const other = await orderOf(world)
      for (const order of [named, other]) await a.run(openCall(a, order))
      await a.run(await approved(a, evilProof(world, [other, named], STRANGER)))
      assert.deepEqual(await recordOf(a, named), [KIND.proven, STRANGER])
      assert.deepEqual(await recordOf(a, other), [KIND.open, zeroAddress])
    },
  },
  {
    name: 'A4: an order that leaves no time for a proof cannot be filled, and is refunded',
    run: async (world, note) => {
      const { a, b } = world
      const made = await orderOf(world)
      const order = { ...made, refundAfter: made.fillDeadline + 1 }
      const gas = await gasOf(a, openCall(a, order))
      assert.equal(await b.refusal(fillCall(b, order)), 'WrongDeadlines')
      assert.equal(await a.refusal(refundCall(a, order), order.refundAfter + 1), undefined)
      note(`cost: ${gas} gas of open, and of the refund; gain: 0; the filler’s loss: 0`)
    },
  },
  {
    name: 'A5: a proof sent under a wrong spelling of the origin is lost alone, and a name in other case is no order',
    run: async (world, note) => {
      const { a, b } = world
      const order = await filledOrder(world)
      const spellings = [a.axelarName.toUpperCase(), a.axelarName.toLowerCase(), 'sandboxa', '']
      const costs: bigint[] = []
      for (const spelling of spellings) costs.push(await gasOf(b, proveCall(b, [order], spelling)))
      assert.deepEqual(await recordOf(b, order), [KIND.filled, SOLVER])
      assert.deepEqual(await recordOf(a, order), [KIND.open, zeroAddress])
      for (const name of [b.axelarName.toUpperCase(), 'Sandbox-b']) {
        const shouted = await orderOf(world, { destinationChain: toHex(name, { size: 32 }) })
        assert.equal(await a.refusal(openCall(a, shouted)), 'WrongDestination')
        assert.equal(await b.refusal(fillCall(b, shouted)), 'WrongDestination')
      }
      await proveAndMark(a, b, [order])
      await moves(a, () => a.run(claimCall(a, [order], SOLVER)), [
        [a.token, SOLVER, order.inputAmount - order.integratorFee],
      ])
      note(`cost: ${costs[0]} gas a proof; gain: 0; the solver’s loss: 0, proven again under the right name`)
    },
  },
  {
    name: 'A6: a stranger cannot use a token’s permission or a standing allowance for its own order',
    run: async (world, note) => {
      const { a } = world
      const order = await orderOf(world, { depositor: SIGNER.address, inputToken: a.permitToken })
      const stolen = { ...order, recipient: STRANGER, solver: STRANGER, filler: STRANGER }
      const openFor = (target: IntentOrder, content: Hex) => ({
        from: STRANGER,
        to: world.settler,
        data: a.encode('openWith', [target, content]),
      })
      const authorization = await signAuthorization(a, order)
      assert.equal(await a.refusal(openFor(stolen, permission(1, authorization))), 'NotDepositor')
      assert.equal(await a.refusal({ ...openCall(a, stolen), from: STRANGER }), 'NotDepositor')
      const amounts = [order.depositor, world.settler, order.inputAmount, 0n, BigInt(order.openDeadline)]
      const nonce = orderIdOf(world.settler, order)
      const data = a.encode('receiveWithAuthorization', [...amounts, nonce, authorization])
      assert.notEqual(await a.refusal({ from: STRANGER, to: a.permitToken, data }), undefined)
      const direct = a.encode('permitWitnessTransferFrom', [
        {
          permitted: { token: order.inputToken, amount: order.inputAmount },
          nonce: 77n,
          deadline: BigInt(order.openDeadline),
        },
        { to: STRANGER, requestedAmount: order.inputAmount },
        order.depositor,
        zeroHash,
        '',
        await signWitness(a, order, 77n),
      ])
      assert.equal(await a.refusal({ from: STRANGER, to: PERMIT2, data: direct }), 'InvalidSigner')
      note('cost: the gas of a reverted transaction; gain: 0; the depositor’s loss: 0')
    },
  },
  {
    name: 'M2: neither owner nor stranger puts other code at the settler’s address, here or on another chain',
    run: async (world, note) => {
      const { a } = world
      const code = SETTLER_ARTIFACT.bytecode
      const facts = {
        gateway: STRANGER,
        gasService: a.gasService,
        chainName: chainWord('c'),
        proofWindow: 1,
        swapFactory: zeroAddress,
        wrappedNative: zeroAddress,
      }
      const deploy = (from: Hex, creation: Hex, salt: Hex, gateway: Hex) => ({
        from,
        to: a.factory,
        data: a.encode('deploy', [creation, salt, { ...facts, gateway }]),
      })
      assert.equal(await a.refusal(deploy(STRANGER, code, zeroHash, a.gateway)), 'NotOwner')
      assert.equal(await a.refusal(deploy(OWNER, code, zeroHash, STRANGER)), 'InvalidFacts')
      const other = await deployBy(a, concat([code, '0x00']), pad(world.settler))
      assert.notEqual(other, world.settler)
      note('cost: an owner’s key; gain: a new address that no settler trusts')
    },
  },
  {
    name: 'a settler elsewhere, of another salt or factory, proves nothing here',
    run: async (world) => {
      const { a, b } = world
      const order = await filledOrder(world)
      const message = {
        sourceChain: b.axelarName,
        sourceAddress: STRANGER,
        target: world.settler,
        payload: proofOf(world.settler, [order], STRANGER),
      }
      assert.equal(await a.refusal(await approved(a, message)), 'UntrustedSource')
      const gasless = { ...message, sourceAddress: world.settler }
      const call = await approved(a, gasless)
      const forged = a.encode('execute', [
        zeroHash,
        gasless.sourceChain,
        gasless.sourceAddress,
        gasless.payload,
      ])
      assert.equal(await a.refusal({ ...call, data: forged }), 'NotApprovedByGateway')
    },
  },
]
