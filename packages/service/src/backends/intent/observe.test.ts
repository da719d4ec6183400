import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTerminal } from '@openrfq/sdk'
import fc from 'fast-check'
import { baseUnits } from '../../core/amount.ts'
import type { IntentOrder } from '../../core/intent-order.ts'
import { advance, awaitingDeposit, type Transfer } from '../../core/transfer.ts'
import { type IntentFacts, type ObservedEvent, observeIntent } from './observe.ts'

const FILL_DEADLINE = 1_800_000_660
const order: IntentOrder = {
  depositor: '0x00000000000000000000000000000000000000D0',
  salt: `0x${'11'.repeat(32)}`,
  originChain: 'eip155:31337',
  originSettler: '0x00000000000000000000000000000000000000E0',
  destinationChain: 'eip155:31338',
  destinationSettler: '0x00000000000000000000000000000000000000E1',
  openDeadline: 1_800_000_060,
  fillDeadline: FILL_DEADLINE,
  refundAfter: 1_800_007_860,
  inputToken: '0x0000000000000000000000000000000000000000',
  inputAmount: baseUnits(1_000n),
  outputToken: '0xABcdEFABcdEFabcdEfAbCdefabcdeFABcDEFabCD',
  outputAmount: baseUnits(990n),
  recipient: '0x00000000000000000000000000000000000000F0',
  solver: '0x00000000000000000000000000000000000000A1',
  filler: '0x00000000000000000000000000000000000000A1',
}
const ORDER_ID = `0x${'22'.repeat(32)}`

const event = (name: string, final: boolean): ObservedEvent => ({
  txHash: `0x${name}`,
  timestampSeconds: 1_800_000_030,
  final,
})
const NONE: IntentFacts = {
  opened: undefined,
  filled: undefined,
  released: undefined,
  refunded: undefined,
  declined: undefined,
  destinationFinalSeconds: undefined,
  isRefundSigned: false,
}
const opened = event('open', true)
const filled = event('fill', true)
const refunded = event('refund', true)
const declined = event('decline', true)
const over = FILL_DEADLINE + 1

const table: readonly (readonly [string, Partial<IntentFacts>, string])[] = [
  ['nothing', {}, 'nothing -'],
  ['a fill without a deposit', { filled }, 'nothing filled_without_deposit'],
  ['a deposit', { opened: event('open', false) }, 'in_flight deposit_seen'],
  ['a final deposit', { opened }, 'in_flight deposit_final'],
  ['a fill', { opened, filled: event('fill', false) }, 'in_flight filled_not_final'],
  ['a final fill', { opened, filled }, 'delivered delivered'],
  ['a final fill of a deposit', { opened: event('open', false), filled }, 'delivered delivered'],
  [
    'the deadline itself in final blocks',
    { opened, destinationFinalSeconds: FILL_DEADLINE },
    'in_flight deposit_final',
  ],
  [
    'a deposit when the deadline is over',
    { opened: event('open', false), destinationFinalSeconds: over },
    'in_flight deposit_seen',
  ],
  [
    'a final deposit when the deadline is over',
    { opened, destinationFinalSeconds: over },
    'refund_decided awaiting_refund',
  ],
  [
    'a fill when the deadline is over',
    { opened, filled: event('fill', false), destinationFinalSeconds: over },
    'in_flight filled_not_final',
  ],
  [
    'a proven fill that was not seen',
    { opened, released: event('release', true), destinationFinalSeconds: over },
    'in_flight fill_proven',
  ],
  [
    'a signed refund',
    { opened, destinationFinalSeconds: over, isRefundSigned: true },
    'refund_sent refund_submitted',
  ],
  [
    'a refund',
    { opened, destinationFinalSeconds: over, refunded: { ...refunded, final: false } },
    'refund_sent refund_not_final',
  ],
  ['a final refund', { opened, refunded }, 'refunded refunded'],
  [
    'a decline before the deposit is final',
    {
      opened: event('open', false),
      declined: event('decline', false),
      refunded: { ...refunded, final: false },
    },
    'in_flight declined_not_final',
  ],
  [
    'a decline that may be taken back',
    { opened, declined: event('decline', false), refunded: { ...refunded, final: false } },
    'in_flight declined_not_final',
  ],
  ['a final decline', { opened, declined, refunded }, 'refunded refunded'],
  ['a decline of a filled order', { opened, declined, refunded, filled }, 'delivered delivered'],
]

test('every fact leads to the state that the interface names', () => {
  for (const [name, facts, expected] of table) {
    const { seen, details } = observeIntent(ORDER_ID, order, { ...NONE, ...facts })
    assert.equal(`${seen} ${details['stage'] ?? '-'}`, expected, name)
  }
})

test('reports the reason of a refund from the decision on', () => {
  const reasonOf = (facts: Partial<IntentFacts>): unknown =>
    observeIntent(ORDER_ID, order, { ...NONE, opened, ...facts }).details['reasonCode']
  for (const more of [{}, { isRefundSigned: true }, { refunded }])
    assert.equal(reasonOf({ destinationFinalSeconds: over, ...more }), 'not_filled')
  assert.equal(reasonOf({ declined, refunded }), 'declined')
  assert.equal(reasonOf({}), undefined)
})

test('a delivery and a refund name the amounts that moved', () => {
  const delivered = observeIntent(ORDER_ID, order, { ...NONE, opened, filled })
  assert.ok(delivered.seen === 'delivered')
  assert.deepEqual(delivered.output, {
    chain: order.destinationChain,
    token: order.outputToken,
    amount: '990',
  })
  assert.deepEqual(delivered.source, {
    chain: order.originChain,
    txHash: '0xopen',
    messageId: null,
    timestamp: '2027-01-15T08:00:30Z',
  })
  assert.equal(delivered.destination.txHash, '0xfill')
  const back = observeIntent(ORDER_ID, order, { ...NONE, opened, refunded })
  assert.ok(back.seen === 'refunded')
  assert.deepEqual(back.refund, {
    chain: order.originChain,
    token: order.inputToken,
    amount: '1000',
    txHash: '0xrefund',
  })
})

const maybe = (name: string): readonly (ObservedEvent | undefined)[] => [
  undefined,
  event(name, false),
  event(name, true),
]

/** Every combination of facts, including impossible ones. */
const everyCombination = (): readonly IntentFacts[] =>
  maybe('open').flatMap((open) =>
    maybe('fill').flatMap((fill) =>
      maybe('release').flatMap((released) =>
        maybe('decline').flatMap((decline) =>
          maybe('refund').flatMap((refunded) =>
            [undefined, FILL_DEADLINE, over].flatMap((destinationFinalSeconds) =>
              [false, true].map((isRefundSigned) => ({
                opened: open,
                filled: fill,
                released,
                declined: decline,
                refunded,
                destinationFinalSeconds,
                isRefundSigned,
              })),
            ),
          ),
        ),
      ),
    ),
  )

test('no combination of facts ends a transfer or decides a refund without proof', () => {
  const all = everyCombination()
  assert.equal(all.length, 3 ** 6 * 2)
  for (const facts of all) {
    const { seen } = observeIntent(ORDER_ID, order, facts)
    const isDeposited = facts.opened?.final === true
    const isDelivered = facts.opened !== undefined && facts.filled?.final === true
    assert.equal(seen === 'nothing', facts.opened === undefined)
    assert.equal(seen === 'delivered', isDelivered)
    const isBack = facts.refunded?.final === true
    assert.equal(seen === 'refunded', isDeposited && !isDelivered && isBack)
    if (seen.startsWith('refund')) assert.ok(isDeposited && facts.filled?.final !== true)
    if (seen === 'refund_decided')
      assert.ok(
        facts.destinationFinalSeconds === over && facts.filled === undefined && facts.released === undefined,
      )
    assert.notEqual(seen, 'failed')
  }
})

/** One step of change: an event appears, becomes final, or disappears in a reorg. */
const grown = (facts: IntentFacts, step: number): IntentFacts => {
  const next = (known: ObservedEvent | undefined, name: string): ObservedEvent | undefined => {
    if (known === undefined) return event(name, false)
    return known.final ? known : { ...known, final: true }
  }
  const dropped = (known: ObservedEvent | undefined): ObservedEvent | undefined =>
    known?.final === true ? known : undefined
  switch (step) {
    case 0:
      return { ...facts, opened: next(facts.opened, 'open') }
    case 1: {
      if (facts.filled === undefined && facts.destinationFinalSeconds === over) return facts
      return { ...facts, filled: next(facts.filled, 'fill') }
    }
    case 2: {
      if (facts.opened?.final !== true || facts.filled !== undefined) return facts
      return { ...facts, refunded: next(facts.refunded, 'refund') }
    }
    case 3:
      return facts.filled?.final === false ? facts : { ...facts, destinationFinalSeconds: over }
    case 4:
      return { ...facts, opened: dropped(facts.opened) }
    default:
      return { ...facts, filled: dropped(facts.filled) }
  }
}

test('facts in any order end a transfer once, and it never changes afterwards', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5), { maxLength: 40 }), (steps) => {
      let facts = NONE
      let transfer: Transfer = awaitingDeposit('quote_00000000000000000000000000', '')
      for (const step of steps) {
        facts = grown(facts, step)
        const before = transfer
        transfer = advance(transfer, observeIntent(ORDER_ID, order, facts))
        if (isTerminal(before.state)) assert.equal(transfer, before)
        if (transfer.state === 'DONE') assert.ok(transfer.refund === null && transfer.output !== null)
        if (transfer.state === 'REFUNDED') assert.equal(transfer.output, null)
      }
    }),
    { numRuns: 500 },
  )
})
