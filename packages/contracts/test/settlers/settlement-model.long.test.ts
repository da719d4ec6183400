import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Call } from '@openrfq/sandbox/test/chain-calls.ts'
import type { IntentOrder } from '@openrfq/sandbox/test/intent-order.ts'
import { zeroAddress } from 'viem'
import { proofOf } from './settlement-cases.ts'
import {
  ACTIONS,
  type Action,
  explore,
  keyOf,
  type Refusal,
  refusalOf,
  START,
  type State,
  step,
} from './settlement-model.ts'
import {
  approved,
  claimCall,
  fillCall,
  messagesOf,
  nowOf,
  openCall,
  orderOf,
  proveCall,
  recordOf,
  refundCall,
  repayTo,
} from './steps.ts'
import {
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

const KINDS = { none: 0, open: 1, refunded: 2, proven: 4, released: 5 } as const
const ACCOUNTS = { solver: SOLVER, stranger: PAYEE } as const
/** Seconds of a phase. */
const PHASE = 1000

/** An order whose phases last a thousand seconds each, from `start`. */
const phasedOrder = async (start: number): Promise<IntentOrder> =>
  orderOf(world, {
    openDeadline: start + PHASE,
    exclusiveUntil: start + 2 * PHASE,
    fillDeadline: start + 3 * PHASE,
    refundAfter: start + 4 * PHASE,
  })

/** When a phase of each clock begins: the third of the origin lasts two thousand seconds. */
const ORIGIN_STARTS = [0, PHASE, 2 * PHASE, 4 * PHASE] as const
const DESTINATION_STARTS = [0, 2 * PHASE, 3 * PHASE] as const

type Walk = {
  readonly order: IntentOrder
  readonly start: number
  readonly state: State
  readonly depth: number
}

const clockOf = ({ start, state, depth }: Walk, side: Side): number =>
  1 +
  10 * depth +
  start +
  (side === world.a ? ORIGIN_STARTS[state.originPhase] : DESTINATION_STARTS[state.destinationPhase])

const sideOf = (action: Action): Side =>
  action === 'fill' || action === 'fill as a stranger' || action === 'prove' ? world.b : world.a

/** The call of an action; proofs are approved first. */
const callOf = async ({ order, state }: Walk, action: Action): Promise<Call | null> => {
  const { a, b, settler } = world
  const payee = state.filled === null ? SOLVER : ACCOUNTS[state.filled]
  const proof = { sourceChain: b.axelarName, sourceAddress: settler, target: settler }
  switch (action) {
    case 'open':
      return openCall(a, order)
    case 'decline':
      return refundCall(a, order, SOLVER)
    case 'decline as another account':
      return refundCall(a, order, order.filler)
    case 'refund':
      return refundCall(a, order)
    case 'refund to another account':
      return refundCall(a, order, STRANGER, PAYEE)
    case 'fill':
      return fillCall(b, order)
    case 'fill as a stranger':
      return fillCall(b, order, STRANGER, repayTo(PAYEE))
    case 'prove':
      return proveCall(b, [order], a.axelarName)
    case 'claim':
      return claimCall(a, [order], payee)
    case 'claim to another account':
      return claimCall(a, [order], STRANGER)
    case 'claim as another payee': {
      const other = payee === SOLVER ? PAYEE : SOLVER
      return claimCall(a, [order], other, other)
    }
    case 'execute the proof':
      return state.isProofSent ? approved(a, { ...proof, payload: proofOf(settler, [order], payee) }) : null
    case 'execute a hostile chain’s proof':
      return approved(a, { ...proof, sourceChain: 'evil', payload: proofOf(settler, [order], STRANGER) })
    default:
      return null
  }
}

const assertRecords = async ({ order }: Walk, { origin, filled }: State): Promise<void> => {
  const [kind, account] = await recordOf(world.a, order)
  assert.equal(kind, KINDS[origin])
  const isOwed = origin === 'proven' || origin === 'released'
  assert.equal(account, isOwed && filled !== null ? ACCOUNTS[filled] : zeroAddress)
  const delivered = await recordOf(world.b, order)
  assert.deepEqual(delivered, filled === null ? [0, zeroAddress] : [3, ACCOUNTS[filled]])
}

const assertRefused = async (walk: Walk, action: Action): Promise<Refusal | null> => {
  const side = sideOf(action)
  const call = await callOf(walk, action)
  if (call === null) return null
  const expected = refusalOf(walk.state, action)
  const refusal = await side.refusal(call, clockOf(walk, side) + 5)
  assert.equal(refusal, expected, `${action} from ${keyOf(walk.state)}`)
  return expected
}

/** Sends an action's call at the phase's time, and compares the outcome with the model. */
const perform = async (walk: Walk, action: Action, to: State): Promise<void> => {
  const side = sideOf(action)
  const call = await callOf(walk, action)
  if (call === null) return
  await side.setNextTime(clockOf(walk, side) + 5)
  const { events } = await side.send(call)
  assert.ok(events, `${action} from ${keyOf(walk.state)}`)
  await assertRecords(walk, to)
  if (action !== 'prove') return
  const payee = walk.state.filled === null ? SOLVER : ACCOUNTS[walk.state.filled]
  const payload = proofOf(world.settler, [walk.order], payee).toLowerCase()
  assert.equal(messagesOf(side, events)[0]?.payload, payload)
}

const snapshot = (): Promise<readonly [unknown, unknown]> =>
  Promise.all([world.a.rpc('evm_snapshot'), world.b.rpc('evm_snapshot')])
const restore = async ([a, b]: readonly [unknown, unknown]): Promise<void> => {
  await Promise.all([world.a.rpc('evm_revert', a), world.b.rpc('evm_revert', b)])
}

test('the contracts do in every reachable state what the model says of every action', async (t) => {
  const start = (await nowOf(world)) + 10
  const order = await phasedOrder(start)
  const visited = new Set<string>()
  const refused: Record<string, number> = {}
  let tried = 0
  const visit = async (walk: Walk): Promise<void> => {
    visited.add(keyOf(walk.state))
    for (const action of ACTIONS) {
      const to = step(walk.state, action)
      tried++
      if (to === null) {
        const refusal = await assertRefused(walk, action)
        if (refusal !== null) refused[refusal] = (refused[refusal] ?? 0) + 1
        continue
      }
      const before = await snapshot()
      await perform(walk, action, to)
      if (!visited.has(keyOf(to))) await visit({ ...walk, state: to, depth: walk.depth + 1 })
      await restore(before)
    }
  }
  await visit({ order, start, state: START, depth: 0 })
  assert.equal(visited.size, explore().states.length)
  const reasons = Object.entries(refused).map(([name, count]) => `${name} ${count}`)
  t.diagnostic(`${visited.size} states, ${tried} actions; refused: ${reasons.join(', ')}`)
})
