import assert from 'node:assert/strict'
import { type AttestedOrder, attestedIdOf } from '@openrfq/sandbox/test/attested-order.ts'
import { ATTESTER, WINDOW } from '@openrfq/sandbox/test/attested-world.ts'
import { concat, type Hex, keccak256, pad, toHex, zeroAddress, zeroHash } from 'viem'
import {
  argsOf,
  attest,
  type Case,
  chainHash,
  IMPOSTOR,
  openCall,
  outOf,
  recordOf,
  refundCall,
  releaseCall,
  signAttested,
  type World,
} from './attested-world.ts'
import { DEPOSITOR, INTEGRATOR, PAYEE, SIGNER, SOLVER, STRANGER } from './world.ts'

const NATIVE = zeroHash
const TX = keccak256(toHex('a transaction'))
const DIRTY: Hex = `0x01${'00'.repeat(11)}${SOLVER.slice(2)}`
const KIND = { none: 0, open: 1, refunded: 2, released: 3 } as const
const DAYS = 86_400

const openRefusal = async (world: World, part: Partial<AttestedOrder>, at?: number) =>
  world.refusal(openCall(world, await outOf(world, part)), at)

const opened = async (world: World, part: Partial<AttestedOrder> = {}): Promise<AttestedOrder> => {
  const order = await outOf(world, part)
  await world.run(openCall(world, order))
  return order
}

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

const assertReleased = async (world: World, order: AttestedOrder, token: Hex): Promise<void> => {
  const call = releaseCall(world, order, TX, await attest(world, order, TX))
  let events: Awaited<ReturnType<World['run']>> = []
  const paid = await change(world, token, SOLVER, async () => {
    events = await world.run(call)
  })
  assert.equal(paid, order.inputAmount - order.integratorFee)
  const orderId = attestedIdOf(order)
  assert.deepEqual(argsOf(events, 'Attested'), { orderId, transaction: TX })
  assert.deepEqual(argsOf(events, 'Released'), { orderId, payee: SOLVER, to: SOLVER, amount: paid })
  assert.equal((await recordOf(world, order))[0], KIND.released)
  assert.equal(await world.refusal(call), 'WrongKind')
}

/** Every attempt at the attested settler. */
export const ATTESTED_CASES: readonly Case[] = [
  {
    name: 'ids and digests are those of EIP-712',
    run: async (world) => {
      const order = await outOf(world)
      const id = attestedIdOf(order)
      assert.equal(await world.read(world.settler, 'orderIdOf', [order]), id)
      const digest = await world.read(world.settler, 'fillDigestOf', [id, order.solver, TX])
      const signature = await attest(world, order, TX)
      assert.equal(typeof digest, 'string')
      assert.equal(signature.length, 132)
      assert.equal(await world.read(world.settler, 'chain', []), chainHash('eip155:31337'))
      assert.equal(await world.read(world.settler, 'proofWindow', []), WINDOW)
    },
  },
  {
    name: 'an attested fill pays the solver and sets the integrator’s fee aside, in tokens and native value',
    run: async (world) => {
      for (const part of [{}, { inputToken: NATIVE }, { integrator: zeroHash, integratorFee: 0n }]) {
        const order = await outOf(world, part)
        const token: Hex = 'inputToken' in part ? zeroAddress : world.token
        const escrowed = await change(world, token, world.settler, async () => {
          const event = argsOf(await world.run(openCall(world, order)), 'Open')
          assert.equal(event['orderId'], attestedIdOf(order))
          assert.deepEqual(event['order'], {
            ...order,
            originSettler: order.originSettler.toLowerCase(),
            inputToken: order.inputToken.toLowerCase(),
          })
        })
        assert.equal(escrowed, order.inputAmount)
        assert.equal(await world.refusal(openCall(world, order)), 'WrongKind')
        await assertReleased(world, order, token)
        if (order.integratorFee === 0n) continue
        const data = world.encode('payFees', [token, INTEGRATOR, INTEGRATOR])
        const fee = await change(world, token, INTEGRATOR, () =>
          world.run({ from: STRANGER, to: world.settler, data }),
        )
        assert.equal(fee, order.integratorFee)
      }
    },
  },
  {
    name: 'release takes the order’s attester’s signature for that order, payee, settler and chain alone',
    run: async (world) => {
      const order = await opened(world)
      const other = await opened(world)
      const refusalOf = async (signature: Hex, transaction = TX) =>
        world.refusal(releaseCall(world, order, transaction, signature))
      const good = await attest(world, order, TX)
      assert.equal(await refusalOf(good), undefined)
      for (const signature of [
        await attest(world, order, TX, IMPOSTOR),
        await attest(world, other, TX),
        await attest(world, order, zeroHash),
        await attest({ ...world, settler: STRANGER }, order, TX),
        await attest({ ...world, number: 1 }, order, TX),
        await attest(world, order, TX, ATTESTER, pad(PAYEE)),
      ])
        assert.equal(await refusalOf(signature), 'NotAttester')
      assert.equal(await refusalOf('0x'), 'ECDSAInvalidSignatureLength')
      assert.equal(await refusalOf(concat([good, '0x00'])), 'ECDSAInvalidSignatureLength')
      const toPayee = releaseCall(world, order, TX, good, PAYEE)
      assert.equal(await world.refusal(toPayee), 'NotPayee')
      assert.equal(await world.refusal({ ...toPayee, from: SOLVER }), undefined)
      for (const nobody of [zeroAddress, world.settler])
        assert.equal(await world.refusal(releaseCall(world, order, TX, good, nobody, SOLVER)), 'InvalidPayee')
      const unopened = await outOf(world)
      const early = releaseCall(world, unopened, TX, await attest(world, unopened, TX))
      assert.equal(await world.refusal(early), 'WrongKind')
    },
  },
  {
    name: 'a release that cannot pay reverts and can be repeated, also after refundAfter',
    run: async (world) => {
      const solver = await world.deploy('puppet')
      const order = await opened(world, { inputToken: NATIVE, solver: pad(solver) })
      const signature = await attest(world, order, TX)
      await world.run({ from: STRANGER, to: solver, data: world.encode('setMood', [1]) })
      assert.equal(await world.refusal(releaseCall(world, order, TX, signature, solver)), 'PaymentRefused')
      const inner = releaseCall(world, order, TX, signature, solver).data
      await world.run({ from: STRANGER, to: solver, data: world.encode('setCall', [world.settler, inner]) })
      await world.run({ from: STRANGER, to: solver, data: world.encode('setMood', [3]) })
      assert.equal(await world.refusal(releaseCall(world, order, TX, signature, solver)), 'PaymentRefused')
      const data = world.encode('act', [world.settler, releaseCall(world, order, TX, signature, PAYEE).data])
      const call = { from: STRANGER, to: solver, data }
      assert.equal(await world.refusal(call, order.refundAfter + 1), undefined)
      assert.equal(await change(world, zeroAddress, PAYEE, () => world.run(call)), 999_000n)
    },
  },
  {
    name: 'the solver declines to the second of its exclusive time, anybody refunds after refundAfter',
    run: async (world) => {
      const order = await opened(world)
      const at = (from: Hex, seconds: number, to?: Hex) =>
        world.refusal(refundCall(world, order, from, to), seconds)
      assert.equal(await at(SOLVER, order.exclusiveUntil), undefined)
      assert.equal(await at(SOLVER, order.exclusiveUntil + 1), 'RefundTooEarly')
      for (const from of [STRANGER, DEPOSITOR]) {
        assert.equal(await at(from, order.exclusiveUntil), 'RefundTooEarly')
        assert.equal(await at(from, order.refundAfter), 'RefundTooEarly')
        assert.equal(await at(from, order.refundAfter + 1), undefined)
      }
      assert.equal(await at(STRANGER, order.refundAfter + 1, PAYEE), 'NotPayee')
      assert.equal(await at(DEPOSITOR, order.refundAfter + 1, PAYEE), undefined)
      assert.equal(await at(DEPOSITOR, order.refundAfter + 1, world.settler), 'InvalidPayee')
      const refunded = await change(world, world.token, DEPOSITOR, async () => {
        const event = argsOf(await world.run(refundCall(world, order, SOLVER)), 'Refunded')
        assert.deepEqual(event, { orderId: attestedIdOf(order), to: DEPOSITOR, amount: order.inputAmount })
      })
      assert.equal(refunded, order.inputAmount)
      assert.equal(await world.refusal(refundCall(world, order, SOLVER)), 'WrongKind')
      assert.equal(
        await world.refusal(releaseCall(world, order, TX, await attest(world, order, TX))),
        'WrongKind',
      )
    },
  },
  {
    name: 'an order that could not end well is not opened',
    run: async (world) => {
      const { originChain, openDeadline, fillDeadline } = await outOf(world)
      const now = await world.now()
      const none = { integrator: zeroHash, integratorFee: 0n }
      for (const [part, expected] of [
        [{ depositor: pad(STRANGER) }, undefined],
        [{ depositor: DIRTY }, 'InvalidAddress'],
        [{ originChain: chainHash('eip155:1') }, 'WrongOrigin'],
        [{ originSettler: pad(STRANGER) }, 'WrongOrigin'],
        [{ destinationChain: originChain }, 'WrongDestination'],
        [{ destinationChain: zeroHash }, 'WrongDestination'],
        [{ destinationSettler: zeroHash }, 'WrongDestination'],
        [{ openDeadline: now - 1 }, 'OpenDeadlinePassed'],
        [{ openDeadline: fillDeadline + 1 }, 'WrongDeadlines'],
        [{ exclusiveUntil: fillDeadline - 1 }, 'WrongDeadlines'],
        [{ exclusiveUntil: fillDeadline + 1 }, 'WrongDeadlines'],
        [{ openDeadline, refundAfter: fillDeadline + WINDOW - 30 }, 'WrongDeadlines'],
        [{ refundAfter: now + 30 * DAYS + 60 }, 'WrongDeadlines'],
        [{ inputAmount: 0n, ...none }, 'ZeroAmount'],
        [{ outputAmount: 0n }, 'ZeroAmount'],
        [{ solver: zeroHash }, 'InvalidParty'],
        [{ solver: pad(world.settler) }, 'InvalidParty'],
        [{ solver: DIRTY }, 'InvalidAddress'],
        [{ filler: zeroHash }, 'InvalidParty'],
        [{ recipient: zeroHash }, 'InvalidParty'],
        [{ filler: pad('0x1'), recipient: pad('0x1') }, 'InvalidParty'],
        [{ recipient: pad('0x2'), destinationSettler: pad('0x2') }, 'InvalidParty'],
        [{ attester: zeroAddress }, 'InvalidParty'],
        [{ inputToken: DIRTY }, 'InvalidAddress'],
        [{ integrator: pad(world.settler) }, 'InvalidParty'],
        [{ integrator: DIRTY }, 'InvalidAddress'],
        [{ integratorFee: 10_001n }, 'InvalidFee'],
        [{ integratorFee: 10_000n }, undefined],
        [{ integratorFee: 0n }, 'InvalidFee'],
        [{ integrator: zeroHash }, 'InvalidFee'],
        [none, undefined],
      ] as const)
        assert.equal(await openRefusal(world, part), expected, JSON.stringify(part, String))
      const stranger = await outOf(world)
      assert.equal(await world.refusal({ ...openCall(world, stranger), from: STRANGER }), 'NotDepositor')
      assert.equal(await world.refusal({ ...openCall(world, stranger), value: 1n }), 'WrongValue')
      const edge = await outOf(world)
      assert.equal(await world.refusal(openCall(world, edge), edge.openDeadline), undefined)
      assert.equal(await world.refusal(openCall(world, edge), edge.openDeadline + 1), 'OpenDeadlinePassed')
      const exact = { ...edge, refundAfter: edge.fillDeadline + WINDOW }
      assert.equal(await world.refusal(openCall(world, exact)), undefined)
      const short = { ...edge, refundAfter: edge.fillDeadline + WINDOW - 1 }
      assert.equal(await world.refusal(openCall(world, short)), 'WrongDeadlines')
    },
  },
  {
    name: 'anybody opens an order by its depositor’s signature, which binds that order alone',
    run: async (world) => {
      const order = await outOf(world, { depositor: pad(SIGNER.address) })
      const signature = concat(['0x00', await signAttested(order)])
      const call = (one: AttestedOrder, permission: Hex, from: Hex = STRANGER) => ({
        from,
        to: world.settler,
        data: world.encode('openFor', [one, permission]),
      })
      assert.equal(await world.refusal(call({ ...order, outputAmount: 1n }, signature)), 'InvalidSignature')
      assert.equal(await world.refusal(call(order, '0x00')), 'InvalidSignature')
      assert.equal(await world.refusal(call(order, '0x')), 'InvalidPermission')
      assert.equal(await world.refusal(call(order, '0x00', SIGNER.address)), undefined)
      const native = await outOf(world, { depositor: pad(SIGNER.address), inputToken: NATIVE })
      const ofNative = concat(['0x00', await signAttested(native)])
      assert.equal(await world.refusal(call(native, ofNative)), 'NativeInput')
      await world.run(call(order, signature))
      assert.equal((await recordOf(world, order))[0], KIND.open)
      assert.equal(await world.refusal(call(order, signature)), 'WrongKind')
    },
  },
]
