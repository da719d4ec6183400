import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type AttestedOrder, attestedIdOf, fillDigestOf } from '@openrfq/sandbox/test/attested-order.ts'
import {
  ATTESTER,
  type AttestedWorld,
  addressOf,
  argsOf,
  assertRefused,
  callsOf,
  DEPOSITOR,
  FILL,
  FILLER,
  fund,
  HERE,
  IMPOSTOR,
  into,
  outOf,
  RECIPIENT,
  releaseBy,
  releaseCall,
  SOLVER,
  STRANGER,
  startAttestedWorld,
  WINDOW_SECONDS,
} from '@openrfq/sandbox/test/attested-world.ts'
import fc from 'fast-check'
import { fillDigest } from 'openrfq/src/intents/settlers/attestation.ts'
import { nameChains } from 'openrfq/src/intents/settlers/attested-order.ts'
import { openCall, orderIdOf } from 'openrfq/src/intents/settlers/settler-contract.ts'
import { readSettlerEvent } from 'openrfq/src/intents/settlers/settler-events.ts'
import { type Hex, numberToHex, pad, zeroAddress } from 'viem'
import { assertExact } from './attested-walk.ts'

const NATIVE = pad(zeroAddress)
const DIRTY: Hex = `0x01${'00'.repeat(11)}${SOLVER.slice(2)}`
const DAYS = 86_400

let world: AttestedWorld
let now: number
before(async () => {
  world = await startAttestedWorld()
  now = (await world.now()) + 1
})
after(() => world.stop())

type Part = Partial<AttestedOrder>
const out = (part: Part = {}) => outOf(world, now, part)
const inward = (part: Part = {}) => into(world, now, part)
const opened = async (part: Part = {}): Promise<AttestedOrder> => {
  const order = out(part)
  await world.run(callsOf(world, order).open)
  return order
}
const statusOf = (order: AttestedOrder) => world.read(world.settler, 'statusOf', [attestedIdOf(order)])
const setMood = (contract: Hex, mood: number) =>
  world.run({ from: STRANGER, to: contract, data: world.encode('setMood', [mood]) })
const paidBack = (order: AttestedOrder, payee: 'solver' | 'depositor') => ({
  orderId: attestedIdOf(order),
  [payee]: addressOf(order[payee]),
  token: addressOf(order.inputToken).toLowerCase() === zeroAddress ? zeroAddress : world.token,
  amount: order.inputAmount,
})
test('the contract computes the same order ids, digests and chain hashes as viem and the service', async () => {
  const order = out()
  const orderId = attestedIdOf(order)
  assert.equal(await world.read(world.settler, 'orderIdOf', [order]), orderId)
  const digest = fillDigestOf(world.number, world.settler, orderId, FILL)
  assert.equal(await world.read(world.settler, 'fillDigestOf', [orderId, FILL]), digest)
  const { settler } = world
  assert.equal(fillDigest({ chain: `eip155:${world.number}`, settler }, orderId, FILL), digest)
  assert.equal(await world.read(world.settler, 'chain', []), HERE)
  await assert.rejects(world.deploy('settler', [0]), /was not deployed/)
})

test('deposit escrows the input once, and the service decodes its event to the quoted order', async () => {
  const key = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
  const quoted = {
    ...{
      depositor: DEPOSITOR,
      salt: FILL,
      originChain: `eip155:${world.number}`,
      originSettler: world.settler,
    },
    ...{ destinationChain: 'solana:sandbox', destinationSettler: key, outputToken: '1'.repeat(32) },
    ...{ openDeadline: now + 600, fillDeadline: now + 600, refundAfter: now + 600 + WINDOW_SECONDS },
    ...{
      inputToken: zeroAddress,
      recipient: key.replace('9', '8'),
      solver: SOLVER,
      filler: key.replace('9', '7'),
    },
    attester: ATTESTER.address,
  }
  // CAST: amounts are branded bigints.
  const order = { ...quoted, inputAmount: 5n, outputAmount: 4n } as unknown as Parameters<typeof openCall>[0]
  // CAST: calldata is hex.
  const data = openCall(order).data as Hex
  const call = { from: DEPOSITOR, to: world.settler, data, value: openCall(order).value }
  const { txHash } = await world.send(call)
  // CAST: anvil's receipt.
  const receipt = (await world.rpc('eth_getTransactionReceipt', txHash)) as {
    readonly logs: readonly { readonly topics: readonly string[]; readonly data: string }[]
  }
  const [log] = receipt.logs
  assert.ok(log !== undefined)
  const chains = nameChains([order.originChain, order.destinationChain])
  assert.deepEqual(readSettlerEvent(log, chains), { kind: 'open', orderId: orderIdOf(order), order })
  assert.equal(await world.balanceOf(zeroAddress, world.settler), 5n)
  assert.equal(await world.refusal(call), 'WrongStatus')
})

test('deposit reverts for orders whose parties, amounts, deadlines or chains are invalid', async () => {
  await assertRefused(world, 'open', out, [
    [{}, undefined],
    [{ originChain: pad('0x01') }, 'WrongOrigin'],
    [{ originSettler: STRANGER }, 'WrongOrigin'],
    [{ originSettler: `0x01${pad(world.settler).slice(4)}` }, 'WrongOrigin'],
    [{ destinationChain: HERE }, 'WrongDestination'],
    [{ destinationChain: NATIVE }, 'WrongDestination'],
    [{ destinationSettler: NATIVE }, 'WrongDestination'],
    [{ openDeadline: now - 10 }, 'OpenDeadlinePassed'],
    [{ openDeadline: now + 1201 }, 'WrongDeadlines'],
    [{ refundAfter: now + 1200 + WINDOW_SECONDS - 1 }, 'WrongDeadlines'],
    [{ refundAfter: now + 31 * DAYS }, 'WrongDeadlines'],
    [{ fillDeadline: 2 ** 32 - 1, refundAfter: WINDOW_SECONDS - 1 }, 'WrongDeadlines'],
    [{ inputAmount: 0n }, 'ZeroAmount'],
    [{ outputAmount: 0n }, 'ZeroAmount'],
    [{ solver: NATIVE }, 'InvalidParty'],
    [{ solver: world.settler }, 'InvalidParty'],
    [{ filler: NATIVE }, 'InvalidParty'],
    [{ recipient: NATIVE }, 'InvalidParty'],
    [{ recipient: out().filler }, 'InvalidParty'],
    [{ recipient: out().destinationSettler }, 'InvalidParty'],
    [{ attester: zeroAddress }, 'InvalidParty'],
    [{ solver: DIRTY }, 'InvalidAddress'],
    [{ inputToken: DIRTY }, 'InvalidAddress'],
    [{ depositor: DIRTY }, 'InvalidAddress'],
  ])
  const order = out()
  const { open } = callsOf(world, order)
  assert.equal(await world.refusal({ ...open, from: STRANGER }), 'NotDepositor')
  assert.equal(await world.refusal({ ...open, value: 1n }), 'WrongValue')
  assert.equal(await world.refusal(open, order.openDeadline), undefined)
  assert.equal(await world.refusal(open, order.openDeadline + 1), 'OpenDeadlinePassed')
  const paid = callsOf(world, out({ inputToken: NATIVE })).open
  assert.equal(await world.refusal({ ...paid, value: 999_999n }), 'WrongValue')
})

test('anybody may submit the attestation, and it releases the escrow to the solver once', async () => {
  for (const inputToken of [pad(world.token), NATIVE]) {
    const order = await opened({ inputToken })
    const before = await world.balanceOf(addressOf(inputToken), SOLVER)
    const release = await releaseCall(world, order)
    const events = await world.run(release)
    assert.deepEqual(argsOf(events, 'Attested'), { orderId: attestedIdOf(order), transaction: FILL })
    assert.deepEqual(argsOf(events, 'Released'), paidBack(order, 'solver'))
    assert.equal(await world.balanceOf(addressOf(inputToken), SOLVER), before + order.inputAmount)
    assert.equal(await statusOf(order), 2)
    assert.equal(await world.refusal(release), 'WrongStatus')
    const { decline, refund } = callsOf(world, order)
    assert.equal(await world.refusal(decline), 'WrongStatus')
    assert.equal(await world.refusal(refund, order.refundAfter + 1), 'WrongStatus')
  }
  assert.equal(await world.refusal(await releaseCall(world, out())), 'WrongStatus')
})

test('release reverts for a signature of another key, order, transaction, contract, chain, kind or form', async () => {
  const [order, other] = [await opened(), await opened()]
  const orderId = attestedIdOf(order)
  const digests = [
    fillDigestOf(world.number, world.settler, attestedIdOf(other), FILL),
    fillDigestOf(world.number, world.settler, orderId, pad('0x01')),
    fillDigestOf(world.number, await world.deploy('settler', [WINDOW_SECONDS]), orderId, FILL),
    fillDigestOf(31_338, world.settler, orderId, FILL),
    orderId,
  ]
  for (const digest of digests)
    assert.equal(await world.refusal(await releaseCall(world, order, ATTESTER, digest)), 'NotAttester')
  assert.equal(await world.refusal(await releaseCall(world, order, IMPOSTOR)), 'NotAttester')
  const right = await ATTESTER.sign({ hash: fillDigestOf(world.number, world.settler, orderId, FILL) })
  const [r, s, v] = [right.slice(2, 66), BigInt(`0x${right.slice(66, 130)}`), right.slice(130)]
  const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const mirrored: Hex = `0x${r}${numberToHex(curveOrder - s, { size: 32 }).slice(2)}${v === '1b' ? '1c' : '1b'}`
  const malformed: readonly Hex[] = [
    mirrored,
    `0x${r}`,
    '0x',
    `0x${'00'.repeat(65)}`,
    `0x${right.slice(2)}00`,
    `0x${right.slice(2, -2)}00`,
  ]
  for (const signature of malformed)
    assert.match((await world.refusal(releaseBy(world, order, signature))) ?? '', /^ECDSAInvalidSignature/)
  // Replacing the attester changes the order id.
  const swapped = { ...order, attester: IMPOSTOR.address }
  assert.equal(await world.refusal(await releaseCall(world, swapped, IMPOSTOR)), 'WrongStatus')
  assert.equal(await world.refusal(releaseBy(world, order, right)), undefined)
})

test('fill pays the recipient the exact output once, and only from the named filler before the deadline', async () => {
  for (const outputToken of [pad(world.token), NATIVE]) {
    const order = inward({ outputToken })
    const { fill } = callsOf(world, order)
    const before = await world.balanceOf(addressOf(outputToken), RECIPIENT)
    assert.equal(await world.refusal({ ...fill, from: STRANGER }), 'NotFiller')
    assert.equal(await world.refusal({ ...fill, value: (fill.value ?? 0n) + 1n }), 'WrongValue')
    assert.equal(await world.refusal(fill, order.fillDeadline), undefined)
    assert.equal(await world.refusal(fill, order.fillDeadline + 1), 'FillDeadlinePassed')
    const events = await world.run(fill)
    assert.deepEqual(argsOf(events, 'Filled'), {
      orderId: attestedIdOf(order),
      filler: FILLER,
      recipient: RECIPIENT,
      token: outputToken === NATIVE ? zeroAddress : world.token,
      amount: order.outputAmount,
    })
    assert.equal(await world.balanceOf(addressOf(outputToken), RECIPIENT), before + order.outputAmount)
    assert.equal(await statusOf(order), 4)
    assert.equal(await world.refusal(fill), 'WrongStatus')
    // An order filled on this chain is repaid on its origin chain.
    assert.equal(await world.refusal(await releaseCall(world, order)), 'WrongStatus')
    assert.equal(await world.refusal(callsOf(world, order).refund, order.refundAfter + 1), 'WrongStatus')
  }
})

test('fill reverts for an order of another settler and for a token that does not deliver the exact output', async () => {
  const hostile = await world.deploy('token')
  await fund(world, FILLER, hostile)
  await setMood(hostile, 1)
  await assertRefused(world, 'fill', inward, [
    [{ destinationChain: pad('0x01') }, 'WrongDestination'],
    [{ destinationSettler: STRANGER }, 'WrongDestination'],
    [{ originChain: HERE }, 'WrongOrigin'],
    [{ outputAmount: 0n }, 'ZeroAmount'],
    [{ recipientTag: 1n }, 'InvalidTag'],
    [{ recipient: NATIVE }, 'InvalidParty'],
    [{ recipient: world.settler }, 'InvalidParty'],
    [{ recipient: FILLER }, 'InvalidParty'],
    [{ recipient: DIRTY }, 'InvalidAddress'],
    [{ outputToken: DIRTY }, 'InvalidAddress'],
    [{ filler: DIRTY }, 'InvalidAddress'],
    [{ outputToken: pad(hostile) }, 'InexactTransfer'],
  ])
  await setMood(hostile, 2)
  await assertRefused(world, 'fill', inward, [[{ outputToken: hostile }, 'SafeERC20FailedOperation']])
  const recipient = await world.deploy('puppet')
  await setMood(recipient, 1)
  await assertRefused(world, 'fill', inward, [[{ recipient, outputToken: NATIVE }, 'PaymentRefused']])
})

test('refund pays the depositor only: at once when the solver declines, or by anybody after refundAfter', async () => {
  const [declined, late] = [await opened(), await opened({ inputToken: NATIVE })]
  assert.equal(await world.refusal({ ...callsOf(world, declined).decline, from: STRANGER }), 'NotSolver')
  const events = await world.run(callsOf(world, declined).decline)
  assert.deepEqual(argsOf(events, 'Declined'), { orderId: attestedIdOf(declined), solver: SOLVER })
  assert.deepEqual(argsOf(events, 'Refunded'), paidBack(declined, 'depositor'))
  assert.equal(await world.refusal(await releaseCall(world, declined)), 'WrongStatus')
  const { refund } = callsOf(world, late)
  assert.equal(await world.refusal(refund, late.refundAfter), 'RefundTooEarly')
  const state = await world.rpc('evm_snapshot')
  await world.setNextTime(late.refundAfter + 1)
  assert.deepEqual(argsOf(await world.run(refund), 'Refunded'), paidBack(late, 'depositor'))
  assert.equal(await world.refusal(refund), 'WrongStatus')
  await world.rpc('evm_revert', state)
})

test('a payee that rejects a payment is credited, and calling back gains nothing', async () => {
  const puppet = await world.deploy('puppet')
  const byPuppet = (order: AttestedOrder) => {
    const { open } = callsOf(world, order)
    return { ...open, from: STRANGER, to: puppet, data: world.encode('act', [world.settler, open.data]) }
  }
  const [first, second, third] = [1, 2, 3].map(() => out({ depositor: puppet, inputToken: NATIVE }))
  assert.ok(first && second && third)
  for (const order of [first, second, third]) await world.run(byPuppet(order))
  await setMood(puppet, 1)
  assert.deepEqual(
    argsOf(await world.run(callsOf(world, first).decline), 'RefundCredited'),
    paidBack(first, 'depositor'),
  )
  const { data } = await releaseCall(world, third)
  await world.run({ from: STRANGER, to: puppet, data: world.encode('setCall', [world.settler, data]) })
  await setMood(puppet, 3)
  assert.ok(argsOf(await world.run(callsOf(world, second).decline), 'RefundCredited'))
  assert.equal(await statusOf(third), 1)
  assert.equal(await world.read(world.settler, 'creditOf', [puppet, zeroAddress]), 2_000_000n)
  await setMood(puppet, 0)
  await world.run({
    from: STRANGER,
    to: world.settler,
    data: world.encode('withdraw', [puppet, zeroAddress]),
  })
  assert.equal(await world.balanceOf(zeroAddress, puppet), 2_000_000n)
  const refusing = await opened({ solver: puppet, inputToken: NATIVE })
  await setMood(puppet, 1)
  const release = await releaseCall(world, refusing)
  assert.equal(await world.refusal({ ...release, gas: 430_000n }), 'InsufficientGas')
  assert.deepEqual(argsOf(await world.run(release), 'ReleaseCredited'), paidBack(refusing, 'solver'))
})

test('a recipient that calls back during its payment with unlimited gas changes nothing', async () => {
  const puppet = await world.deploy('puppet')
  const setCall = (to: Hex, data: Hex) =>
    world.run({ from: STRANGER, to: puppet, data: world.encode('setCall', [to, data]) })
  const approval = world.encode('approve', [world.settler, 1_000_000n])
  const approve = world.encode('act', [world.token, approval])
  await world.run({ from: STRANGER, to: world.token, data: world.encode('mint', [puppet, 1_000_000n]) })
  await world.run({ from: STRANGER, to: puppet, data: approve })
  const order = await opened({ solver: puppet })
  const { decline, refund } = callsOf(world, order)
  const inner = [
    decline,
    refund,
    await releaseCall(world, order),
    callsOf(world, inward({ filler: puppet })).fill,
  ]
  const late = order.refundAfter + 1
  const times = { fillDeadline: late + 1, refundAfter: late + 1 + WINDOW_SECONDS }
  const outer = callsOf(world, inward({ recipient: puppet, outputToken: NATIVE, ...times })).fill
  await setMood(puppet, 3)
  for (const call of inner) {
    const at = call === refund ? late : undefined
    await setCall(call.to, call.data)
    assert.equal(await world.refusal({ ...call, from: puppet }, at), undefined)
    assert.equal(await world.refusal(outer, at), 'PaymentRefused')
  }
  await setCall(world.token, approval)
  assert.equal(await world.refusal(outer), undefined)
})

test('any escrowed amount is paid out to the last base unit, and any output arrives exactly', async () => {
  const amounts = fc.bigInt(1n, 2n ** 80n)
  await fc.assert(
    fc.asyncProperty(amounts, fc.boolean(), fc.boolean(), (amount, isNative, isReleased) =>
      assertExact(world, amount, isNative ? zeroAddress : world.token, isReleased ? 'release' : 'decline'),
    ),
    { numRuns: 25 },
  )
})
