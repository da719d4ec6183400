import assert from 'node:assert/strict'
import { type AttestedOrder, attestedIdOf } from '@openrfq/sandbox/test/attested-order.ts'
import { ATTESTER, DEPOSITOR, FILLER, STRANGER, WINDOW } from '@openrfq/sandbox/test/attested-world.ts'
import type { Call, Event } from '@openrfq/sandbox/test/chain-calls.ts'
import fc from 'fast-check'
import { type Hex, keccak256, pad, zeroAddress, zeroHash } from 'viem'
import {
  attest,
  fillCall,
  IMPOSTOR,
  into,
  openCall,
  outOf,
  recordOf,
  refundCall,
  releaseCall,
  type World,
} from './attested-world.ts'
import { INTEGRATOR, RECIPIENT, SOLVER } from './world.ts'

const ORDERS = 6
const KIND = { none: 0, open: 1, refunded: 2, released: 3 } as const
const TRANSACTION = keccak256('0xf111')
/** Whom a stranger's fill repays. */
const PAYEE: Hex = `0x${'77'.repeat(32)}`

const seedArbitrary = fc.record({
  isOutward: fc.boolean(),
  isNative: fc.boolean(),
  hasPuppet: fc.boolean(),
  amount: fc.bigInt(100n, 1_000n),
  fee: fc.bigInt(0n, 1n),
  toOpen: fc.integer({ min: 50, max: 200 }),
})

const KINDS = ['open', 'fill', 'release', 'decline', 'refund', 'payFees', 'mood', 'wait'] as const
const WEIGHTS = { open: 4, fill: 4, release: 4, decline: 3, refund: 2, payFees: 2, mood: 3, wait: 2 } as const
const stepArbitrary = fc.record({
  kind: fc.constantFrom(...KINDS.flatMap((kind) => Array.from({ length: WEIGHTS[kind] }, () => kind))),
  order: fc.nat(ORDERS - 1),
  isEntitled: fc.integer({ min: 0, max: 5 }).map((number) => number > 0),
})
type Step = typeof stepArbitrary extends fc.Arbitrary<infer Value> ? Value : never

/** Random orders from and to the chain, most of them opened at once, and random steps that act on them. */
export const walkArbitrary = fc.record({
  seeds: fc.array(seedArbitrary, { minLength: ORDERS, maxLength: ORDERS }),
  steps: fc.array(stepArbitrary, { minLength: 50, maxLength: 50, size: 'max' }),
})
type Walk = typeof walkArbitrary extends fc.Arbitrary<infer Value> ? Value : never
type Seed = Walk['seeds'][number]

/** An order with what it escrows or delivers, and what the settler should remember of it. */
type Played = {
  readonly order: AttestedOrder
  readonly isOutward: boolean
  readonly token: Hex
  readonly amount: bigint
  kind: number
  repayTo: Hex
}
/** The expected state of the chain; `refusing` has the contracts that refuse payments, `fees` what integrators are owed. */
type Model = {
  readonly world: World
  readonly puppet: Hex
  readonly played: readonly Played[]
  readonly fees: Map<Hex, bigint>
  readonly refusing: Set<Hex>
  readonly events: Event[]
  time: number
}

const playedOf = async (world: World, puppet: Hex, now: number, seed: Seed): Promise<Played> => {
  const { isOutward, isNative, hasPuppet, amount, fee, toOpen } = seed
  const token = isNative ? zeroAddress : world.token
  const openDeadline = now + toOpen
  const fillDeadline = openDeadline + 100
  const times = { openDeadline, fillDeadline, refundAfter: fillDeadline + WINDOW }
  const order = isOutward
    ? await outOf(world, {
        ...times,
        exclusiveUntil: fillDeadline,
        inputToken: pad(token),
        inputAmount: amount,
        depositor: pad(hasPuppet && isNative ? puppet : DEPOSITOR),
        solver: pad(hasPuppet ? puppet : SOLVER),
        integrator: fee === 0n ? zeroHash : pad(INTEGRATOR),
        integratorFee: fee,
      })
    : await into(world, {
        ...times,
        exclusiveUntil: fillDeadline - 60,
        outputToken: pad(token),
        outputAmount: amount,
        recipient: pad(hasPuppet ? puppet : RECIPIENT),
      })
  return { order, isOutward, token, amount, kind: KIND.none, repayTo: zeroHash }
}

const addressOf = (word: Hex): Hex => `0x${word.slice(26)}`

const accepts = ({ refusing }: Model, token: Hex, payee: Hex): boolean =>
  !refusing.has(token === zeroAddress ? payee : token)

/** Whether a step must succeed. If so, applies it to the model. */
const decide = (model: Model, played: Played, { kind, isEntitled }: Step): boolean => {
  const { order, isOutward, token, kind: before } = played
  const pays = (word: Hex): boolean => accepts(model, token, addressOf(word))
  const move = (isAllowed: boolean, next: number): boolean => {
    if (isAllowed) played.kind = next
    return isAllowed
  }
  const isOpen = before === KIND.open
  const isDue = model.time > order.refundAfter
  switch (kind) {
    case 'open': {
      const isPayable = token === zeroAddress || pays(pad(model.world.settler))
      const isNew = before === KIND.none && model.time <= order.openDeadline
      return move(isOutward && isEntitled && isNew && isPayable, KIND.open)
    }
    case 'fill': {
      const isTimely = model.time <= order.fillDeadline && (isEntitled || model.time > order.exclusiveUntil)
      const isAllowed = !isOutward && played.repayTo === zeroHash && isTimely && pays(order.recipient)
      if (isAllowed) played.repayTo = isEntitled ? order.solver : PAYEE
      return isAllowed
    }
    case 'release': {
      const isAllowed = move(isOpen && isEntitled && pays(order.solver), KIND.released)
      if (isAllowed) model.fees.set(token, (model.fees.get(token) ?? 0n) + order.integratorFee)
      return isAllowed
    }
    case 'decline': {
      const isDeclined = isEntitled && model.time <= order.exclusiveUntil
      return move(isOpen && (isDeclined || isDue) && pays(order.depositor), KIND.refunded)
    }
    default:
      return move(isOpen && isDue && pays(order.depositor), KIND.refunded)
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

const callOf = async (
  { world }: Model,
  { order, isOutward }: Played,
  { kind, isEntitled }: Step,
): Promise<Call> => {
  const [depositor, solver] = [addressOf(order.depositor), addressOf(order.solver)]
  switch (kind) {
    case 'open':
      return isEntitled && isOutward ? openCall(world, order) : { ...openCall(world, order), from: STRANGER }
    case 'fill':
      return isEntitled ? fillCall(world, order) : fillCall(world, order, STRANGER, PAYEE)
    case 'release': {
      const signature = await attest(world, order, TRANSACTION, isEntitled ? ATTESTER : IMPOSTOR)
      return releaseCall(world, order, TRANSACTION, signature, solver)
    }
    case 'decline':
      return refundCall(world, order, isEntitled ? solver : STRANGER, depositor)
    default:
      return refundCall(world, order, STRANGER, depositor)
  }
}

const setMood = async (model: Model, contract: Hex, isRefusing: boolean): Promise<void> => {
  const { world, puppet } = model
  const data = world.encode('setMood', [isRefusing ? (contract === puppet ? 1 : 3) : 0])
  assert.ok(await send(model, { from: STRANGER, to: contract, data }))
  model.refusing[isRefusing ? 'add' : 'delete'](contract)
}

const payFees = async (model: Model, token: Hex): Promise<void> => {
  const { world, fees } = model
  const isOwed = (fees.get(token) ?? 0n) > 0n && accepts(model, token, INTEGRATOR)
  if (isOwed) fees.delete(token)
  const data = world.encode('payFees', [token, INTEGRATOR, INTEGRATOR])
  assert.equal(await send(model, { from: STRANGER, to: world.settler, data }), isOwed)
}

const play = async (model: Model, step: Step): Promise<void> => {
  const { world, puppet, played } = model
  model.time += step.kind === 'wait' ? 60 * (step.order + 1) : 1
  if (step.kind === 'wait') return
  if (step.kind === 'mood') return setMood(model, step.order < 4 ? puppet : world.token, step.isEntitled)
  if (step.kind === 'payFees') return payFees(model, step.isEntitled ? zeroAddress : world.token)
  const one = played[step.order]
  assert.ok(one !== undefined)
  const call = by(model, await callOf(model, one, step))
  const isExpected = decide(model, one, step)
  assert.equal(await send(model, call), isExpected, `${step.kind} should ${isExpected ? '' : 'not '}succeed`)
}

type Holdings = ReadonlyMap<string, bigint>

const holdingsOf = async ({ world, puppet }: Pick<Model, 'world' | 'puppet'>): Promise<Holdings> => {
  const accounts = [DEPOSITOR, SOLVER, FILLER, RECIPIENT, STRANGER, INTEGRATOR, puppet, world.settler]
  const held = accounts.flatMap((account) =>
    [zeroAddress, world.token].map(
      async (token) => [`${account} ${token}`, await world.balanceOf(token, account)] as const,
    ),
  )
  return new Map(await Promise.all(held))
}

const sumOf = (holdings: Holdings, token: Hex): bigint =>
  [...holdings].reduce((sum, [key, amount]) => (key.endsWith(token) ? sum + amount : sum), 0n)

/** Compares chain and model: no value is created or lost, and the settler holds exactly its escrows and the fees it owes. */
const assertBooks = async (model: Model, first: Holdings): Promise<void> => {
  const { world, played, fees } = model
  for (const { order, kind, repayTo } of played)
    assert.deepEqual(await recordOf(world, order), [kind, repayTo])
  const now = await holdingsOf(model)
  for (const token of [zeroAddress, world.token]) {
    assert.equal(sumOf(now, token), sumOf(first, token))
    const open = played.filter((one) => one.token === token && one.kind === KIND.open)
    const owed = open.reduce((sum, { amount }) => sum + amount, fees.get(token) ?? 0n)
    const key = `${world.settler} ${token}`
    assert.equal((now.get(key) ?? 0n) - (first.get(key) ?? 0n), owed)
  }
}

const assertSame = (account: unknown, word: Hex): void =>
  assert.equal(String(account).toLowerCase(), addressOf(word).toLowerCase())

/** Every order was opened and filled at most once, and ended at most once, in favour of the right account. */
const assertEnds = ({ played, events }: Model): void => {
  for (const { order, isOutward, amount } of played) {
    const own = events.filter(({ args }) => args['orderId'] === attestedIdOf(order))
    const named = (name: string) => own.filter(({ eventName }) => eventName === name)
    const [releases, refunds, opens] = [named('Released'), named('Refunded'), named('Open')]
    assert.ok(opens.length <= (isOutward ? 1 : 0) && named('Filled').length <= (isOutward ? 0 : 1))
    assert.ok(releases.length + refunds.length <= opens.length)
    assert.equal(named('Attested').length, releases.length)
    for (const { args } of refunds) {
      assertSame(args['to'], order.depositor)
      assert.equal(args['amount'], amount)
    }
    for (const { args } of releases) {
      assertSame(args['payee'], order.solver)
      assert.equal(args['amount'], amount - order.integratorFee)
    }
  }
}

/** Plays a walk on the chain and in the model, and compares both; at the end every escrow and every fee can be paid. */
export const walk = async (world: World, steps: Walk): Promise<void> => {
  const state = await world.rpc('evm_snapshot')
  try {
    await playAll(world, steps)
  } finally {
    await world.rpc('evm_revert', state)
  }
}

const playAll = async (world: World, { seeds, steps }: Walk): Promise<void> => {
  const puppet = await world.deploy('puppet')
  const first = await holdingsOf({ world, puppet })
  const time = (await world.now()) + 10
  const played = await Promise.all(seeds.map((seed) => playedOf(world, puppet, time, seed)))
  const model: Model = { world, puppet, played, fees: new Map(), refusing: new Set(), events: [], time }
  const all = played.map((_, order) => order)
  for (const order of all.slice(1)) await play(model, { kind: 'open', order, isEntitled: true })
  for (const step of steps) await play(model, step)
  await assertBooks(model, first)
  model.time += 2_000
  for (const contract of [puppet, world.token]) await setMood(model, contract, false)
  for (const order of all) await play(model, { kind: 'refund', order, isEntitled: true })
  for (const isEntitled of [false, true]) await play(model, { kind: 'payFees', order: 0, isEntitled })
  assert.equal([...model.fees.values()].filter((fee) => fee > 0n).length, 0)
  await assertBooks(model, first)
  assertEnds(model)
}
