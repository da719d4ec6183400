import assert from 'node:assert/strict'
import { type AttestedOrder, attestedIdOf } from '@openrfq/sandbox/test/attested-order.ts'
import {
  type AttestedWorld,
  addressOf,
  callsOf,
  DEPOSITOR,
  FILLER,
  IMPOSTOR,
  into,
  outOf,
  RECIPIENT,
  releaseCall,
  SOLVER,
  STRANGER,
} from '@openrfq/sandbox/test/attested-world.ts'
import type { Call, Event } from '@openrfq/sandbox/test/chain-calls.ts'
import fc from 'fast-check'
import { type Hex, zeroAddress } from 'viem'

const ORDERS = 6
/** Status numbers of IAttestedSettler.sol. */
const STATUS = { none: 0, open: 1, released: 2, refunded: 3, filled: 4 } as const

const seedArbitrary = fc.record({
  isOutward: fc.boolean(),
  isNative: fc.boolean(),
  hasPuppet: fc.boolean(),
  amount: fc.bigInt(1n, 1000n),
  toOpen: fc.integer({ min: 50, max: 200 }),
})

const order = fc.nat(ORDERS - 1)
const isEntitled = fc.integer({ min: 0, max: 5 }).map((number) => number > 0)
const named = fc.constantFrom('open', 'fill', 'decline', 'release', 'release')
const stepArbitrary = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: named, order, isEntitled }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refund'), order, isEntitled }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('withdraw'), order, isEntitled }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('mood'), order, isEntitled: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait'), order, isEntitled }) },
)
type Step = { readonly kind: string; readonly order: number; readonly isEntitled: boolean }

/** Random orders from and to the chain, most of them opened at once, and random steps that act on them. */
export const walkArbitrary = fc.record({
  seeds: fc.array(seedArbitrary, { minLength: ORDERS, maxLength: ORDERS }),
  steps: fc.array(stepArbitrary, { minLength: 50, maxLength: 50, size: 'max' }),
})
type Walk = typeof walkArbitrary extends fc.Arbitrary<infer Value> ? Value : never
type Seed = Walk['seeds'][number]

/** An order with its escrowed and delivered amounts, its parties, and the status that the settler should report. */
type Played = {
  readonly order: AttestedOrder
  readonly isOutward: boolean
  readonly token: Hex
  readonly amount: bigint
  status: number
}
/** The expected state of the chain; `refusing` lists the contracts that reject payments. */
type Model = {
  readonly world: AttestedWorld
  readonly puppet: Hex
  readonly played: readonly Played[]
  readonly credits: Map<string, bigint>
  readonly refusing: Set<Hex>
  readonly events: Event[]
  time: number
}

const playedOf = (world: AttestedWorld, puppet: Hex, now: number, seed: Seed): Played => {
  const { isOutward, isNative, hasPuppet, amount, toOpen } = seed
  const token = isNative ? zeroAddress : world.token
  const openDeadline = now + toOpen
  const times = { openDeadline, fillDeadline: openDeadline + 100, refundAfter: openDeadline + 700 }
  const order = isOutward
    ? outOf(world, now, {
        ...times,
        inputToken: token,
        inputAmount: amount,
        depositor: hasPuppet && isNative ? puppet : DEPOSITOR,
        solver: hasPuppet ? puppet : SOLVER,
      })
    : into(world, now, {
        ...times,
        outputToken: token,
        outputAmount: amount,
        recipient: hasPuppet ? puppet : RECIPIENT,
      })
  return { order, isOutward, token, amount, status: STATUS.none }
}

const accepts = ({ refusing }: Model, token: Hex, payee: Hex): boolean =>
  !refusing.has(token === zeroAddress ? payee : token)

const keyOf = (account: Hex, token: Hex): string => `${account} ${token}`

const payOrCredit = (model: Model, { token, amount }: Played, payee: Hex): void => {
  const key = keyOf(payee, token)
  if (!accepts(model, token, payee)) model.credits.set(key, (model.credits.get(key) ?? 0n) + amount)
}

/** Whether a step must succeed. If so, applies the step to the model. */
const decide = (model: Model, played: Played, { kind, isEntitled }: Step): boolean => {
  const { order, isOutward, token, status } = played
  const isOpen = status === STATUS.open
  const isNew = status === STATUS.none
  const move = (isAllowed: boolean, next: number, payee?: Hex): boolean => {
    if (!isAllowed) return false
    played.status = next
    if (payee !== undefined) payOrCredit(model, played, payee)
    return true
  }
  switch (kind) {
    case 'open': {
      const isPayable = token === zeroAddress || accepts(model, token, model.world.settler)
      const isOnTime = model.time <= order.openDeadline
      return move(isOutward && isEntitled && isNew && isOnTime && isPayable, STATUS.open)
    }
    case 'fill': {
      const isPayable = accepts(model, token, addressOf(order.recipient))
      const isOnTime = model.time <= order.fillDeadline
      return move(!isOutward && isEntitled && isNew && isOnTime && isPayable, STATUS.filled)
    }
    case 'release':
      return move(isOpen && isEntitled, STATUS.released, addressOf(order.solver))
    case 'decline':
      return move(isOpen && isEntitled, STATUS.refunded, addressOf(order.depositor))
    default:
      return move(isOpen && model.time > order.refundAfter, STATUS.refunded, addressOf(order.depositor))
  }
}

const send = async (model: Model, call: Call): Promise<boolean> => {
  await model.world.setNextTime(model.time)
  const { events } = await model.world.send(call)
  model.events.push(...(events ?? []))
  return events !== undefined
}

/** Sends the call from the account itself, or through the puppet contract. */
const by = ({ world, puppet }: Model, call: Call): Call =>
  call.from === puppet
    ? { ...call, from: STRANGER, to: puppet, data: world.encode('act', [call.to, call.data]) }
    : call

const perform = async (model: Model, { order }: Played, { kind, isEntitled }: Step): Promise<boolean> => {
  const { world } = model
  if (kind === 'release')
    return send(model, await (isEntitled ? releaseCall(world, order) : releaseCall(world, order, IMPOSTOR)))
  const calls = callsOf(world, order)
  // CAST: the kinds that are left are the names of the calls.
  const call = calls[kind as keyof typeof calls]
  return send(model, isEntitled || kind === 'refund' ? by(model, call) : { ...call, from: STRANGER })
}

const withdraw = async (model: Model, account: Hex, token: Hex): Promise<void> => {
  const { world } = model
  const key = keyOf(account, token)
  const expected = model.credits.has(key) && accepts(model, token, account)
  if (expected) model.credits.delete(key)
  const data = world.encode('withdraw', [account, token])
  assert.equal(await send(model, { from: STRANGER, to: world.settler, data }), expected)
}

const setMood = async (model: Model, contract: Hex, isRefusing: boolean): Promise<void> => {
  const { world, puppet } = model
  const mood = contract === puppet ? 1 : 3
  const data = world.encode('setMood', [isRefusing ? mood : 0])
  assert.ok(await send(model, { from: STRANGER, to: contract, data }))
  model.refusing[isRefusing ? 'add' : 'delete'](contract)
}

const PAYEES = [DEPOSITOR, SOLVER] as const

const play = async (model: Model, step: Step): Promise<void> => {
  const { world, puppet, played } = model
  model.time += step.kind === 'wait' ? 60 * (step.order + 1) : 1
  const payee = PAYEES[step.order] ?? puppet
  if (step.kind === 'wait') return
  if (step.kind === 'mood') return setMood(model, step.order < 4 ? puppet : world.token, step.isEntitled)
  if (step.kind === 'withdraw') return withdraw(model, payee, step.isEntitled ? zeroAddress : world.token)
  const one = played[step.order]
  assert.ok(one !== undefined)
  const expected = decide(model, one, step)
  assert.equal(
    await perform(model, one, step),
    expected,
    `${step.kind} should ${expected ? '' : 'not '}succeed`,
  )
}

type Holdings = ReadonlyMap<string, bigint>

const holdingsOf = async ({ world, puppet }: Pick<Model, 'world' | 'puppet'>): Promise<Holdings> => {
  const accounts = [DEPOSITOR, SOLVER, FILLER, RECIPIENT, STRANGER, puppet, world.settler]
  const places = accounts.flatMap((account) =>
    [zeroAddress, world.token].map((token) => [account, token] as const),
  )
  return new Map(
    await Promise.all(
      places.map(
        async ([account, token]) => [keyOf(account, token), await world.balanceOf(token, account)] as const,
      ),
    ),
  )
}

const sumOf = (holdings: Holdings, token: Hex): bigint =>
  [...holdings].reduce((sum, [key, amount]) => (key.endsWith(token) ? sum + amount : sum), 0n)

/** Compares chain and model: no value is created or lost, and the settler holds exactly its escrows and credits. */
const assertBooks = async (model: Model, first: Holdings): Promise<void> => {
  const { world, puppet, played, credits } = model
  const now = await holdingsOf(model)
  for (const one of played)
    assert.equal(await world.read(world.settler, 'statusOf', [attestedIdOf(one.order)]), one.status)
  for (const token of [zeroAddress, world.token]) {
    assert.equal(sumOf(now, token), sumOf(first, token))
    const open = played.filter((one) => one.token === token && one.status === STATUS.open)
    let expected = open.reduce((sum, { amount }) => sum + amount, 0n)
    for (const account of [...PAYEES, puppet]) {
      const credit = await world.read(world.settler, 'creditOf', [account, token])
      assert.equal(credit, credits.get(keyOf(account, token)) ?? 0n)
      expected += credits.get(keyOf(account, token)) ?? 0n
    }
    const settler = keyOf(world.settler, token)
    assert.equal((now.get(settler) ?? 0n) - (first.get(settler) ?? 0n), expected)
  }
}

const assertSame = (address: unknown, word: Hex): void =>
  assert.equal(String(address).toLowerCase(), addressOf(word).toLowerCase())

/** Every order was opened and filled at most once, and ended at most once, in favour of the right account. */
const assertEnds = ({ played, events }: Model): void => {
  for (const { order, isOutward, amount } of played) {
    const own = events.filter(({ args }) => args['orderId'] === attestedIdOf(order))
    const named = (...names: readonly string[]) => own.filter(({ eventName }) => names.includes(eventName))
    const releases = named('Released', 'ReleaseCredited')
    const refunds = named('Refunded', 'RefundCredited')
    const [opens, fills, attested] = [named('Open'), named('Filled'), named('Attested')]
    assert.ok(opens.length <= (isOutward ? 1 : 0) && fills.length <= (isOutward ? 0 : 1))
    assert.ok(releases.length + refunds.length <= opens.length)
    assert.equal(attested.length, releases.length)
    for (const { args } of refunds) assertSame(args['depositor'], order.depositor)
    for (const { args } of releases) assertSame(args['solver'], order.solver)
    for (const { args } of [...releases, ...refunds, ...fills]) assert.equal(args['amount'], amount)
  }
}

/** Escrows an amount, releases it to the last base unit, and delivers the same amount through another order. */
export const assertExact = async (
  world: AttestedWorld,
  amount: bigint,
  token: Hex,
  end: 'release' | 'decline',
): Promise<void> => {
  const now = await world.now()
  const moved = async (call: Call, account: Hex, expected: bigint): Promise<void> => {
    const before = await world.balanceOf(token, account)
    await world.run(call)
    assert.equal((await world.balanceOf(token, account)) - before, expected)
  }
  const order = outOf(world, now, { inputToken: token, inputAmount: amount })
  const { open, decline } = callsOf(world, order)
  await moved(open, world.settler, amount)
  const escrow = await world.balanceOf(token, world.settler)
  if (end === 'release') await moved(await releaseCall(world, order), SOLVER, amount)
  else await moved(decline, DEPOSITOR, amount)
  assert.equal(await world.balanceOf(token, world.settler), escrow - amount)
  const delivery = into(world, now, { outputToken: token, outputAmount: amount })
  await moved(callsOf(world, delivery).fill, RECIPIENT, amount)
}

/** Plays a walk on the chain and in the model, compares both, and checks that every payee can withdraw its funds. */
export const walk = async (world: AttestedWorld, steps: Walk): Promise<void> => {
  const state = await world.rpc('evm_snapshot')
  try {
    await playAll(world, steps)
  } finally {
    await world.rpc('evm_revert', state)
  }
}

const playAll = async (world: AttestedWorld, { seeds, steps }: Walk): Promise<void> => {
  const puppet = await world.deploy('puppet')
  const first = await holdingsOf({ world, puppet })
  const time = (await world.now()) + 10
  const played = seeds.map((seed) => playedOf(world, puppet, time, seed))
  const model: Model = { world, puppet, played, credits: new Map(), refusing: new Set(), events: [], time }
  const all = played.map((_, index) => index)
  const opening = all.slice(1).map((index) => ({ kind: 'open', order: index, isEntitled: true }))
  for (const step of [...opening, ...steps]) await play(model, step)
  await assertBooks(model, first)
  model.time += 2000
  for (const contract of [puppet, world.token]) await setMood(model, contract, false)
  for (const index of all) await play(model, { kind: 'refund', order: index, isEntitled: true })
  for (const account of [...PAYEES, puppet])
    for (const token of [zeroAddress, world.token]) await withdraw(model, account, token)
  assert.equal(model.credits.size, 0)
  await assertBooks(model, first)
  assertEnds(model)
}
