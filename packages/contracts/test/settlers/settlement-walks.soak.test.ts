import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { IntentOrder } from '@openrfq/sandbox/test/intent-order.ts'
import fc from 'fast-check'
import { openSoak } from 'openrfq/test/soak.ts'
import { type Hex, zeroAddress } from 'viem'
import { proofOf } from './settlement-cases.ts'
import {
  approved,
  claimCall,
  fillCall,
  nowOf,
  openCall,
  orderOf,
  proveCall,
  recordOf,
  refundCall,
  repayTo,
} from './steps.ts'
import {
  fund,
  INTEGRATOR,
  PAYEE,
  SETTLER_ARTIFACT,
  type Side,
  SOLVER,
  STRANGER,
  startSides,
  type World,
  withSettler,
} from './world.ts'

let world: World
let stop: () => Promise<void>
before(async () => {
  const started = await startSides()
  stop = started.stop
  world = await withSettler(started.sides, SETTLER_ARTIFACT.bytecode)
})
after(() => stop())

const { seed, of } = openSoak()
const WALKS = of(60)
const ORDERS = 6
const STEPS = 40
/** A minute for each walk; shrinking a failure to its smallest walk ends here too. */
const LIMIT_MS = WALKS * 60_000

/** How often each kind of step was done, and refused. */
const counts = new Map<string, number>()

const POSITIONS = [...Array(ORDERS).keys()]
const MAXIMUM_ESCROW_SECONDS = 30 * 86_400

const position = fc.nat(ORDERS - 1)
/** One step of a walk; positions name orders. */
const moveArbitrary = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('open' as const), at: position }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('fill' as const), at: position }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('stranger' as const), at: position }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('decline' as const), at: position }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('refund' as const), at: position }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('prove' as const), all: fc.array(position, { minLength: 1 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('claim' as const), all: fc.array(position, { minLength: 1 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('evil' as const), at: position }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fees' as const), isNative: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.nat(700) }) },
)
type Move = typeof moveArbitrary extends fc.Arbitrary<infer Value> ? Value : never
type Amounts = readonly { readonly isNative: boolean; readonly input: bigint; readonly fee: bigint }[]

const amountsArbitrary: fc.Arbitrary<Amounts> = fc.array(
  fc.record({
    isNative: fc.boolean(),
    input: fc.bigInt(1n, 10n ** 9n),
    fee: fc.bigInt(0n, 10_000_000n),
  }),
  { minLength: ORDERS, maxLength: ORDERS },
)

const ordersOf = (amounts: Amounts): Promise<readonly IntentOrder[]> =>
  Promise.all(
    amounts.map(({ isNative, input, fee }) => {
      const most = input / 100n
      const integratorFee = most === 0n ? 0n : fee % (most + 1n)
      const token = isNative ? { inputToken: zeroAddress, outputToken: zeroAddress } : {}
      const integrator = integratorFee === 0n ? zeroAddress : INTEGRATOR
      return orderOf(world, { ...token, inputAmount: input, outputAmount: input, integrator, integratorFee })
    }),
  )

const send = async (side: Side, call: Parameters<Side['send']>[0]): Promise<boolean> =>
  (await side.send(call)).events !== undefined

const pick = (orders: readonly IntentOrder[], positions: readonly number[]): readonly IntentOrder[] =>
  positions.flatMap((at) => orders[at] ?? [])

const proveAndExecute = async (orders: readonly IntentOrder[]): Promise<boolean> => {
  const { a, b } = world
  if (!(await send(b, proveCall(b, orders, a.axelarName)))) return false
  for (const order of orders) {
    const [, payee] = await recordOf(b, order)
    const payload = proofOf(world.settler, [order], payee)
    const message = {
      sourceChain: b.axelarName,
      sourceAddress: world.settler,
      target: world.settler,
      payload,
    }
    assert.ok(await send(a, await approved(a, message)))
  }
  return true
}

/** Whether the step was done and not refused. */
const perform = async (orders: readonly IntentOrder[], move: Move): Promise<boolean> => {
  const { a, b } = world
  if (move.kind === 'wait') {
    const now = (await nowOf(world)) + move.seconds + 1
    await Promise.all([a.setNextTime(now), b.setNextTime(now)])
    return true
  }
  if (move.kind === 'fees') {
    const token = move.isNative ? zeroAddress : a.token
    const data = a.encode('payFees', [token, INTEGRATOR, INTEGRATOR])
    return send(a, { from: STRANGER, to: a.settler, data })
  }
  const chosen = pick(orders, 'at' in move ? [move.at] : move.all)
  const [order] = chosen
  assert.ok(order)
  if (move.kind === 'open') return send(a, openCall(a, order))
  if (move.kind === 'fill') return send(b, fillCall(b, order))
  if (move.kind === 'stranger') return send(b, fillCall(b, order, STRANGER, repayTo(PAYEE)))
  if (move.kind === 'decline') return send(a, refundCall(a, order, SOLVER))
  if (move.kind === 'refund') return send(a, refundCall(a, order))
  if (move.kind === 'prove') return proveAndExecute(chosen)
  if (move.kind === 'claim') {
    const [, payee] = await recordOf(a, order)
    return send(a, claimCall(a, chosen, payee))
  }
  const payload = proofOf(world.settler, [order], STRANGER)
  const evil = { sourceChain: 'evil', sourceAddress: world.settler, target: world.settler, payload }
  return send(a, await approved(a, evil))
}

const tokens = (): readonly Hex[] => [zeroAddress, world.a.token]

/** What the settler owes of a token: escrows of open and proven orders, and fees that were not paid yet. */
const owed = async (orders: readonly IntentOrder[], token: Hex): Promise<bigint> => {
  const records = await Promise.all(orders.map((order) => recordOf(world.a, order)))
  // CAST: a uint256.
  const fees = (await world.a.read(world.a.settler, 'feesOf', [INTEGRATOR, token])) as bigint
  return orders.reduce((sum, { inputToken, inputAmount }, at) => {
    const kind = records[at]?.[0]
    return inputToken === token && (kind === 1 || kind === 4) ? sum + inputAmount : sum
  }, fees)
}

/** What the settler holds of a token on its origin; nothing is ever left on the destination. */
const held = async (token: Hex): Promise<bigint> => {
  const { a, b } = world
  assert.equal(await b.balanceOf(token === zeroAddress ? token : b.token, b.settler), 0n)
  return a.balanceOf(token, a.settler)
}

const playMove = async (orders: readonly IntentOrder[], move: Move): Promise<void> => {
  const name = `${move.kind} ${(await perform(orders, move)) ? 'done' : 'refused'}`
  counts.set(name, (counts.get(name) ?? 0) + 1)
  for (const token of tokens())
    assert.equal(await held(token), await owed(orders, token), `${name} of ${token}`)
}

/** Ends every order: the delivered ones are proven and claimed, and the others are refunded when all times are past. */
const END: readonly Move[] = [
  ...POSITIONS.flatMap((at): Move[] => [
    { kind: 'prove', all: [at] },
    { kind: 'claim', all: [at] },
  ]),
  { kind: 'wait', seconds: MAXIMUM_ESCROW_SECONDS },
  ...POSITIONS.map((at): Move => ({ kind: 'refund', at })),
  { kind: 'fees', isNative: true },
  { kind: 'fees', isNative: false },
]

/** A fixed sequence with every kind of step, done and refused, before the random steps of every seed. The strangers' time begins after 900 seconds and lasts 300. */
const COVERING: readonly Move[] = [
  ...[0, 0, 1, 2, 3].map((at): Move => ({ kind: 'open', at })),
  { kind: 'stranger', at: 2 },
  { kind: 'fill', at: 0 },
  { kind: 'fill', at: 0 },
  { kind: 'decline', at: 1 },
  { kind: 'decline', at: 1 },
  { kind: 'refund', at: 2 },
  { kind: 'prove', all: [2] },
  { kind: 'claim', all: [0] },
  { kind: 'evil', at: 2 },
  { kind: 'fees', isNative: true },
  { kind: 'wait', seconds: 950 },
  { kind: 'stranger', at: 2 },
  { kind: 'decline', at: 2 },
  ...END,
]

const playWalk = async (amounts: Amounts, moves: readonly Move[]): Promise<void> => {
  for (const side of [world.a, world.b]) await fund(side, STRANGER)
  const orders = await ordersOf(amounts)
  for (const move of moves) await playMove(orders, move)
  for (const token of tokens()) assert.equal(await held(token), 0n, 'value is left that no account can claim')
}

/** Plays a walk, and leaves the chains as they were. */
const tryWalk = async (amounts: Amounts, moves: readonly Move[]): Promise<void> => {
  const before = await Promise.all([world.a.rpc('evm_snapshot'), world.b.rpc('evm_snapshot')])
  try {
    await playWalk(amounts, moves)
  } finally {
    await Promise.all([world.a.rpc('evm_revert', before[0]), world.b.rpc('evm_revert', before[1])])
  }
}

test('a walk through every kind of step, done and refused, leaves the settler empty', async (t) => {
  const amounts = POSITIONS.map((at) => ({ isNative: at % 2 === 1, input: 1_000_000n, fee: 1000n }))
  await tryWalk(amounts, COVERING)
  const refusable = ['open', 'fill', 'stranger', 'decline', 'refund', 'prove', 'claim']
  const expected = [
    ...refusable.flatMap((kind) => [`${kind} done`, `${kind} refused`]),
    'fees done',
    'evil done',
    'wait done',
  ]
  for (const name of expected) assert.ok(counts.get(name), `no ${name}`)
  t.diagnostic(JSON.stringify(Object.fromEntries(counts)))
})

test('in every sequence of steps the settler holds exactly what it owes, and nothing in the end', async (t) => {
  const moves = fc.array(moveArbitrary, { minLength: STEPS, maxLength: STEPS })
  const holds = fc.asyncProperty(amountsArbitrary, moves, (amounts, someMoves) =>
    tryWalk(amounts, [...someMoves, ...END]),
  )
  await fc.assert(holds, {
    interruptAfterTimeLimit: LIMIT_MS,
    markInterruptAsFailure: true,
    numRuns: WALKS,
    seed,
  })
  t.diagnostic(JSON.stringify(Object.fromEntries(counts)))
})
