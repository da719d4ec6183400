import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Call } from '@openrfq/sandbox/test/chain-calls.ts'
import { concat, type Hex, pad, toHex, zeroAddress, zeroHash } from 'viem'
import { chainWord, KIND, type Order, orderIdOf } from '../../order-hashes.ts'
import {
  ATTESTERS,
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
  proveCall,
  refundCall,
  releaseCall,
  repayTo,
  STATE,
  startSettlers,
  stateOf,
  TWO_OF_THREE,
  wordOf,
} from './settler-world.ts'
import { approved, gasOf, moves } from './steps.ts'
import { DEPOSITOR, FILLER, PAYEE, RECIPIENT, type Side, SOLVER, STRANGER, type World } from './world.ts'

let world: World
let stop: () => Promise<void>
before(async () => {
  const started = await startSettlers()
  world = started.world
  stop = started.stop
})
after(() => stop())

const [FIRST, SECOND, THIRD] = ATTESTERS
assert.ok(FIRST && SECOND && THIRD)
/** The moods of HostileToken, as it numbers them. */
const MOOD = { plain: 0, takingFee: 1, answeringFalse: 2, refusing: 3, calling: 6, refusingTarget: 10 }

const opened = async (make: typeof outOf, part: Parameters<typeof outOf>[1] = {}) => {
  const order = await make(world, part)
  await world.a.run(openCall(world.a, order))
  return order
}

test('attesters that are not the order’s, too few of them, or one twice release nothing', async (t) => {
  const { a } = world
  const order = await opened(outOf)
  const release = async (signers: Parameters<typeof attest>[1], set = TWO_OF_THREE) =>
    a.refusal(releaseCall(a, [order], [await attest(order, signers)], set))
  assert.equal(await release([FIRST]), 'WrongSignatureCount')
  assert.equal(await release([]), 'WrongSignatureCount')
  assert.equal(await release([FIRST, SECOND, THIRD]), 'WrongSignatureCount')
  assert.equal(await release([FIRST, FIRST]), 'NotAttester')
  assert.equal(await release([THIRD, FIRST]), 'NotAttester')
  const other = { threshold: 2, members: [FIRST.address, SECOND.address] }
  assert.equal(await release([FIRST, SECOND], other), 'WrongAttesters')
  assert.equal(await release([FIRST], ONE_OF_ONE), 'WrongAttesters')
  const gas = await gasOf(a, releaseCall(a, [order], [await attest(order, [FIRST, FIRST])]))
  t.diagnostic(`cost: ${gas} gas of a reverted release; gain: 0`)
  assert.equal(await release([FIRST, THIRD]), undefined)
})

test('a set that names one member twice counts it once', async () => {
  const { a } = world
  const set = { threshold: 2, members: [FIRST.address, FIRST.address] }
  const order = await opened(outOf, { attesters: wordOf(set) })
  const call = releaseCall(a, [order], [await attest(order, [FIRST, FIRST])], set)
  assert.equal(await a.refusal(call), 'NotAttester')
})

test('an attestation of another order, payee, time or domain releases nothing', async () => {
  const { a } = world
  const [order, other] = [await opened(outOf), await opened(outOf)]
  const honest = await attest(order)
  const { signatures } = await attest(order, undefined, { orderId: orderIdOf(other) })
  const refusals = [
    { ...honest, signatures },
    { ...honest, repayTo: STRANGER, filledAt: order.exclusiveUntil + 1 },
    { ...honest, filledAt: honest.filledAt - 1 },
    { ...honest, signatures: honest.signatures.replace(/^0x../, '0xff') as Hex },
  ]
  for (const attestation of refusals) {
    const refusal = await a.refusal(releaseCall(a, [order], [attestation]))
    assert.ok(refusal === 'NotAttester' || refusal === 'ECDSAInvalidSignature', refusal)
  }
  assert.equal(await a.refusal(releaseCall(a, [other], [honest])), 'NotAttester')
  const strange = await attest(other, undefined, { payee: STRANGER, filledAt: other.fillDeadline })
  assert.equal(await a.refusal(releaseCall(a, [order, other], [honest, strange])), 'NotAttester')
  const byOne = await opened(outByOne)
  const mixed = [honest, await attest(byOne)]
  assert.equal(await a.refusal(releaseCall(a, [order, byOne], mixed)), 'MixedBatch')
  assert.equal(await a.refusal(releaseCall(a, [order, order], [honest, honest])), 'WrongState')
})

test('one attester alone repays the solver alone, and strangers only after the exclusive time', async () => {
  const { a } = world
  const order = await opened(outByOne)
  for (const filledAt of [order.fillDeadline, order.fillDeadline + 1, 0]) {
    const stolen = await attest(order, [FIRST], { payee: STRANGER, filledAt })
    assert.equal(await a.refusal(releaseCall(a, [order], [stolen], ONE_OF_ONE)), 'ImpossibleFill')
  }
  const shared = await outOf(world, { attesters: wordOf(ONE_OF_ONE) })
  assert.equal(await a.refusal(openCall(a, shared)), 'WrongAttesters')
  const many = await opened(outOf)
  for (const [payee, filledAt] of [
    [PAYEE, many.exclusiveUntil],
    [PAYEE, many.fillDeadline + 1],
    [SOLVER, many.fillDeadline + 1],
  ] as const)
    assert.equal(
      await a.refusal(releaseCall(a, [many], [await attest(many, undefined, { payee, filledAt })])),
      'ImpossibleFill',
    )
})

test('an order between EVM chains cannot name attesters, nor be released by any', async (t) => {
  const { a } = world
  const thief = { threshold: 1, members: [FIRST.address] }
  const attesters = wordOf(thief)
  assert.equal(await a.refusal(openCall(a, await between(world, { attesters }))), 'WrongAttesters')
  const order = await opened(between)
  for (const set of [thief, { threshold: 0, members: [] }])
    assert.equal(
      await a.refusal(releaseCall(a, [order], [await attest(order, [FIRST])], set)),
      'WrongAttesters',
    )
  const unopened = await between(world, { attesters })
  assert.equal(
    await a.refusal(releaseCall(a, [unopened], [await attest(unopened, [FIRST])], thief)),
    'WrongState',
  )
  t.diagnostic('C1: cost: the gas of a refused open; gain: 0')
})

test('an order is released or refunded, never both, whichever comes first', async () => {
  const { a } = world
  const [released, refunded] = [await opened(outOf), await opened(outOf)]
  const release = releaseCall(a, [refunded], [await attest(refunded)])
  await a.run(releaseCall(a, [released], [await attest(released)]))
  assert.equal(await a.refusal(refundCall(a, released, SOLVER)), 'WrongState')
  assert.equal(await a.refusal(refundCall(a, released), released.refundAfter + 1), 'WrongState')
  assert.equal(await a.refusal(releaseCall(a, [released], [await attest(released)])), 'WrongState')
  await a.run(refundCall(a, refunded, SOLVER))
  assert.equal(await a.refusal(release), 'WrongState')
  assert.equal(await a.refusal(openCall(a, refunded)), 'WrongState')
})

test('orders of a worthless token are not paid out in another one of their batch', async () => {
  const { a } = world
  const { token } = await tokenOf(a, MOOD.plain)
  const worthless = { inputToken: pad(token), inputAmount: 10n ** 8n }
  const [order, dust] = [await filledOrder(world), await filledOrder(world, worthless)]
  await proveAndMark(world, [order, dust])
  assert.equal(await a.refusal(claimCall(a, [order, dust])), 'MixedBatch')
  const [single, other] = [await opened(outOf), await opened(outOf, worthless)]
  const attestations = [await attest(single), await attest(other)]
  assert.equal(await a.refusal(releaseCall(a, [single, other], attestations)), 'MixedBatch')
})

test('A1: depositor and solver cannot decline once a stranger may fill', async () => {
  const { a, b } = world
  const order = await opened(between)
  await b.setNextTime(order.exclusiveUntil + 1)
  await b.run(fillCall(b, order, STRANGER, repayTo(PAYEE)))
  for (const from of [SOLVER, DEPOSITOR])
    assert.equal(await a.refusal(refundCall(a, order, from), order.exclusiveUntil + 1), 'RefundTooEarly')
  await proveAndMark(world, [order])
  assert.equal(await a.refusal(refundCall(a, order, SOLVER)), 'WrongState')
  await moves(a, () => a.run(claimCall(a, [order], PAYEE)), [[a.token, PAYEE, 999_000n]])
})

test('A2, A5: an order of another name than this chain’s cannot be filled, in whatever case', async () => {
  const { a, b } = world
  for (const name of ['evil', 'arbitrum'])
    assert.equal(
      await b.refusal(fillCall(b, await between(world, { destinationName: chainWord(name) }))),
      'WrongName',
    )
  const shouted = await between(world, { destinationName: toHex('SANDBOX-B', { size: 32 }) })
  assert.equal(await a.refusal(openCall(a, shouted)), 'WrongName')
  assert.equal(
    await a.refusal(openCall(a, await between(world, { destinationName: chainWord(a.axelarName) }))),
    'WrongName',
  )
})

test('A3: a chain with any code at our address marks orders that name it, and no others', async () => {
  const { a, b } = world
  const order = await filledOrder(world)
  const named = await between(world, { destinationName: chainWord('evil'), destinationChainId: 666n })
  const ledger = await opened(outOf)
  await a.run(openCall(a, named))
  await forge(world, 'evil', proofOf([order, ledger, named], STRANGER))
  assert.deepEqual(await Promise.all([order, ledger, named].map((each) => stateOf(a, each))), [
    STATE.open,
    STATE.open,
    STATE.proven,
  ])
  await proveAndMark(world, [order])
  await forge(world, 'evil', proofOf([order], STRANGER))
  await forge(world, b.axelarName.toUpperCase(), proofOf([order], STRANGER))
  await moves(a, () => a.run(claimCall(a, [order])), [
    [a.token, SOLVER, 999_000n],
    [a.token, STRANGER, 0n],
  ])
})

test('a proof by another address, or that the gateway has not approved, is refused', async () => {
  const { a, b } = world
  const order = await filledOrder(world)
  const payload = proofOf([order], STRANGER)
  const message = { sourceChain: b.axelarName, sourceAddress: STRANGER, target: world.settler, payload }
  assert.equal(await a.refusal(await approved(a, message)), 'UntrustedSource')
  const data = a.encode('execute', [zeroHash, b.axelarName, world.settler, payload])
  assert.equal(await a.refusal({ from: STRANGER, to: world.settler, data }), 'NotApprovedByGateway')
  const cut = { ...message, sourceAddress: world.settler, payload: concat([payload, '0x00']) }
  assert.equal(await a.refusal(await approved(a, cut)), 'WrongProof')
})

test('only fills from EVM chains are proven by messages', async () => {
  const { b } = world
  const [fromLedger, unfilled] = [await into(world), await between(world)]
  await b.run(fillCall(b, fromLedger))
  for (const order of [fromLedger, unfilled])
    assert.equal(await b.refusal(proveCall(b, [order], 'solana')), 'WrongState')
})

test('an order is filled once, and another’s words or id fill nothing', async () => {
  const { b } = world
  for (const make of [between, into]) {
    const order = await make(world, { exclusiveUntil: 0 })
    const strange = repayTo(make === into ? LEDGER_ACCOUNT : PAYEE, make === into ? KIND.solana : KIND.evm)
    await b.run(fillCall(b, order, STRANGER, strange))
    assert.equal(await b.refusal(fillCall(b, order)), 'WrongState')
    assert.equal(await b.refusal(fillCall(b, order, STRANGER, strange)), 'WrongState')
  }
  const order = await between(world)
  const replaced = fillCall(b, { ...order, outputAmount: 1n })
  const data = replaced.data.replace(
    orderIdOf({ ...order, outputAmount: 1n }).slice(2),
    orderIdOf(order).slice(2),
  )
  assert.equal(await b.refusal({ ...replaced, data: data as Hex }), 'WrongOrderId')
})

const tokenOf = async (side: Side, mood: number, target: Hex = zeroAddress, data: Hex = '0x') => {
  const token = await side.deploy('token')
  for (const account of [DEPOSITOR, FILLER]) {
    await side.run({ from: account, to: token, data: side.encode('mint', [account, 10n ** 9n]) })
    await side.run({ from: account, to: token, data: side.encode('approve', [side.settler, 10n ** 9n]) })
  }
  await side.run({ from: STRANGER, to: token, data: side.encode('setCall', [target, data]) })
  const set = (next: number) => side.run({ from: STRANGER, to: token, data: side.encode('setMood', [next]) })
  await set(mood)
  return { token, set }
}

test('a token that takes a fee, lies or refuses opens and fills nothing', async () => {
  const { a, b } = world
  for (const mood of [MOOD.takingFee, MOOD.answeringFalse, MOOD.refusing]) {
    const [input, output] = [await tokenOf(a, mood), await tokenOf(b, mood)]
    const opening = await between(world, { inputToken: pad(input.token) })
    assert.notEqual(await a.refusal(openCall(a, opening)), undefined)
    const filling = await between(world, { outputToken: pad(output.token) })
    assert.notEqual(await b.refusal(fillCall(b, filling)), undefined)
  }
})

test('a token that calls back during an open cannot count one transfer twice', async () => {
  const { a } = world
  const inner = await between(world)
  const hostile = await tokenOf(a, MOOD.plain)
  const outer = await between(world, { inputToken: pad(hostile.token) })
  const nested = { ...inner, inputToken: pad(hostile.token), depositor: pad(hostile.token) }
  const { data } = openCall(a, nested)
  await a.run({ from: STRANGER, to: hostile.token, data: a.encode('setCall', [world.settler, data]) })
  await hostile.set(MOOD.calling)
  await moves(a, () => a.run(openCall(a, outer)), [[hostile.token, world.settler, outer.inputAmount]])
  assert.equal(await stateOf(a, nested), STATE.none)
})

test('a payee that a token refuses names another account, and stops nobody else', async () => {
  const { a } = world
  const { token } = await tokenOf(a, MOOD.refusingTarget, SOLVER)
  const [order, other] = [await filledOrder(world, { inputToken: pad(token) }), await filledOrder(world)]
  await proveAndMark(world, [order, other])
  assert.equal(await a.refusal(claimCall(a, [order])), 'PaymentRefused')
  assert.equal(await a.refusal(claimCall(a, [order], STRANGER)), 'NotPayee')
  await moves(a, () => a.run(claimCall(a, [order], PAYEE, SOLVER)), [[token, PAYEE, 999_000n]])
  await a.run(claimCall(a, [other]))
})

test('a recipient that refuses its payment leaves the order unfilled', async () => {
  const { b } = world
  const recipient = await b.deploy('puppet')
  await b.run({ from: STRANGER, to: recipient, data: b.encode('setMood', [1]) })
  for (const make of [between, into]) {
    const order = await make(world, { recipient: pad(recipient), outputToken: zeroHash })
    assert.equal(await b.refusal(fillCall(b, order)), 'PaymentRefused')
    assert.equal(await stateOf(b, order), STATE.none)
  }
})

test('a recipient that fills again while it is paid cannot', async () => {
  const { b } = world
  const recipient = await b.deploy('puppet')
  const order = await between(world, { recipient: pad(recipient), outputToken: zeroHash, exclusiveUntil: 0 })
  const again = fillCall(b, order, STRANGER, repayTo(PAYEE))
  await b.run({ from: STRANGER, to: recipient, data: b.encode('setCall', [world.settler, again.data]) })
  await b.run({ from: STRANGER, to: recipient, data: b.encode('setMood', [3]) })
  assert.equal(await b.refusal(fillCall(b, order)), 'PaymentRefused')
})

test('a payee that claims, releases or refunds again while it is paid gets nothing more', async () => {
  const { a } = world
  const puppet = await a.deploy('puppet')
  const native = { inputToken: zeroHash, solver: pad(puppet) }
  const order = await filledOrder(world, native)
  await opened(between, { inputToken: zeroHash })
  await proveAndMark(world, [order])
  const again = claimCall(a, [order], puppet)
  await a.run({ from: STRANGER, to: puppet, data: a.encode('setCall', [world.settler, again.data]) })
  await a.run({ from: STRANGER, to: puppet, data: a.encode('setMood', [3]) })
  assert.equal(await a.refusal(claimCall(a, [order], puppet)), 'PaymentRefused')
})

/** The place of the kinds among an order's words. */
const KINDS = 15

test('upper bits of a field name another order, which is neither opened, released nor refunded', async () => {
  const { a } = world
  const order = await opened(outOf)
  /** Sets bits that a field of an order in calldata has no room for: the kinds stand at the start of their word. */
  const dirtied = (call: Call, { salt }: Order, position: number): Call => {
    const at = call.data.indexOf(salt.slice(2)) + 64 * position + (position === KINDS ? 62 : 0)
    // CAST: hex digits in place of others.
    return { ...call, data: `${call.data.slice(0, at)}ff${call.data.slice(at + 2)}` as Hex }
  }
  const attestation = await attest(order)
  const unopened = await outOf(world)
  for (const position of [3, 12, KINDS, 16, 17, 18, 19])
    for (const [call, target] of [
      [openCall(a, unopened), unopened],
      [releaseCall(a, [order], [attestation]), order],
      [refundCall(a, order, SOLVER), order],
    ] as const) {
      assert.equal(await a.refusal(call), undefined)
      assert.notEqual(await a.refusal(dirtied(call, target, position)), undefined, String(position))
    }
})

test('the recipient is paid by the filler, and nobody else’s allowance', async () => {
  const { b } = world
  const order = await between(world, { exclusiveUntil: 0 })
  await moves(b, () => b.run(fillCall(b, order, STRANGER, repayTo(PAYEE))), [
    [b.token, STRANGER, -order.outputAmount],
    [b.token, FILLER, 0n],
    [b.token, RECIPIENT, order.outputAmount],
  ])
})
