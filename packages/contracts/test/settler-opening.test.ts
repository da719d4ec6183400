import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { encodeOrder, type IntentOrder, orderIdOf, wrapOrder } from '@openrfq/sandbox/test/intent-order.ts'
import {
  DEPOSITOR,
  fund,
  orderOf,
  PROOF_WINDOW_SECONDS,
  remoteOf,
  type SettlerWorld,
  type Side,
  STRANGER,
  startSettlerWorld,
  THIRD,
} from '@openrfq/sandbox/test/settler-world.ts'
import fc from 'fast-check'
import { type Hex, maxUint256, pad, zeroAddress, zeroHash } from 'viem'

const MAXIMUM_ESCROW_SECONDS = 30 * 24 * 3600
const NATIVE = { inputToken: zeroAddress, outputToken: zeroAddress }

let world: SettlerWorld
let now: number
before(async () => {
  world = await startSettlerWorld()
  now = (await world.a.now()) + 1
  await fund(world.a, DEPOSITOR, 10n ** 18n)
})
after(() => world.stop())

const order = (part: Partial<IntentOrder> = {}): IntentOrder => orderOf(world.a, world.b, now, part)
const openCall = (side: Side, intent: IntentOrder, value = 0n, from: Hex = intent.depositor) => ({
  from,
  to: side.settler,
  data: side.encode('open', [wrapOrder(intent)]),
  value,
})
const refusal = (part: Partial<IntentOrder>, value = 0n, atSeconds = now): Promise<string | undefined> =>
  world.a.refusal(openCall(world.a, order(part), value), atSeconds)

test('an order id is the EIP-712 hash of the order, known before opening', async () => {
  const intent = order()
  assert.equal(await world.a.read(world.a.settler, 'orderIdOf', [intent]), orderIdOf(intent))
  assert.equal(await world.b.read(world.b.settler, 'orderIdOf', [intent]), orderIdOf(intent))
})

test('an order id covers every field', () => {
  const intent = order()
  const others = Object.entries(intent).map(([name, value]) => {
    if (typeof value === 'number') return { ...intent, [name]: value + 1 }
    if (typeof value === 'bigint') return { ...intent, [name]: value + 1n }
    return { ...intent, [name]: value.replace(/.$/, (last) => (last === '7' ? '8' : '7')) }
  })
  // A changed digit breaks the address's checksum, which this test ignores.
  const ids = [intent, ...others].map((one) => orderIdOf(lowerCase(one)))
  assert.equal(new Set(ids).size, 17)
})

const lowerCase = (intent: IntentOrder): IntentOrder =>
  // CAST: the same fields, hex text in lower case.
  Object.fromEntries(
    Object.entries(intent).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.toLowerCase() : value,
    ]),
  ) as IntentOrder

test('open escrows an ERC-20 and emits the order as ERC-7683 resolves it', async () => {
  const { a } = world
  const intent = order()
  const [depositor, escrow] = [await a.balanceOf(a.token, DEPOSITOR), await a.balanceOf(a.token, a.settler)]
  const events = await a.run(openCall(a, intent))
  assert.equal(await a.balanceOf(a.token, DEPOSITOR), depositor - intent.inputAmount)
  assert.equal(await a.balanceOf(a.token, a.settler), escrow + intent.inputAmount)
  assert.equal(await a.read(a.settler, 'statusOf', [orderIdOf(intent)]), 1)
  const opened = events.find(({ eventName }) => eventName === 'Open')
  const resolved = await a.read(a.settler, 'resolve', [wrapOrder(intent)])
  assert.deepEqual(opened?.args, { orderId: orderIdOf(intent), resolvedOrder: resolved })
  assert.deepEqual(resolved, {
    user: DEPOSITOR,
    originChainId: 31_337n,
    openDeadline: intent.openDeadline,
    fillDeadline: intent.fillDeadline,
    orderId: orderIdOf(intent),
    maxSpent: [
      {
        token: pad(intent.outputToken).toLowerCase(),
        amount: intent.outputAmount,
        recipient: pad(intent.recipient),
        chainId: 31_338n,
      },
    ],
    minReceived: [
      {
        token: pad(intent.inputToken).toLowerCase(),
        amount: intent.inputAmount,
        recipient: pad(intent.solver),
        chainId: 31_337n,
      },
    ],
    fillInstructions: [
      {
        destinationChainId: 31_338n,
        destinationSettler: pad(world.b.settler).toLowerCase(),
        originData: encodeOrder(intent),
      },
    ],
  })
})

test('open escrows the exact native value', async () => {
  const { a } = world
  const intent = order(NATIVE)
  const escrow = await a.balanceOf(zeroAddress, a.settler)
  await a.run(openCall(a, intent, intent.inputAmount))
  assert.equal(await a.balanceOf(zeroAddress, a.settler), escrow + intent.inputAmount)
  assert.equal(await refusal(NATIVE, 999_999n), 'WrongValue')
  assert.equal(await refusal(NATIVE, 1_000_001n), 'WrongValue')
  assert.equal(await refusal({}, 1n), 'WrongValue')
})

test('an order is opened at most once', async () => {
  const { a } = world
  const intent = order()
  await a.run(openCall(a, intent))
  assert.equal(await a.refusal(openCall(a, intent)), 'WrongStatus')
})

test('open reverts for anybody but the depositor', async () => {
  const intent = order()
  assert.equal(await world.a.refusal(openCall(world.a, intent, 0n, STRANGER), now), 'NotDepositor')
})

test('open reverts on another chain or settler than the order names', async () => {
  assert.equal(await world.b.refusal(openCall(world.b, order()), now), 'WrongOrigin')
  assert.equal(await refusal({ originSettler: STRANGER }), 'WrongOrigin')
  assert.equal(await refusal({ originChainId: 1n }), 'WrongOrigin')
})

test('open reverts unless the destination is a trusted settler on another chain', async () => {
  const { a } = world
  assert.equal(await refusal({ destinationSettler: THIRD.settler }), 'WrongDestination')
  assert.equal(await refusal({ destinationChainId: 1n }), 'WrongDestination')
  assert.equal(await refusal({ destinationChainId: 1n, destinationSettler: zeroAddress }), 'WrongDestination')
  assert.equal(
    await refusal({ destinationChainId: BigInt(a.number), destinationSettler: a.settler }),
    'WrongDestination',
  )
  assert.equal(
    await refusal({ destinationChainId: THIRD.chainId, destinationSettler: THIRD.settler }),
    undefined,
  )
})

test('open succeeds until the second of the open deadline, and not after', async () => {
  const part = { openDeadline: now + 100 }
  assert.equal(await refusal(part, 0n, now + 100), undefined)
  assert.equal(await refusal(part, 0n, now + 101), 'OpenDeadlinePassed')
})

test('open requires deadlines that leave time to fill, to prove and to refund', async () => {
  const near = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -5000, max: 5000 }))
  await fc.assert(
    fc.asyncProperty(near, near, fc.boolean(), near, async (toOpen, toFill, isLong, toRefund) => {
      const openDeadline = now + toOpen
      const fillDeadline = openDeadline + toFill
      const refundAfter =
        (isLong ? now + MAXIMUM_ESCROW_SECONDS : fillDeadline + PROOF_WINDOW_SECONDS) + toRefund
      const isSane =
        openDeadline <= fillDeadline &&
        refundAfter - fillDeadline >= PROOF_WINDOW_SECONDS &&
        refundAfter <= now + MAXIMUM_ESCROW_SECONDS
      const expected = openDeadline < now ? 'OpenDeadlinePassed' : isSane ? undefined : 'WrongDeadlines'
      assert.equal(await refusal({ openDeadline, fillDeadline, refundAfter }), expected)
    }),
    { numRuns: 300 },
  )
})

test('open reverts for zero amounts and for parties that cannot be paid', async () => {
  const { a, b } = world
  assert.equal(await refusal({ inputAmount: 0n }), 'ZeroAmount')
  assert.equal(await refusal({ outputAmount: 0n }), 'ZeroAmount')
  assert.equal(await refusal({ solver: zeroAddress }), 'InvalidParty')
  assert.equal(await refusal({ solver: a.settler }), 'InvalidParty')
  assert.equal(await refusal({ filler: zeroAddress }), 'InvalidParty')
  assert.equal(await refusal({ filler: DEPOSITOR, recipient: DEPOSITOR }), 'InvalidParty')
  assert.equal(await refusal({ recipient: zeroAddress }), 'InvalidParty')
  assert.equal(await refusal({ recipient: b.settler }), 'InvalidParty')
})

test('open reverts for another order data type or a different outer deadline', async () => {
  const { a } = world
  const wrapped = wrapOrder(order())
  for (const [part, expected] of [
    [{ orderDataType: zeroHash }, 'WrongOrderType'],
    [{ fillDeadline: wrapped.fillDeadline + 1 }, 'WrongFillDeadline'],
  ] as const)
    for (const functionName of ['open', 'resolve']) {
      const data = a.encode(functionName, [{ ...wrapped, ...part }])
      assert.equal(await a.refusal({ from: DEPOSITOR, to: a.settler, data }), expected)
    }
})

test('open reverts for a token that takes a fee, returns false, rejects the transfer, or has no code', async () => {
  const { a } = world
  const token = await a.deploy('token')
  const setMood = (mood: number) => a.run({ from: STRANGER, to: token, data: a.encode('setMood', [mood]) })
  await a.run({ from: DEPOSITOR, to: token, data: a.encode('mint', [DEPOSITOR, maxUint256]) })
  await a.run({ from: DEPOSITOR, to: token, data: a.encode('approve', [a.settler, maxUint256]) })
  const outcomes: (string | undefined)[] = []
  for (const mood of [0, 1, 2, 3, 7]) {
    await setMood(mood)
    outcomes.push(await refusal({ inputToken: token }))
  }
  assert.deepEqual(outcomes, [
    undefined,
    'InexactTransfer',
    'SafeERC20FailedOperation',
    'HostileToken: refused',
    undefined,
  ])
  await setMood(0)
  assert.equal(await refusal({ inputToken: token, inputAmount: maxUint256 }), undefined)
  assert.equal(await refusal({ inputToken: a.token, inputAmount: maxUint256 }), 'ERC20InsufficientAllowance')
  assert.equal(await refusal({ inputToken: STRANGER }), 'execution reverted')
})

test('a token that calls back while it is escrowed opens nothing', async () => {
  const { a } = world
  const token = await a.deploy('token')
  const inner = order({ depositor: token, ...NATIVE })
  const call = a.encode('setCall', [a.settler, a.encode('open', [wrapOrder(inner)])])
  await a.run({ from: STRANGER, to: token, data: call })
  await a.run({ from: STRANGER, to: token, data: a.encode('setMood', [6]) })
  await a.run({ from: DEPOSITOR, to: token, data: a.encode('mint', [DEPOSITOR, 10n ** 18n]) })
  await a.run({ from: DEPOSITOR, to: token, data: a.encode('approve', [a.settler, 10n ** 18n]) })
  const outer = order({ inputToken: token })
  await a.run(openCall(a, outer))
  assert.equal(await a.read(token, 'isCallSuccessful', []), false)
  assert.equal(await a.read(token, 'answer', []), '0x3ee5aeb5', 'ReentrancyGuardReentrantCall')
  assert.equal(await a.read(a.settler, 'statusOf', [orderIdOf(inner)]), 0)
})

test('the settler rejects native value outside an escrow', async () => {
  const { a } = world
  assert.notEqual(await a.refusal({ from: DEPOSITOR, to: a.settler, data: '0x', value: 1n }), undefined)
})

test('the constructor accepts only complete, distinct settlers of other chains', async () => {
  const { a, b } = world
  const remote = remoteOf(b)
  const deployment = (remotes: readonly unknown[], gasService = a.gasService) =>
    a.deploy('settler', [a.gateway, gasService, remotes])
  for (const remotes of [
    [{ ...remote, chainId: 0n }],
    [{ ...remote, chainId: BigInt(a.number) }],
    [{ ...remote, settler: zeroAddress }],
    [{ ...remote, axelarChain: '' }],
    [{ ...remote, proofWindowSeconds: 0 }],
    [remote, { ...THIRD, chainId: remote.chainId }],
    [remote, { ...THIRD, axelarChain: remote.axelarChain }],
  ])
    await assert.rejects(deployment(remotes), /not deployed/)
  await assert.rejects(deployment([remote], zeroAddress), /not deployed/)
  await assert.rejects(a.deploy('settler', [zeroAddress, a.gasService, [remote]]), /not deployed/)
  assert.deepEqual(await a.read(a.settler, 'remoteOf', [remote.chainId]), remote)
})
