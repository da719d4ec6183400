import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTerminal } from '@openrfq/sdk'
import type { IntentOrder } from '../../core/intent-order.ts'
import {
  awaitingDeposit,
  type Observation,
  advance as realAdvance,
  type Transfer,
} from '../../core/transfer.ts'
import { type IntentFacts, observeIntent } from './observe.ts'

/**
 * Bounds of the explored states of one intent: two reorgs (so up to three deposits), three crashes of the service,
 * readings of any age, and a solver that fills, declines, or does both.
 */
const REORGS = 2
const CRASHES = 3

/** How far an event has progressed on its chain. */
type Stage = 'none' | 'seen' | 'final'
/** The chains' clocks: which deadline has passed, and whether for final blocks too. */
const CLOCK = ['open', 'fill_over', 'fill_over_final', 'refundable'] as const
type Clock = (typeof CLOCK)[number]

type World = {
  readonly opened: Stage
  readonly filled: Stage
  readonly declined: Stage
  readonly refunded: Stage
  readonly released: Stage
  readonly clock: Clock
  /** Refunds that the keeper has signed and stored; they survive a crash. */
  readonly signed: number
  /** The stored transfer's state. */
  readonly state: Transfer['state']
  /** A reading that the service has made but not acted on; lost in a crash. */
  readonly reading: Observation['seen'] | 'empty'
  /** The state that the reading was made against; it is saved only if the stored state is still the same. */
  readonly readAt: Transfer['state']
  readonly reorgs: number
  readonly crashes: number
}

const ORDER: IntentOrder = {
  depositor: '0x1',
  salt: '0x0',
  originChain: 'eip155:1',
  originSettler: '0x2',
  destinationChain: 'eip155:2',
  destinationSettler: '0x3',
  openDeadline: 100,
  fillDeadline: 200,
  refundAfter: 300,
  inputToken: '0x4',
  // CAST: amounts are irrelevant to the exploration.
  inputAmount: 5n as IntentOrder['inputAmount'],
  outputToken: '0x5',
  outputAmount: 5n as IntentOrder['outputAmount'],
  recipient: '0x6',
  solver: '0x7',
  filler: '0x8',
}

const START: World = {
  opened: 'none',
  filled: 'none',
  declined: 'none',
  refunded: 'none',
  released: 'none',
  clock: 'open',
  signed: 0,
  state: 'AWAITING_DEPOSIT',
  reading: 'empty',
  readAt: 'AWAITING_DEPOSIT',
  reorgs: 0,
  crashes: 0,
}

const eventOf = (stage: Stage, txHash: string): IntentFacts['opened'] =>
  stage === 'none' ? undefined : { txHash, timestampSeconds: 50, final: stage === 'final' }

const refundOf = (stage: Stage): IntentFacts['refunded'] => eventOf(stage, '0x0c')

const finalSecondsOf = (clock: Clock): number => (clock === 'open' || clock === 'fill_over' ? 150 : 250)

const factsOf = (world: World): IntentFacts => ({
  opened: eventOf(world.opened, '0x0a'),
  filled: eventOf(world.filled, '0x0b'),
  released: eventOf(world.released, '0x0e'),
  refunded: refundOf(world.refunded),
  declined: eventOf(world.declined, '0x0d'),
  destinationFinalSeconds: finalSecondsOf(world.clock),
  isRefundSigned: world.signed > 0,
})

/** The rules under test; a mutant changes one of them. */
type Rules = {
  readonly factsOf: (world: World) => IntentFacts
  readonly observe: (facts: IntentFacts) => Observation
  readonly advance: (transfer: Transfer, observation: Observation) => Transfer
  readonly maySign: (world: World) => boolean
}

const REAL: Rules = {
  factsOf,
  observe: (facts) => observeIntent('0x0', ORDER, facts),
  advance: realAdvance,
  maySign: ({ state, clock, signed, opened, filled, refunded, released }) =>
    (state === 'REFUND_PENDING' || state === 'REFUND_INITIATED') &&
    clock === 'refundable' &&
    signed === 0 &&
    opened === 'final' &&
    filled === 'none' &&
    refunded === 'none' &&
    released === 'none',
}

const source = { chain: 'eip155:1', txHash: '0x0a', messageId: null, timestamp: '2026-11-21T07:00:00Z' }
const DETAILS = {}
const SAMPLES: Readonly<Record<Observation['seen'], Observation>> = {
  nothing: { seen: 'nothing', details: DETAILS },
  mismatched: { seen: 'mismatched', details: DETAILS },
  unreadable: { seen: 'unreadable', details: DETAILS },
  in_flight: { seen: 'in_flight', source, details: DETAILS },
  delivered: {
    seen: 'delivered',
    source,
    destination: { chain: 'eip155:2', txHash: '0x0b', timestamp: '2026-11-21T07:00:00Z' },
    output: { chain: 'eip155:2', token: '0x5', amount: '5' },
    details: DETAILS,
  },
  refund_decided: { seen: 'refund_decided', source, details: DETAILS },
  refund_sent: { seen: 'refund_sent', source, details: DETAILS },
  refunded: {
    seen: 'refunded',
    source,
    refund: { chain: 'eip155:1', token: '0x4', amount: '5', txHash: '0x0c' },
    details: DETAILS,
  },
  failed: { seen: 'failed', source, details: DETAILS },
}

/**
 * The chains' possible next steps. The settlers enforce: one exit per order, a fill only in time, a release only after
 * a fill.
 */
const chainSteps = (world: World): readonly World[] => {
  const { opened, filled, declined, refunded, released, clock, signed } = world
  const steps: World[] = []
  const isOpen = opened !== 'none' && refunded === 'none' && released === 'none'
  if (opened === 'none' && clock === 'open') steps.push({ ...world, opened: 'seen' })
  if (opened === 'seen') steps.push({ ...world, opened: 'final' })
  if (filled === 'none' && clock === 'open') steps.push({ ...world, filled: 'seen' })
  if (filled === 'seen') steps.push({ ...world, filled: 'final' })
  if (isOpen) steps.push({ ...world, declined: 'seen', refunded: 'seen' })
  if (isOpen && filled === 'final') steps.push({ ...world, released: 'seen' })
  if (isOpen && clock === 'refundable') steps.push({ ...world, refunded: 'seen' })
  if (isOpen && clock === 'refundable' && signed > 0) steps.push({ ...world, refunded: 'seen' })
  if (opened === 'final' && refunded === 'seen')
    steps.push({ ...world, refunded: 'final', declined: declined === 'seen' ? 'final' : declined })
  if (opened === 'final' && released === 'seen') steps.push({ ...world, released: 'final' })
  return steps
}

/** Lets time pass; the proof window is long enough for a fill to be proven or given up before a refund is due. */
const clockSteps = (world: World): readonly World[] => {
  const { clock, filled, opened, released, refunded } = world
  if (clock === 'open') return [{ ...world, clock: 'fill_over' }]
  if (clock === 'fill_over') return filled === 'seen' ? [] : [{ ...world, clock: 'fill_over_final' }]
  if (clock === 'refundable') return []
  const isUnproven = filled === 'final' && opened !== 'none' && released === 'none' && refunded === 'none'
  return isUnproven || opened === 'seen' ? [] : [{ ...world, clock: 'refundable' }]
}

const reorgSteps = (world: World): readonly World[] => {
  if (world.reorgs === REORGS) return []
  const reorgs = world.reorgs + 1
  const { opened, filled, declined, refunded, released } = world
  const exitsGone = {
    refunded: refunded === 'seen' ? 'none' : refunded,
    declined: declined === 'seen' ? 'none' : declined,
    released: released === 'seen' ? 'none' : released,
  } as const
  const steps: World[] = []
  if (filled === 'seen') steps.push({ ...world, reorgs, filled: 'none' })
  if (refunded === 'seen' || released === 'seen') steps.push({ ...world, ...exitsGone, reorgs })
  if (opened === 'seen') steps.push({ ...world, ...exitsGone, reorgs, opened: 'none' })
  return steps
}

const transferIn = (state: Transfer['state']): Transfer => ({
  ...awaitingDeposit('quote_00000000000000000000000000', ''),
  state,
})

/** The service's possible next steps: read, act on an old reading, sign a refund, or crash. */
const serviceSteps = (rules: Rules, world: World): readonly World[] => {
  const steps: World[] = []
  const { seen } = rules.observe(rules.factsOf(world))
  steps.push({ ...world, reading: seen, readAt: world.state })
  if (world.reading === 'empty') steps.push({ ...world, reading: 'unreadable', readAt: world.state })
  if (world.reading !== 'empty') {
    const { state } = rules.advance(transferIn(world.state), SAMPLES[world.reading])
    const isStale = world.readAt !== world.state
    steps.push({ ...world, reading: 'empty', state: isStale ? world.state : state })
    if (world.crashes < CRASHES) steps.push({ ...world, reading: 'empty', crashes: world.crashes + 1 })
  }
  if (rules.maySign(world)) steps.push({ ...world, signed: world.signed + 1 })
  return steps
}

const ORDERED: readonly Transfer['state'][] = ['REFUND_PENDING', 'REFUND_INITIATED', 'REFUNDED']

/** The invariant that a state, or the step into it, violates. */
const violation = (from: World, to: World): string | undefined => {
  const { state, opened, filled, refunded, signed, clock } = to
  if (isTerminal(from.state) && from.state !== state) return `left ${from.state}`
  if (ORDERED.includes(from.state) && (state === 'PENDING' || state === 'AWAITING_DEPOSIT'))
    return `went back from ${from.state} to ${state}`
  if (state === 'FAILED') return 'failed although no money was lost'
  if (state === 'DONE' && filled !== 'final') return 'DONE without a final fill'
  if (state === 'REFUNDED' && refunded !== 'final') return 'REFUNDED without a final refund'
  if (ORDERED.includes(state) && opened !== 'final') return `${state} without a final deposit`
  if (ORDERED.includes(state) && filled !== 'none' && refunded !== 'final')
    return `${state} although the order is filled`
  if (signed > 1) return 'signed two refunds'
  if (signed > 0 && filled !== 'none') return 'signed a refund of a filled order'
  if (signed > 0 && clock !== 'refundable') return 'signed a refund before it was due'
  return undefined
}

/**
 * Whether the chains have no steps left and a fresh reading neither ends the transfer nor drops a deposit that is gone.
 */
const isStuck = (rules: Rules, world: World): boolean => {
  const isAtRest = world.opened === 'none' && world.state === 'AWAITING_DEPOSIT'
  if (isAtRest || world.opened === 'seen' || isTerminal(world.state)) return false
  const isMoving = chainSteps(world).length + clockSteps(world).length > 0 || rules.maySign(world)
  const { seen } = rules.observe(rules.factsOf(world))
  return !isMoving && rules.advance(transferIn(world.state), SAMPLES[seen]).state === world.state
}

type Result = { readonly states: number; readonly found: readonly string[] }

/** Visits every reachable state once; stops at the first violation. */
const explore = (rules: Rules): Result => {
  const keyOf = (world: World): string => Object.values(world).join()
  const seen = new Map([[keyOf(START), START]])
  for (const world of seen.values()) {
    const next = [
      ...chainSteps(world),
      ...clockSteps(world),
      ...reorgSteps(world),
      ...serviceSteps(rules, world),
    ]
    for (const step of next) {
      const found = violation(world, step)
      if (found !== undefined)
        return { states: seen.size, found: [`${found}: ${JSON.stringify(world)} -> ${JSON.stringify(step)}`] }
      seen.set(keyOf(step), step)
    }
    if (isStuck(rules, world)) return { states: seen.size, found: [`stuck: ${JSON.stringify(world)}`] }
  }
  return { states: seen.size, found: [] }
}

test('no reachable state of an intent breaks an invariant about money', (context) => {
  const { states, found } = explore(REAL)
  assert.deepEqual(found, [])
  context.diagnostic(`${states} states`)
  assert.ok(states > 5_000, `only ${states} states`)
})

const asFinal = (event: IntentFacts['opened']): IntentFacts['opened'] =>
  event === undefined ? undefined : { ...event, final: true }
const onlyFinal = (event: IntentFacts['opened']): IntentFacts['opened'] =>
  event?.final === true ? event : undefined

const observing = (change: (facts: IntentFacts) => IntentFacts): Rules => ({
  ...REAL,
  observe: (facts) => REAL.observe(change(facts)),
})

const MUTANTS: Readonly<Record<string, Rules>> = {
  'a deposit that is not final decides': observing((facts) => ({ ...facts, opened: asFinal(facts.opened) })),
  'the fill deadline counts before it is final': {
    ...REAL,
    factsOf: (world) => ({
      ...factsOf(world),
      destinationFinalSeconds: world.clock === 'open' ? 150 : 250,
    }),
  },
  'a fill that is not final is a delivery': observing((facts) => ({
    ...facts,
    filled: asFinal(facts.filled),
  })),
  'a fill that is not final is overlooked': {
    ...REAL,
    factsOf: (world) => ({
      ...factsOf(world),
      filled: onlyFinal(factsOf(world).filled),
      destinationFinalSeconds: world.clock === 'open' ? 150 : 250,
    }),
  },
  'a fill is never seen': observing((facts) => ({ ...facts, filled: undefined })),
  'a decline that is not final decides': {
    ...REAL,
    observe: (facts) =>
      facts.opened?.final === true && facts.declined !== undefined && facts.refunded?.final !== true
        ? SAMPLES.refund_sent
        : REAL.observe(facts),
  },
  'a refund that is not final is a refund': observing((facts) => ({
    ...facts,
    refunded: facts.refunded === undefined ? undefined : { ...facts.refunded, final: true },
  })),
  'a refund is signed again': { ...REAL, maySign: (world) => REAL.maySign({ ...world, signed: 0 }) },
  'a refund is signed before it is due': {
    ...REAL,
    maySign: (world) =>
      REAL.maySign(world.clock === 'fill_over_final' ? { ...world, clock: 'refundable' } : world),
  },
  'a deposit that is gone is remembered': {
    ...REAL,
    advance: (transfer, observation) =>
      observation.seen === 'nothing' ? transfer : realAdvance(transfer, observation),
  },
  'a reading that fails is a failure': {
    ...REAL,
    advance: (transfer, observation) =>
      observation.seen === 'unreadable'
        ? { ...transfer, state: 'FAILED' }
        : realAdvance(transfer, observation),
  },
  'an end can be left': {
    ...REAL,
    advance: (transfer, observation) =>
      isTerminal(transfer.state)
        ? realAdvance({ ...transfer, state: 'PENDING' }, observation)
        : realAdvance(transfer, observation),
  },
}

for (const [name, rules] of Object.entries(MUTANTS)) {
  test(`the exploration catches a service in which ${name}`, (context) => {
    const { found } = explore(rules)
    assert.equal(found.length, 1)
    context.diagnostic(found[0]?.split(':')[0] ?? '')
  })
}
