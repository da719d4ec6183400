import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { concat, pad, zeroAddress, zeroHash } from 'viem'
import { KIND, kindsOf } from '../../order-hashes.ts'
import {
  ATTESTERS,
  addressOf,
  attest,
  between,
  claimCall,
  fillCall,
  filledOrder,
  forge,
  into,
  LEDGER_ACCOUNT,
  ONE_OF_ONE,
  openCall,
  outByOne,
  outOf,
  proofOf,
  proveAndMark,
  recordOf,
  refundCall,
  releaseCall,
  repayTo,
  STATE,
  startSettlers,
  stateOf,
  wrapped,
} from './settler-world.ts'
import { argsOf, moves } from './steps.ts'
import { DEPOSITOR, FILLER, INTEGRATOR, PAYEE, RECIPIENT, SOLVER, STRANGER, type World } from './world.ts'

let world: World
let stop: () => Promise<void>
before(async () => {
  const started = await startSettlers()
  world = started.world
  stop = started.stop
})
after(() => stop())

const NATIVE = { inputToken: zeroHash, outputToken: zeroHash }

for (const [asset, part] of [
  ['tokens', {}],
  ['native value', NATIVE],
] as const)
  test(`an order between EVM chains in ${asset} is opened, filled, proven and claimed`, async () => {
    const { a, b } = world
    const order = await between(world, part)
    const [input, output] = [addressOf(order.inputToken), addressOf(order.outputToken)]
    await moves(a, async () => {
      const { resolvedOrder } = argsOf(await a.run(openCall(a, order)), 'Open')
      assert.deepEqual(resolvedOrder, await a.read(a.settler, 'resolve', [wrapped(order)]))
    }, [[input, world.settler, order.inputAmount]])
    assert.deepEqual(await recordOf(a, order), [STATE.open, 0, 0, zeroHash])
    await moves(b, () => b.run(fillCall(b, order)), [
      [output, RECIPIENT, order.outputAmount],
      [output, FILLER, -order.outputAmount],
    ])
    assert.deepEqual(await recordOf(b, order), [STATE.filled, await b.now(), KIND.evm, pad(SOLVER)])
    assert.equal(await a.refusal(claimCall(a, [order])), 'WrongState')
    argsOf(await proveAndMark(world, [order]), 'Proven')
    assert.equal(await a.refusal(refundCall(a, order), order.refundAfter + 1), 'WrongState')
    await moves(a, () => a.run(claimCall(a, [order])), [
      [input, SOLVER, order.inputAmount - order.integratorFee],
      [input, world.settler, order.integratorFee - order.inputAmount],
    ])
    assert.deepEqual(await recordOf(a, order), [STATE.released, 0, KIND.evm, pad(SOLVER)])
    assert.equal(await a.refusal(claimCall(a, [order])), 'WrongState')
    const paid = {
      from: STRANGER,
      to: world.settler,
      data: a.encode('payFees', [input, INTEGRATOR, INTEGRATOR]),
    }
    await moves(a, () => a.run(paid), [[input, INTEGRATOR, order.integratorFee]])
  })

test('orders of several fillers are proven together and claimed by payee', async () => {
  const { a, b } = world
  const [one, two] = [await filledOrder(world), await filledOrder(world)]
  const third = await between(world, { exclusiveUntil: 0 })
  await a.run(openCall(a, third))
  await b.run(fillCall(b, third, STRANGER, repayTo(PAYEE)))
  await proveAndMark(world, [one, two, third])
  assert.equal(await a.refusal(claimCall(a, [one, third])), 'MixedBatch')
  await moves(a, () => a.run(claimCall(a, [one, two])), [[a.token, SOLVER, 1_998_000n]])
  await moves(a, () => a.run(claimCall(a, [third], DEPOSITOR, PAYEE)), [
    [a.token, DEPOSITOR, 999_000n],
    [a.token, PAYEE, 0n],
  ])
})

test('an order to a ledger is released to its solver by the one attester that it names', async () => {
  const { a } = world
  const order = await outByOne(world)
  await a.run(openCall(a, order))
  assert.deepEqual(await recordOf(a, order), [STATE.open, 0, 0, zeroHash])
  const attestation = await attest(order, ATTESTERS.slice(0, 1))
  await moves(a, () => a.run(releaseCall(a, [order], [attestation], ONE_OF_ONE)), [
    [a.token, SOLVER, order.inputAmount - order.integratorFee],
  ])
  assert.deepEqual(await recordOf(a, order), [STATE.released, 0, KIND.evm, pad(SOLVER)])
})

test('orders to a ledger are released together by two of three attesters, a stranger’s by its own payee', async () => {
  const { a } = world
  const orders = [await outOf(world), await outOf(world), await outOf(world)]
  for (const order of orders) await a.run(openCall(a, order))
  const [one, two, third] = orders
  assert.ok(one && two && third)
  const attestations = [
    await attest(one),
    await attest(
      two,
      [ATTESTERS[0], ATTESTERS[2]].flatMap((by) => by ?? []),
    ),
  ]
  await moves(a, () => a.run(releaseCall(a, [one, two], attestations)), [[a.token, SOLVER, 1_998_000n]])
  const strange = await attest(third, ATTESTERS.slice(1), { payee: PAYEE, filledAt: third.fillDeadline })
  await moves(a, () => a.run(releaseCall(a, [third], [strange])), [[a.token, PAYEE, 999_000n]])
})

test('an order from a ledger is filled by its filler for its solver, and by a stranger for whom it names', async () => {
  const { b } = world
  const order = await into(world)
  await moves(b, () => b.run(fillCall(b, order)), [[b.token, RECIPIENT, order.outputAmount]])
  assert.deepEqual(await recordOf(b, order), [STATE.filled, await b.now(), KIND.solana, zeroHash])
  const strange = await into(world, { exclusiveUntil: 0 })
  const data = repayTo(LEDGER_ACCOUNT, KIND.solana)
  const { repayTo: payee } = argsOf(await b.run(fillCall(b, strange, STRANGER, data)), 'Filled')
  assert.equal(payee, LEDGER_ACCOUNT)
  assert.deepEqual(await recordOf(b, strange), [STATE.filled, await b.now(), KIND.solana, LEDGER_ACCOUNT])
})

test('the solver declines until the exclusive time, and anybody has the depositor refunded after the last', async () => {
  const { a } = world
  for (const make of [between, outOf]) {
    const declined = await make(world)
    await a.run(openCall(a, declined))
    assert.equal(
      await a.refusal(refundCall(a, declined, SOLVER), declined.exclusiveUntil + 1),
      'RefundTooEarly',
    )
    await moves(a, () => a.run(refundCall(a, declined, SOLVER)), [[a.token, DEPOSITOR, declined.inputAmount]])
    assert.equal(await stateOf(a, declined), STATE.refunded)
  }
  const order = await between(world)
  await a.run(openCall(a, order))
  assert.equal(await a.refusal(refundCall(a, order), order.refundAfter), 'RefundTooEarly')
  assert.equal(await a.refusal(refundCall(a, order, STRANGER, PAYEE), order.refundAfter + 1), 'NotPayee')
  await a.setNextTime(order.refundAfter + 1)
  await moves(a, () => a.run(refundCall(a, order, DEPOSITOR, PAYEE)), [[a.token, PAYEE, order.inputAmount]])
  assert.equal(await a.refusal(refundCall(a, order)), 'WrongState')
})

test('opening refuses terms that no proof, payment or refund could follow', async () => {
  const { a } = world
  const now = await a.now()
  const changes = [
    [between, { attesters: pad('0x01', { dir: 'right', size: 32 }) }, 'WrongAttesters'],
    [between, { destinationName: zeroHash }, 'WrongName'],
    [between, { destinationName: concat([pad('0x61', { dir: 'right', size: 31 }), '0x01']) }, 'WrongName'],
    [between, { destinationName: pad('0x41', { dir: 'right', size: 32 }) }, 'WrongName'],
    [between, { destinationSettler: pad(STRANGER) }, 'WrongDestination'],
    [between, { originSettler: pad(STRANGER) }, 'WrongOrigin'],
    [between, { originChainId: 1n }, 'WrongOrigin'],
    [between, { destinationChainId: BigInt(a.number) }, 'WrongDestination'],
    [between, { openDeadline: now - 1 }, 'OpenDeadlinePassed'],
    [between, { refundAfter: now + 86_400 + 60 }, 'WrongDeadlines'],
    [between, { exclusiveUntil: now + 5000 }, 'WrongDeadlines'],
    [between, { accountKinds: kindsOf(1, 2, 1, 1, 1) }, 'WrongAccountKinds'],
    [between, { accountKinds: kindsOf(1, 1, 1, 1, 0) }, 'WrongAccountKinds'],
    [between, { recipientTag: 1n }, 'InvalidAccount'],
    [between, { recipient: zeroHash }, 'InvalidAccount'],
    [between, { recipient: LEDGER_ACCOUNT }, 'InvalidAccount'],
    [between, { solver: LEDGER_ACCOUNT }, 'InvalidAccount'],
    [between, { solver: zeroHash }, 'InvalidAccount'],
    [between, { integrator: LEDGER_ACCOUNT }, 'InvalidAccount'],
    [between, { inputToken: LEDGER_ACCOUNT }, 'InvalidAccount'],
    [between, { integratorFee: 1_000_000n }, 'InvalidFee'],
    [between, { integratorFee: 0n }, 'InvalidFee'],
    [between, { outputAmount: 0n }, 'ZeroAmount'],
    [outOf, { attesters: zeroHash }, 'WrongAttesters'],
    [outOf, { attesters: concat(['0x01', pad('0x01', { size: 31 })]) }, 'WrongAttesters'],
    [outOf, { destinationName: pad('0x61', { dir: 'right', size: 32 }) }, 'WrongName'],
    [outOf, { destinationSettler: zeroHash }, 'WrongDestination'],
    [outOf, { refundAfter: now + 1210 }, 'WrongDeadlines'],
  ] as const
  for (const [make, part, error] of changes)
    assert.equal(
      await a.refusal(openCall(a, await make(world, part))),
      error,
      JSON.stringify(part, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    )
})

test('filling refuses orders of other chains, other names, late ones and those without time for a proof', async () => {
  const { b } = world
  const order = await between(world)
  const strangers = { exclusiveUntil: 0 }
  const changes = [
    [between, { destinationChainId: 10n }, 'WrongDestination'],
    [between, { destinationSettler: pad(STRANGER) }, 'WrongDestination'],
    [between, { originSettler: pad(STRANGER) }, 'WrongOrigin'],
    [between, { originChainId: BigInt(b.number) }, 'WrongOrigin'],
    [between, { destinationName: pad('0x61', { dir: 'right', size: 32 }) }, 'WrongName'],
    [between, { refundAfter: order.fillDeadline + 599 }, 'WrongDeadlines'],
    [into, { refundAfter: order.fillDeadline + 599 }, 'WrongDeadlines'],
    [between, { recipient: pad(FILLER) }, 'InvalidAccount'],
    [between, { recipient: pad(world.settler) }, 'InvalidAccount'],
    [into, { attesters: concat(['0x01', pad('0x01', { size: 31 })]) }, 'WrongAttesters'],
    [into, { attesters: zeroHash }, 'WrongAttesters'],
    [into, { accountKinds: kindsOf(2, 2, 2, 1, 0) }, 'WrongAccountKinds'],
    [into, { accountKinds: kindsOf(2, 1, 1, 1, 0) }, 'InvalidAccount'],
  ] as const
  for (const [make, part, error] of changes)
    assert.equal(await b.refusal(fillCall(b, await make(world, part))), error)
  assert.equal(await b.refusal(fillCall(b, order), order.fillDeadline + 1), 'FillDeadlinePassed')
  assert.equal(await b.refusal(fillCall(b, order, STRANGER, repayTo(PAYEE))), 'NotFiller')
  for (const [make, account, kind] of [
    [between, LEDGER_ACCOUNT, KIND.evm],
    [between, pad(PAYEE), KIND.solana],
    [between, zeroHash, KIND.evm],
    [between, pad(world.settler), KIND.evm],
    [into, LEDGER_ACCOUNT, KIND.evm],
    [into, LEDGER_ACCOUNT, KIND.stellarMuxed],
    [into, zeroHash, KIND.solana],
  ] as const)
    assert.equal(
      await b.refusal(fillCall(b, await make(world, strangers), STRANGER, repayTo(account, kind))),
      'InvalidAccount',
    )
})

test('a proof skips what is not open, not proven from there, or repays what is no account, and marks the others', async () => {
  const { a, b } = world
  const [order, other, ledgers] = [await filledOrder(world), await filledOrder(world), await outOf(world)]
  await a.run(openCall(a, ledgers))
  await forge(world, b.axelarName, concat([proofOf([ledgers], PAYEE), proofOf([other], LEDGER_ACCOUNT)]))
  await forge(world, b.axelarName, proofOf([other], zeroAddress))
  assert.deepEqual([await stateOf(a, ledgers), await stateOf(a, other)], [STATE.open, STATE.open])
  const unknown = await between(world)
  await forge(world, b.axelarName, concat([proofOf([unknown], PAYEE), proofOf([order, other], SOLVER)]))
  assert.deepEqual([await stateOf(a, order), await stateOf(a, other)], [STATE.proven, STATE.proven])
  assert.equal(await stateOf(a, unknown), STATE.none)
})
