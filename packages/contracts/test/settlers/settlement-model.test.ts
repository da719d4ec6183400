import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACTIONS, explore, refusalOf, type State, step } from './settlement-model.ts'

const { states, steps } = explore()
const isOver = ({ origin }: State) => origin === 'refunded' || origin === 'released'

test('every state of an order is reached, and none is left unexplored', (t) => {
  t.diagnostic(`${states.length} states, ${steps.length} steps`)
  assert.ok(states.length > 150)
})

test('an escrow leaves once: refunded and released are final', () => {
  for (const { from, to } of steps) if (isOver(from)) assert.equal(to.origin, from.origin)
})

test('a recipient is paid once, and its payee never changes', () => {
  for (const { from, to } of steps) if (from.filled !== null) assert.equal(to.filled, from.filled)
})

test('an escrow is released only for a fill', () => {
  for (const { origin, filled } of states)
    if (origin === 'proven' || origin === 'released') assert.notEqual(filled, null)
})

test('a stranger that saw the order open past its exclusive time is never declined', () => {
  for (const { isCareful, isDeclined } of states) assert.ok(!(isCareful && isDeclined))
})

test('a fill that is proven before the refund is due ends with its payee paid, in every sequence of calls', () => {
  for (const { from, to, action } of steps) {
    if (from.filled === null || from.isDeclined || from.origin !== 'open') continue
    if (to.origin === 'refunded') assert.ok(action === 'decline' || from.originPhase === 3)
    if (to.isDeclined) assert.ok(!from.isCareful)
  }
  for (const state of states) if (state.origin === 'proven') assert.notEqual(step(state, 'claim'), null)
})

test('an order never locks: from every state with an escrow some actions of anybody end it', () => {
  for (const state of states) {
    if (state.origin !== 'open' && state.origin !== 'proven') continue
    let now: State = state
    for (let count = 0; count < 4 && !isOver(now); count++)
      now = step(now, 'claim') ?? step(now, 'refund') ?? step(now, 'pass time at the origin') ?? now
    assert.ok(isOver(now))
  }
})

test('a hostile chain changes nothing', () => {
  for (const { from, action, to } of steps)
    if (action === 'execute a hostile chain’s proof') assert.equal(to, from)
})

test('a refused action changes nothing, and only its payee can redirect an escrow', () => {
  for (const state of states)
    for (const action of ACTIONS) {
      if (refusalOf(state, action) !== null) assert.equal(step(state, action), null)
      if (action === 'claim to another account' || action === 'claim as another payee')
        assert.equal(refusalOf(state, action), 'NotPayee')
      if (action === 'refund to another account') assert.notEqual(refusalOf(state, action), null)
      if (action === 'decline as another account' && state.originPhase < 3)
        assert.equal(refusalOf(state, action), 'RefundTooEarly')
    }
})
