import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Call, Event } from '@openrfq/sandbox/test/chain-calls.ts'
import fc from 'fast-check'
import { openSoak } from 'openrfq/test/soak.ts'
import { type Hex, keccak256, toHex } from 'viem'
import { SHAPES } from './shapes.ts'
import {
  alter,
  approve,
  assertEmpty,
  EXECUTOR,
  type ExpressOrder,
  executing,
  expressing,
  freshId,
  INTEGRATOR,
  KEEPER,
  type Message,
  messageOf,
  orderOf,
  RECIPIENT,
  REFUNDEE,
  redirecting,
  returning,
  SENDER,
  type Side,
  STRANGER,
  sending,
  startWorld,
  tokensOf,
  type World,
} from './world.ts'

let world: World
let stop: () => Promise<void>
before(async () => {
  ;({ world, stop } = await startWorld())
})
after(() => stop())

const { seed, of } = openSoak()
const WALKS = of(60)
const TRANSFERS = 4
const STEPS = 30
/** A minute for each walk; shrinking a failure to its smallest walk ends here too. */
const LIMIT_MS = WALKS * 60_000

/** How often each kind of step was done, and refused. */
const counts = new Map<string, number>()

const CALLERS = {
  sender: SENDER,
  recipient: RECIPIENT,
  keeper: KEEPER,
  executor: EXECUTOR,
  stranger: STRANGER,
}
type Caller = keyof typeof CALLERS
// CAST: the names of the table.
const NAMES = Object.keys(CALLERS) as readonly Caller[]
const LEGS = ['delivery', 'return'] as const
type LegName = (typeof LEGS)[number]
const KINDS = ['approve', 'execute', 'express', 'give back', 'redirect', 'forge'] as const

type Move =
  | { readonly kind: 'send'; readonly at: number }
  | { readonly kind: 'wait'; readonly seconds: number }
  | {
      readonly kind: (typeof KINDS)[number]
      readonly at: number
      readonly leg: LegName
      readonly by: Caller
    }

const POSITIONS = [...Array(TRANSFERS).keys()]
const position = fc.nat(TRANSFERS - 1)
const moveArbitrary: fc.Arbitrary<Move> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('send' as const), at: position }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.nat(2000) }) },
  {
    weight: 16,
    arbitrary: fc.record({
      kind: fc.constantFrom(...KINDS),
      at: position,
      leg: fc.constantFrom(...LEGS),
      by: fc.constantFrom(...NAMES),
    }),
  },
)

/** What a transfer is sent as: its shape, and who comes first. */
type Plan = { readonly shape: number; readonly isReserved: boolean; readonly feeBps: number }
const planArbitrary: fc.Arbitrary<Plan> = fc.record({
  shape: fc.nat(SHAPES.length - 1),
  isReserved: fc.boolean(),
  feeBps: fc.constantFrom(0, 30, 100),
})

/** A message on its way to a side. */
type Leg = { readonly to: Side; readonly message: Message; readonly id: Hex }
type Transfer = {
  readonly from: Side
  readonly to: Side
  readonly plan: Plan
  order?: ExpressOrder
  readonly legs: Partial<Record<LegName, Leg>>
  ends: number
}

/** What accounts must have received in a walk, by side, account and token. */
type Walk = { readonly transfers: readonly Transfer[]; readonly due: Map<string, bigint> }

const keyOf = (side: Side, account: unknown, token: unknown): string =>
  `${side.number} ${String(account)} ${String(token)}`.toLowerCase()

const owe = ({ due }: Walk, side: Side, account: unknown, { args }: Event): void => {
  const key = keyOf(side, account, args['token'])
  // CAST: an amount of a uint256.
  due.set(key, (due.get(key) ?? 0n) + (args['amount'] as bigint))
}

/** Books what a transaction says that it has paid. */
const book = (walk: Walk, side: Side, events: readonly Event[]): void => {
  for (const event of events) {
    const { eventName, args } = event
    const transfer = walk.transfers.find(
      ({ legs }) =>
        legs.delivery !== undefined && keccak256(legs.delivery.message.payload) === args['transferId'],
    )
    if (eventName === 'FeePaid') owe(walk, side, args['integrator'], event)
    if (eventName !== 'Delivered' && eventName !== 'Refunded') continue
    assert.ok(transfer?.order)
    transfer.ends += 1
    assert.equal(transfer.ends, 1, `${eventName} is a second end`)
    owe(walk, side, eventName === 'Delivered' ? args['recipient'] : args['to'], event)
    assert.equal(side, eventName === 'Delivered' ? transfer.to : transfer.from)
    if (eventName === 'Delivered') assert.equal(args['recipient'], transfer.order.recipient)
    // CAST: an amount of a uint256.
    else assert.equal(args['amount'] as bigint, transfer.legs.delivery?.message.amount)
    if (eventName === 'Delivered')
      // CAST: an amount of a uint256.
      assert.ok((args['amount'] as bigint) >= transfer.order.minimumAmount, 'less than the minimum')
  }
}

const act = async (walk: Walk, side: Side, call: Call): Promise<readonly Event[] | undefined> => {
  const { events } = await side.send(call)
  if (events !== undefined) book(walk, side, events)
  return events
}

const sendTransfer = async (walk: Walk, transfer: Transfer): Promise<boolean> => {
  const { from, to, plan, legs } = transfer
  if (transfer.order !== undefined)
    return (await act(walk, from, sending(from, transfer.order))) !== undefined
  const now = Math.max(await from.now(), await to.now())
  const shape = SHAPES[plan.shape]
  assert.ok(shape)
  const reserved = plan.isReserved ? { executor: EXECUTOR, priorityUntil: now + 300 } : {}
  const fee = plan.feeBps === 0 ? {} : { integrator: INTEGRATOR, integratorFeeBps: plan.feeBps }
  const order = await orderOf(from, to, {
    ...shape[2](from, to),
    ...reserved,
    ...fee,
    minimumAmount: 970_000n,
  })
  const events = await act(walk, from, sending(from, order))
  assert.ok(events)
  transfer.order = order
  legs.delivery = { to, message: messageOf(from, to, events), id: freshId() }
  return true
}

const giveBack = async (walk: Walk, transfer: Transfer, leg: Leg, by: Caller): Promise<boolean> => {
  const { from, to, order, legs } = transfer
  const events = await act(walk, leg.to, returning(leg.to, leg.id, leg.message, CALLERS[by]))
  if (events === undefined) return false
  const isEntitled = by === 'sender' || by === 'recipient' || by === 'keeper'
  assert.ok(isEntitled || (await to.now()) > (order?.returnAfter ?? 0), `the ${by} gives back early`)
  assert.equal(leg, legs.delivery)
  legs.return = { to: from, message: messageOf(to, from, events), id: freshId() }
  return true
}

const execute = async (walk: Walk, { order, legs }: Transfer, leg: Leg, by: Caller): Promise<boolean> => {
  const events = await act(walk, leg.to, executing(leg.to, leg.id, leg.message, CALLERS[by]))
  const isDelivered = events?.some(({ eventName }) => eventName === 'Delivered') === true
  if (isDelivered && leg === legs.delivery && by !== 'executor' && by !== 'keeper')
    assert.ok((await leg.to.now()) > (order?.priorityUntil ?? 0), `the ${by} executes early`)
  return events !== undefined
}

/** A stranger's changed copies of a message that the gateway approves as they are, and what it tries without any. */
const forge = async (walk: Walk, { legs }: Transfer, leg: Leg): Promise<false> => {
  const { to, message } = leg
  const toStranger = alter(message.payload, { recipient: STRANGER, refundAddress: STRANGER })
  for (const part of [{ sourceChain: 'evil' }, { sourceAddress: STRANGER, payload: toStranger }]) {
    const forged = { ...message, ...part }
    const id = await approve(to, forged)
    for (const call of [executing, returning])
      assert.equal(await act(walk, to, call(to, id, forged)), undefined)
  }
  const changed = { ...message, payload: toStranger }
  for (const call of [executing, returning])
    assert.equal(await act(walk, to, call(to, leg.id, changed)), undefined)
  assert.equal(await act(walk, to, redirecting(to, leg.id, message, STRANGER, STRANGER)), undefined)
  const words = [1n, 1n, toHex('', { size: 64 })]
  for (const name of ['uniswapV3SwapCallback', 'pancakeV3SwapCallback']) {
    const data = to.encode(name, words)
    assert.equal(await act(walk, to, { from: STRANGER, to: to.router, data }), undefined)
  }
  assert.ok(legs.delivery)
  return false
}

/** Whether the step was done and not refused. */
const perform = async (walk: Walk, move: Move): Promise<boolean> => {
  if (move.kind === 'wait') {
    const now = Math.max(await world.a.now(), await world.b.now()) + move.seconds + 1
    await Promise.all([world.a.setNextTime(now), world.b.setNextTime(now)])
    return true
  }
  const transfer = walk.transfers[move.at]
  assert.ok(transfer)
  if (move.kind === 'send') return sendTransfer(walk, transfer)
  const leg = transfer.legs[move.leg]
  if (leg === undefined) return false
  const { to, message, id } = leg
  if (move.kind === 'approve') {
    // CAST: the gateway answers a boolean.
    if ((await to.read(to.gateway, 'isCommandExecuted', [id])) as boolean) return false
    await approve(to, message, id)
    return true
  }
  if (move.kind === 'execute') return execute(walk, transfer, leg, move.by)
  if (move.kind === 'give back') return giveBack(walk, transfer, leg, move.by)
  if (move.kind === 'forge') return forge(walk, transfer, leg)
  const call =
    move.kind === 'express'
      ? expressing(to, id, message, EXECUTOR)
      : redirecting(to, id, message, CALLERS[move.by], KEEPER)
  return (await act(walk, to, call)) !== undefined
}

const playMove = async (walk: Walk, move: Move): Promise<void> => {
  const leg = 'leg' in move ? ` ${move.leg}` : ''
  const name = `${move.kind}${leg} ${(await perform(walk, move)) ? 'done' : 'refused'}`
  counts.set(name, (counts.get(name) ?? 0) + 1)
  for (const side of [world.a, world.b]) await assertEmpty(side)
}

/** Ends every transfer that was sent: by its delivery, or else by its return. */
const END: readonly Move[] = POSITIONS.flatMap((at): Move[] =>
  LEGS.flatMap((leg): Move[] => [
    { kind: 'approve', at, leg, by: 'keeper' },
    { kind: 'execute', at, leg, by: 'keeper' },
  ]),
)

/** Accounts whose balances must change by what the events say, and by nothing else. */
const WATCHED = [RECIPIENT, REFUNDEE, INTEGRATOR, KEEPER, EXECUTOR, STRANGER]

const readBalances = async (): Promise<ReadonlyMap<string, bigint>> => {
  const balances = new Map<string, bigint>()
  for (const side of [world.a, world.b])
    for (const account of WATCHED)
      for (const token of tokensOf(side))
        balances.set(keyOf(side, account, token), await side.balanceOf(token, account))
  return balances
}

const playWalk = async (plans: readonly Plan[], moves: readonly Move[]): Promise<void> => {
  const first = await readBalances()
  const transfers = plans.map((plan): Transfer => {
    const isFromA = SHAPES[plan.shape]?.[1] === 'a'
    const [from, to] = isFromA ? [world.a, world.b] : [world.b, world.a]
    return { from, to, plan, legs: {}, ends: 0 }
  })
  const walk: Walk = { transfers, due: new Map() }
  for (const move of [...moves, ...END]) await playMove(walk, move)
  for (const { order, ends } of transfers)
    assert.equal(ends, order === undefined ? 0 : 1, 'a transfer has not ended')
  for (const [key, balance] of await readBalances())
    assert.equal(balance - (first.get(key) ?? 0n), walk.due.get(key) ?? 0n, key)
}

/** Plays a walk, and leaves the chains as they were. */
const tryWalk = async (plans: readonly Plan[], moves: readonly Move[]): Promise<void> => {
  const states = await Promise.all([world.a.rpc('evm_snapshot'), world.b.rpc('evm_snapshot')])
  try {
    await playWalk(plans, moves)
  } finally {
    await Promise.all([world.a.rpc('evm_revert', states[0]), world.b.rpc('evm_revert', states[1])])
  }
}

const step = (kind: (typeof KINDS)[number], at: number, leg: LegName, by: Caller = 'stranger'): Move => ({
  kind,
  at,
  leg,
  by,
})

/** A fixed sequence with every kind of step, done and refused, before the random steps of every seed. */
const COVERING: readonly Move[] = [
  ...[0, 0, 1, 2, 3].map((at): Move => ({ kind: 'send', at })),
  step('execute', 0, 'delivery'),
  step('express', 0, 'delivery'),
  step('express', 0, 'delivery'),
  step('approve', 0, 'delivery'),
  step('approve', 0, 'delivery'),
  step('give back', 0, 'delivery', 'sender'),
  step('approve', 1, 'delivery'),
  step('forge', 1, 'delivery'),
  step('give back', 1, 'delivery'),
  step('give back', 1, 'delivery', 'keeper'),
  step('express', 1, 'return'),
  step('express', 1, 'return'),
  step('approve', 2, 'delivery'),
  { kind: 'wait', seconds: 4000 },
  step('give back', 2, 'delivery'),
  step('approve', 2, 'return'),
  step('forge', 2, 'return'),
  step('redirect', 2, 'return'),
  step('redirect', 2, 'return', 'sender'),
  step('execute', 2, 'return'),
  step('approve', 3, 'delivery'),
  step('execute', 3, 'delivery'),
  step('give back', 3, 'delivery', 'keeper'),
]

test('a walk through every kind of step ends every transfer once, and pays what its events say', async (t) => {
  const plans = [0, 4, 2, 8].map((shape) => ({ shape, isReserved: true, feeBps: 30 }))
  await tryWalk(plans, COVERING)
  for (const leg of LEGS)
    for (const kind of ['approve', 'execute', 'express'])
      for (const outcome of ['done', 'refused'])
        assert.ok(counts.get(`${kind} ${leg} ${outcome}`), `no ${kind} ${leg} ${outcome}`)
  for (const name of ['send done', 'send refused', 'give back delivery done', 'give back delivery refused'])
    assert.ok(counts.get(name), `no ${name}`)
  for (const name of ['redirect return done', 'redirect return refused', 'forge delivery refused'])
    assert.ok(counts.get(name), `no ${name}`)
  t.diagnostic(JSON.stringify(Object.fromEntries(counts)))
})

test('in every sequence of steps each transfer ends once, accounts get what events say, and the routers keep nothing', async (t) => {
  const plans = fc.array(planArbitrary, { minLength: TRANSFERS, maxLength: TRANSFERS })
  const moves = fc.array(moveArbitrary, { minLength: STEPS, maxLength: STEPS })
  const holds = fc.asyncProperty(plans, moves, tryWalk)
  await fc.assert(holds, {
    interruptAfterTimeLimit: LIMIT_MS,
    markInterruptAsFailure: true,
    numRuns: WALKS,
    seed,
  })
  t.diagnostic(JSON.stringify(Object.fromEntries(counts)))
})
