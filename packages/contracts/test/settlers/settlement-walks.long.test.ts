import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { type Hex, zeroAddress } from 'viem'
import type { IntentOrder } from './intent-order.ts'
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

const ORDERS = 6
const STEPS = 40

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
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.nat(700) }) },
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

const proveAndExecute = async (orders: readonly IntentOrder[]): Promise<void> => {
  const { a, b } = world
  if (!(await send(b, proveCall(b, orders, a.axelarName)))) return
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
}

const perform = async (orders: readonly IntentOrder[], move: Move): Promise<void> => {
  const { a, b } = world
  if (move.kind === 'wait') {
    const now = (await nowOf(world)) + move.seconds + 1
    await Promise.all([a.setNextTime(now), b.setNextTime(now)])
    return
  }
  if (move.kind === 'fees') {
    const token = move.isNative ? zeroAddress : a.token
    const data = a.encode('payFees', [token, INTEGRATOR, INTEGRATOR])
    await send(a, { from: STRANGER, to: a.settler, data })
    return
  }
  const chosen = pick(orders, 'at' in move ? [move.at] : move.all)
  const [order] = chosen
  assert.ok(order)
  if (move.kind === 'open') await send(a, openCall(a, order))
  else if (move.kind === 'fill') await send(b, fillCall(b, order))
  else if (move.kind === 'stranger') await send(b, fillCall(b, order, STRANGER, repayTo(PAYEE)))
  else if (move.kind === 'decline') await send(a, refundCall(a, order, SOLVER))
  else if (move.kind === 'refund') await send(a, refundCall(a, order))
  else if (move.kind === 'prove') await proveAndExecute(chosen)
  else if (move.kind === 'claim') {
    const [, payee] = await recordOf(a, order)
    await send(a, claimCall(a, chosen, payee))
  } else {
    const payload = proofOf(world.settler, [order], STRANGER)
    const evil = { sourceChain: 'evil', sourceAddress: world.settler, target: world.settler, payload }
    assert.ok(await send(a, await approved(a, evil)))
  }
}

/** What the settler owes of a token: escrows of open and proven orders, and fees that were not paid yet. */
const owed = async (orders: readonly IntentOrder[], token: Hex): Promise<bigint> => {
  // CAST: a uint256.
  let sum = (await world.a.read(world.settler, 'feesOf', [INTEGRATOR, token])) as bigint
  for (const order of orders) {
    const [kind] = await recordOf(world.a, order)
    if ((kind === 1 || kind === 4) && order.inputToken === token) sum += order.inputAmount
  }
  return sum
}

test('whatever is done in any order, the settler holds exactly what it owes, and pays each order once', async () => {
  const { a, b } = world
  await fc.assert(
    fc.asyncProperty(
      amountsArbitrary,
      fc.array(moveArbitrary, { minLength: STEPS, maxLength: STEPS }),
      async (amounts, moves) => {
        const before = await Promise.all([a.rpc('evm_snapshot'), b.rpc('evm_snapshot')])
        for (const side of [a, b]) await fund(side, STRANGER)
        const orders = await ordersOf(amounts)
        const base = new Map<Hex, bigint>()
        for (const token of [zeroAddress, a.token] as const)
          base.set(token, (await a.balanceOf(token, a.settler)) - (await owed(orders, token)))
        for (const move of moves) {
          await perform(orders, move)
          for (const token of [zeroAddress, a.token] as const) {
            const held = (await a.balanceOf(token, a.settler)) - (base.get(token) ?? 0n)
            assert.equal(held, await owed(orders, token), `${move.kind} of ${token}`)
            assert.equal(await b.balanceOf(token === zeroAddress ? token : b.token, b.settler), 0n)
          }
        }
        await Promise.all([a.rpc('evm_revert', before[0]), b.rpc('evm_revert', before[1])])
      },
    ),
    { numRuns: 15 },
  )
})
