import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Decision, type DecisionInput, decide } from './decision.ts'
import { SolverMode } from './modes.ts'

const GOOD: DecisionInput = {
  mode: 'normal',
  escrow: 'open',
  isFilled: false,
  fill: 'none',
  decline: 'none',
  lateAttempt: 'none',
  shortAttempt: 'none',
  isConfirmed: true,
  confirmedForMs: 0,
  isAnnounced: true,
  mayDecline: true,
  isOurs: true,
  isFair: true,
  isPayable: true,
  isCarried: true,
  isCovered: true,
  uncoveredForMs: 0,
  hasAllowance: true,
  secondsLeft: 60,
  fillMarginSeconds: 10,
}

const wait = (reason: string): Decision => ({ kind: 'wait', reason })

const CASES: readonly (readonly [string, Partial<DecisionInput>, Decision])[] = [
  ['a good order is filled', {}, { kind: 'fill' }],
  ['exactly the margin is enough', { secondsLeft: 10 }, { kind: 'fill' }],
  ['less than the margin is not', { secondsLeft: 9 }, { kind: 'decline', reason: 'too_late' }],
  ['an unconfirmed deposit waits', { isConfirmed: false }, wait('unconfirmed')],
  ['an unfair order is given back', { isFair: false }, { kind: 'decline', reason: 'unfair' }],
  [
    'leaves an unannounced unfair order, which costs nothing',
    { isFair: false, isAnnounced: false },
    { kind: 'leave' },
  ],
  [
    'leaves an unannounced order after a reverted fill',
    { fill: 'reverted', isAnnounced: false },
    { kind: 'leave' },
  ],
  ['an order of a good price is filled, announced or not', { isAnnounced: false }, { kind: 'fill' }],
  ['a price that is not known waits', { isFair: undefined }, wait('price_unknown')],
  ['an order for other settlers is given back', { isOurs: false }, { kind: 'decline', reason: 'not_ours' }],
  [
    'one whose destination has no clock as well',
    { isOurs: false, secondsLeft: undefined },
    { kind: 'decline', reason: 'not_ours' },
  ],
  ['an unread clock waits', { secondsLeft: undefined }, wait('chain_unreadable')],
  ['an unread escrow waits', { escrow: 'unknown' }, wait('chain_unreadable')],
  ['an escrow that is gone needs nothing', { escrow: 'gone' }, { kind: 'leave' }],
  ['an unread recipient waits', { isPayable: undefined }, wait('recipient_unreadable')],
  [
    'one that cannot be paid gives the order back',
    { isPayable: false },
    { kind: 'decline', reason: 'not_payable' },
  ],
  ['what Axelar carries, unread, waits', { isCarried: undefined }, wait('carriage_unknown')],
  [
    'a chain that Axelar does not carry gives the order back',
    { isCarried: false },
    { kind: 'decline', reason: 'not_carried' },
  ],
  ['an unread balance waits', { isCovered: undefined }, wait('balance_unknown')],
  ['a short balance waits a little', { isCovered: false, uncoveredForMs: 4_999 }, wait('balance_short')],
  [
    'and then gives the order back',
    { isCovered: false, uncoveredForMs: 5_000 },
    { kind: 'decline', reason: 'no_inventory' },
  ],
  ['a missing allowance waits', { hasAllowance: false }, wait('allowance_missing')],
  ['a signed fill waits', { fill: 'open' }, wait('fill_sent')],
  ['a mined fill waits for its proof', { fill: 'succeeded' }, wait('filled')],
  ['a fill that the chain knows is not made again', { isFilled: true }, wait('already_filled')],
  [
    'a reverted fill gives the order back',
    { fill: 'reverted' },
    { kind: 'decline', reason: 'fill_reverted' },
  ],
  ['a signed decline is final', { decline: 'open' }, wait('declined')],
  ['also when it reverted', { decline: 'reverted' }, wait('declined')],
  ['paused, nothing is done', { mode: 'paused' }, wait('paused')],
  ['declining, it is given back', { mode: 'declining' }, { kind: 'decline', reason: 'declining' }],
  ['declining, a signed fill is not declined', { mode: 'declining', fill: 'open' }, wait('fill_sent')],
  ['slow, it waits', { mode: 'slow', confirmedForMs: 7_999 }, wait('slow')],
  ['too late for a decline, it waits', { isPayable: false, mayDecline: false }, wait('decline_too_late')],
  ['too late for a decline, it fills what it can', { mayDecline: false }, { kind: 'fill' }],
  [
    'too late for a decline, it leaves an unannounced order',
    { isPayable: false, mayDecline: false, isAnnounced: false },
    { kind: 'leave' },
  ],
  ['slow, it fills in the end', { mode: 'slow', confirmedForMs: 8_000 }, { kind: 'fill' }],
  ['late, it waits for the deadline', { mode: 'late', secondsLeft: 0 }, wait('late')],
  ['late, it tries after it', { mode: 'late', secondsLeft: -1 }, { kind: 'attempt_late' }],
  ['late, it tries once', { mode: 'late', secondsLeft: -1, lateAttempt: 'reverted' }, wait('late')],
  ['short, it tries less than promised', { mode: 'short' }, { kind: 'attempt_short' }],
  ['short, it tries once', { mode: 'short', shortAttempt: 'open' }, wait('short')],
]

for (const [name, part, expected] of CASES)
  test(name, () => assert.deepEqual(decide({ ...GOOD, ...part }), expected))

const state = fc.constantFrom('none' as const, 'open' as const, 'succeeded' as const, 'reverted' as const)
const anyFacts: fc.Arbitrary<DecisionInput> = fc.record({
  mode: fc.constantFrom(...SolverMode.options),
  escrow: fc.constantFrom('open' as const, 'gone' as const, 'unknown' as const),
  isFilled: fc.boolean(),
  fill: state,
  decline: state,
  lateAttempt: state,
  shortAttempt: state,
  isConfirmed: fc.boolean(),
  confirmedForMs: fc.constantFrom(0, 60_000),
  isAnnounced: fc.boolean(),
  mayDecline: fc.boolean(),
  isOurs: fc.boolean(),
  isFair: fc.constantFrom(true, false, undefined),
  isPayable: fc.constantFrom(true, false, undefined),
  isCarried: fc.constantFrom(true, false, undefined),
  isCovered: fc.constantFrom(true, false, undefined),
  uncoveredForMs: fc.constantFrom(0, 60_000),
  hasAllowance: fc.boolean(),
  secondsLeft: fc.constantFrom(-5, 0, 5, 60, undefined),
  fillMarginSeconds: fc.constant(10),
})

test('never both fills and declines an order, and fills only valid ones', () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const { kind } = decide(facts)
      const mayBePaid = facts.fill === 'open' || facts.fill === 'succeeded' || facts.isFilled
      if (kind === 'decline') {
        assert.ok(!mayBePaid && facts.escrow === 'open' && facts.isConfirmed && facts.mayDecline)
        assert.ok(facts.isAnnounced || facts.mode === 'declining')
      }
      if (kind === 'fill') {
        assert.ok(facts.decline === 'none' && facts.fill === 'none' && facts.escrow === 'open')
        assert.ok(
          facts.isConfirmed &&
            facts.isOurs &&
            facts.isFair === true &&
            facts.isPayable === true &&
            facts.isCovered === true,
        )
        assert.ok(facts.secondsLeft !== undefined && facts.secondsLeft >= facts.fillMarginSeconds)
      }
    }),
    { numRuns: 5_000 },
  )
})
