import assert from 'node:assert/strict'
import { ESCROW_PROGRAM } from '@openrfq/sandbox/test/escrow-programs.ts'
import { fundTokens, remove, TOKENS, writeTokens } from '@openrfq/sandbox/test/escrow-tokens.ts'
import {
  altered,
  createEscrowWorld,
  DEPOSITOR,
  type EscrowWorld,
  SOLVER,
  SPONSOR,
  START,
} from '@openrfq/sandbox/test/escrow-world.ts'
import type { Address, Instruction } from '@solana/kit'
import fc from 'fast-check'
import { toHex } from 'viem'
import { decodeEscrowAccount } from '../src/solana/escrow-account.ts'
import { findAssociatedAddress } from '../src/solana/escrow-address.ts'
import { releaseEscrow } from '../src/solana/escrow-instructions.ts'
import { UNSIGNED } from './escrow-cheat.ts'
import { amountAt, type Escrow, escrowOf, holdingOf, IMPOSTOR, KINDS, signFill } from './escrow-order.ts'

const ORDERS = 6
const STEPS = 60

const seedArbitrary = fc.record({
  kind: fc.constantFrom(...KINDS),
  amount: fc.bigInt(1n, 3_000_000n),
  toOpen: fc.integer({ min: 10, max: 600 }),
})

const stepArbitrary = fc.record({
  kind: fc.oneof(
    {
      weight: 10,
      arbitrary: fc.constantFrom('open', 'open', 'release', 'release', 'refund', 'decline', 'close'),
    },
    { weight: 3, arbitrary: fc.constantFrom('wait', 'gift', 'shut') },
  ),
  order: fc.nat(ORDERS - 1),
  isEntitled: fc.integer({ min: 0, max: 4 }).map((number) => number > 0),
})

/** Random orders, and random steps of everybody who has to do with them. */
export const walkArbitrary = fc.record({
  seeds: fc.array(seedArbitrary, { minLength: ORDERS, maxLength: ORDERS }),
  steps: fc.array(stepArbitrary, { minLength: STEPS, maxLength: STEPS, size: 'max' }),
})
type Walk = typeof walkArbitrary extends fc.Arbitrary<infer Value> ? Value : never
type Step = Walk['steps'][number]

/** How often each kind of step succeeded and was refused, in all walks. */
export const counts = new Map<string, number>()

/** Most orders are opened at once. */
const BEGINNING: readonly Step[] = [0, 1, 2, 3].map((order) => ({ kind: 'open', order, isEntitled: true }))

type Status = 'none' | 'open' | 'released' | 'refunded' | 'closed'

/** An order with its expected status, and the base units that strangers sent to its vault or account. */
type Played = { readonly escrow: Escrow; status: Status; gifts: bigint }

type Model = {
  readonly world: EscrowWorld
  readonly played: readonly Played[]
  /** What the depositor and the solver should have, by owner and token. */
  readonly holdings: Map<string, bigint>
  /** Mints whose account the depositor closed. */
  readonly shut: Set<Address>
  /** Lamports received as gifts, less those that left with the depositor's accounts. */
  readonly kept: { lamports: bigint }
  time: number
}

const keyOf = (owner: Address, { place }: Escrow): string => `${owner} ${place.order.inputToken}`

const pay = (model: Model, owner: Address, escrow: Escrow, amount: bigint): void => {
  const key = keyOf(owner, escrow)
  model.holdings.set(key, (model.holdings.get(key) ?? 0n) + amount)
}

/** What a payee gets: gifts in a vault go with the amount, lamports in an order's account go to the payer of the rent. */
const payoutOf = ({ escrow, gifts }: Played): bigint =>
  escrow.place.order.inputAmount + (escrow.token === undefined ? 0n : gifts)

const canOpen = (model: Model, { escrow, status }: Played): boolean => {
  const { inputAmount, inputToken, openDeadline } = escrow.place.order
  const held = model.holdings.get(keyOf(DEPOSITOR, escrow)) ?? 0n
  const isHeld = held >= inputAmount && !model.shut.has(inputToken)
  return status === 'none' && model.time <= openDeadline && isHeld
}

/** Whether a step must succeed. If so, applies the step to the model. */
const decide = (model: Model, played: Played, { kind, isEntitled }: Step): boolean => {
  const { escrow, status } = played
  const { inputAmount, inputToken, openDeadline, refundAfter } = escrow.place.order
  const end = (isAllowed: boolean, next: Status, payee: Address): boolean => {
    if (!isAllowed || status !== 'open') return false
    played.status = next
    pay(model, payee, escrow, payoutOf(played))
    if (payee === DEPOSITOR) model.shut.delete(inputToken)
    return true
  }
  switch (kind) {
    case 'open':
      if (!isEntitled || !canOpen(model, played)) return false
      played.status = 'open'
      pay(model, DEPOSITOR, escrow, -inputAmount)
      return true
    case 'release':
      return end(isEntitled, 'released', SOLVER)
    case 'refund':
      return end(model.time > refundAfter, 'refunded', DEPOSITOR)
    case 'decline':
      return end(isEntitled || model.time > refundAfter, 'refunded', DEPOSITOR)
    default:
      if ((status !== 'released' && status !== 'refunded') || model.time <= openDeadline) return false
      played.status = 'closed'
      return true
  }
}

const instructionOf = async ({ escrow }: Played, { kind, isEntitled }: Step): Promise<Instruction> => {
  const { open, refund, decline, close, orderId, place, release } = escrow
  switch (kind) {
    case 'open':
      return isEntitled ? open : altered(open, 0, UNSIGNED)
    case 'release':
      return isEntitled ? release : releaseEscrow(place, await signFill(orderId, IMPOSTOR))
    case 'refund':
      return refund
    case 'decline':
      return isEntitled ? decline : altered(decline, 2, UNSIGNED)
    default:
      return close
  }
}

/** A stranger sends 7 base units to an open order. */
const give = ({ world, kept }: Model, played: Played): void => {
  const { account, token, vault } = played.escrow
  if (played.status !== 'open') return
  played.gifts += 7n
  const before = world.lamportsOf(vault)
  if (token === undefined) {
    const found = world.read(account)
    assert.ok(found)
    world.write(account, { ...found, lamports: found.lamports + 7n })
  } else writeTokens(world, token, vault, { owner: account, amount: amountAt(world, vault) + 7n })
  kept.lamports += world.lamportsOf(vault) - before
}

/** The depositor moves its tokens away, and closes their account. */
const shut = async (model: Model, { escrow }: Played): Promise<void> => {
  const { token } = escrow
  if (token === undefined || model.shut.has(token.mint)) return
  const account = await findAssociatedAddress(DEPOSITOR, token)
  model.kept.lamports -= model.world.lamportsOf(account)
  remove(model.world, account)
  model.shut.add(token.mint)
  model.holdings.set(keyOf(DEPOSITOR, escrow), 0n)
}

/** Every order's account has the expected status, and depositor and solver have the expected amounts. */
const assertBooks = async ({ world, played, holdings }: Model): Promise<void> => {
  for (const { escrow, status } of played) {
    const found = world.read(escrow.account)
    const isThere = status !== 'none' && status !== 'closed'
    assert.equal(
      isThere ? decodeEscrowAccount(found?.bytes ?? new Uint8Array())?.status : 'none',
      isThere ? status : 'none',
    )
    if (!isThere) assert.equal(found, undefined)
    for (const owner of [DEPOSITOR, SOLVER])
      assert.equal(await holdingOf(world, escrow, owner), holdings.get(keyOf(owner, escrow)))
  }
}

const play = async (model: Model, step: Step): Promise<void> => {
  const played = model.played[step.order]
  assert.ok(played)
  model.time += step.kind === 'wait' ? 60 * (step.order + 1) : 1
  model.world.setTime(model.time)
  if (step.kind === 'wait') return
  if (step.kind === 'gift') return give(model, played)
  if (step.kind === 'shut') return shut(model, played)
  const instruction = await instructionOf(played, step)
  const expected = decide(model, played, step)
  const name = `${step.kind} ${expected ? 'done' : 'refused'}`
  counts.set(name, (counts.get(name) ?? 0) + 1)
  const { error } = model.world.send([instruction])
  assert.equal(error === undefined, expected, `${step.kind}: ${error}`)
}

const startModel = async (seeds: Walk['seeds']): Promise<Model> => {
  const world = createEscrowWorld(ESCROW_PROGRAM)
  await fundTokens(world)
  const escrows = await Promise.all(
    seeds.map(({ kind, amount, toOpen }, index) => {
      const openDeadline = START + toOpen
      const times = { openDeadline, fillDeadline: openDeadline + 100, refundAfter: openDeadline + 300 }
      return escrowOf(kind, { ...times, inputAmount: amount, salt: toHex(index, { size: 32 }) })
    }),
  )
  const played = escrows.map((escrow): Played => ({ escrow, status: 'none', gifts: 0n }))
  const holdings = new Map<string, bigint>()
  for (const escrow of escrows)
    for (const owner of [DEPOSITOR, SOLVER])
      holdings.set(keyOf(owner, escrow), await holdingOf(world, escrow, owner))
  return { world, played, holdings, shut: new Set(), kept: { lamports: 0n }, time: START }
}

/** The lamports of all accounts but the payer of fees. Only gifts change the sum. */
const totalOf = async ({ world, played, kept }: Model): Promise<bigint> => {
  const tokens = await Promise.all(
    Object.values(TOKENS).flatMap((token) =>
      [DEPOSITOR, SOLVER].map((owner) => findAssociatedAddress(owner, token)),
    ),
  )
  const orders = played.flatMap(({ escrow: { account, vault } }) => [account, vault])
  const accounts = new Set([DEPOSITOR, SOLVER, SPONSOR, ...tokens, ...orders])
  return [...accounts].reduce((sum, account) => sum + world.lamportsOf(account), 0n) - kept.lamports
}

/**
 * Plays a walk on the program and in a model, and compares both after every step. In the end it refunds and closes all
 * orders, and checks that their accounts and vaults are empty.
 */
export const walk = async ({ seeds, steps }: Walk): Promise<void> => {
  const model = await startModel(seeds)
  const total = await totalOf(model)
  for (const step of [...BEGINNING, ...steps]) {
    await play(model, step)
    await assertBooks(model)
    assert.equal(await totalOf(model), total)
  }
  model.time += 100_000
  for (const [order] of model.played.entries())
    for (const kind of ['refund', 'close'] as const) await play(model, { kind, order, isEntitled: true })
  await assertBooks(model)
  for (const { escrow, status } of model.played) {
    assert.ok(status === 'none' || status === 'closed')
    assert.equal(model.world.read(escrow.vault), undefined)
  }
}
