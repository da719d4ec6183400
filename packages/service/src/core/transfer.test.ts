import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTerminal, TransferState as States, type TransferState } from '@openrfq/sdk'
import fc from 'fast-check'
import { advance, awaitingDeposit, LEGAL_MOVES, type Observation, type Transfer } from './transfer.ts'

const source = { chain: 'eip155:1', txHash: '0x01', messageId: '0x01-0', timestamp: '2026-11-21T07:00:00Z' }
const destination = { chain: 'eip155:2', txHash: '0x02', timestamp: '2026-11-21T07:01:00Z' }
const output = { chain: 'eip155:2', token: '0x03', amount: '5' }
const refund = { chain: 'eip155:1', token: '0x04', amount: '5', txHash: '0x05' }

const OBSERVATIONS: readonly Observation[] = [
  { seen: 'nothing', details: {} },
  { seen: 'mismatched', details: {} },
  { seen: 'unreadable', details: {} },
  { seen: 'in_flight', source, details: { stage: 'approved' } },
  { seen: 'delivered', source, destination, output, details: {} },
  { seen: 'refund_decided', source, details: {} },
  { seen: 'refund_sent', source, details: {} },
  { seen: 'refunded', source, refund, details: {} },
  { seen: 'failed', source, details: {} },
]

const start = awaitingDeposit('quote_00000000000000000000000000', '0x01-0')

/** Every transfer reachable by observations, with the last step to it. */
const explore = (
  step: (transfer: Transfer, observation: Observation) => Transfer,
): readonly { readonly from: Transfer; readonly to: Transfer }[] => {
  const seen = new Map([[JSON.stringify(start), start]])
  const steps: { from: Transfer; to: Transfer }[] = []
  for (const from of seen.values()) {
    for (const observation of OBSERVATIONS) {
      const to = step(from, observation)
      steps.push({ from, to })
      seen.set(JSON.stringify(to), to)
    }
  }
  return steps
}

const canReach = (from: TransferState, to: TransferState): boolean => {
  const known = new Set<TransferState>([from])
  for (const state of known) for (const next of LEGAL_MOVES[state]) known.add(next)
  return known.has(to)
}

/** The violated rules in a set of steps; empty for a correct reducer. */
const violations = (steps: ReturnType<typeof explore>): readonly string[] =>
  steps.flatMap(({ from, to }) => {
    const name = `${from.state} -> ${to.state}`
    const found: string[] = []
    if (isTerminal(from.state) && to !== from) found.push(`${name} left a final state`)
    if (!canReach(from.state, to.state)) found.push(`${name} is not legal`)
    if ((to.output !== null) !== (to.state === 'DONE')) found.push(`${name}: output only on DONE`)
    if ((to.destination !== null) !== (to.state === 'DONE')) found.push(`${name}: destination only on DONE`)
    if ((to.refund !== null) !== (to.state === 'REFUNDED')) found.push(`${name}: refund only on REFUNDED`)
    if ((to.source === null) !== (to.state === 'AWAITING_DEPOSIT'))
      found.push(`${name}: source unless awaiting`)
    if (to.output !== null && to.refund !== null) found.push(`${name} paid twice`)
    return found
  })

test('every reachable state follows the table of moves and has the shape of its state', () => {
  const steps = explore(advance)
  assert.deepEqual(violations(steps), [])
  assert.deepEqual(new Set(steps.map(({ to }) => to.state)), new Set(States.options))
})

test('a delivered transfer is never refunded, and a refunded one never delivered', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...OBSERVATIONS), { maxLength: 30 }), (observations) => {
      let transfer = start
      const reached = new Set(
        observations.map((observation) => {
          transfer = advance(transfer, observation)
          return transfer.state
        }),
      )
      assert.ok(!(reached.has('DONE') && reached.has('REFUNDED')))
      assert.ok(!(reached.has('DONE') && reached.has('REFUND_PENDING')))
    }),
  )
})

test('a reorg that removes the source moves PENDING back to AWAITING_DEPOSIT', () => {
  const pending = advance(start, { seen: 'in_flight', source, details: {} })
  assert.equal(pending.state, 'PENDING')
  const back = advance(pending, { seen: 'nothing', details: {} })
  assert.equal(back.state, 'AWAITING_DEPOSIT')
  assert.equal(back.source, null)
})

test('an unreadable or mismatched observation changes nothing', () => {
  const pending = advance(start, { seen: 'in_flight', source, details: {} })
  assert.equal(advance(pending, { seen: 'unreadable', details: {} }), pending)
  assert.equal(advance(pending, { seen: 'mismatched', details: {} }), pending)
})

test('a repeated observation returns the same transfer', () => {
  const pending = advance(start, { seen: 'in_flight', source, details: { stage: 'called' } })
  assert.equal(advance(pending, { seen: 'in_flight', source, details: { stage: 'called' } }), pending)
})

test('the exploration detects broken reducers', () => {
  const mutants: readonly ((transfer: Transfer, observation: Observation) => Transfer)[] = [
    (transfer, observation) => ({ ...advance({ ...transfer, state: 'PENDING' }, observation) }),
    (transfer, observation) => {
      const next = advance(transfer, observation)
      return next.state === 'REFUND_INITIATED' ? { ...next, refund } : next
    },
    (transfer, observation) => {
      const next = advance(transfer, observation)
      return next.state === 'DONE' ? { ...next, refund } : next
    },
    (transfer, observation) =>
      observation.seen === 'unreadable' && transfer.state === 'PENDING'
        ? { ...transfer, state: 'FAILED', source: null }
        : advance(transfer, observation),
    (transfer, observation) =>
      observation.seen === 'nothing'
        ? { ...start, revision: transfer.revision }
        : advance(transfer, observation),
  ]
  for (const mutant of mutants) assert.notDeepEqual(violations(explore(mutant)), [])
})
