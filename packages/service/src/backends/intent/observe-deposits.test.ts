import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LAST_SECOND, TERMS, testDeposit, testOrder, testOrderId } from '../../../test/test-deposits.ts'
import type { Payment } from '../../core/payment.ts'
import type { Observation } from '../../core/transfer.ts'
import { summarizeDeposits } from '../../intents/vault/deposit-summary.ts'
import {
  type DepositFacts,
  observeDeposits,
  type PayoutStanding,
  uncreditedDetails,
} from './observe-deposits.ts'

const ORDER_ID = testOrderId(1)
const order = testOrder()
const NONE: PayoutStanding = { kind: 'none' }
const SENT: PayoutStanding = { kind: 'sent' }
const PAID: PayoutStanding = { kind: 'paid', txHash: 'paid' }
const FILL = { txHash: 'fill', timestampSeconds: order.fillDeadline, final: true }

type Situation = {
  readonly final?: readonly Payment[]
  readonly tentative?: readonly Payment[]
  readonly isOver?: boolean
  readonly filled?: DepositFacts['filled']
  readonly isFillOver?: boolean
  readonly refund?: PayoutStanding
  readonly returns?: readonly PayoutStanding[]
}

const factsOf = (situation: Situation): DepositFacts => {
  const { final = [], tentative = [], refund = NONE, returns = [] } = situation
  const finalSeconds = situation.isOver === true ? LAST_SECOND + 1 : LAST_SECOND
  const account = (payments: readonly Payment[]) =>
    summarizeDeposits({ order, deposits: payments, finalSeconds, terms: TERMS })
  return {
    deposits: { final: account(final), seen: account([...tentative, ...final]) },
    filled: situation.filled,
    destinationFinalSeconds: situation.isFillOver === true ? order.fillDeadline + 1 : order.fillDeadline,
    refund,
    returns,
  }
}

const summaryOf = (observation: Observation): string => {
  const { seen, details } = observation
  const source = 'source' in observation ? observation.source.txHash : '-'
  const refund = seen === 'refunded' ? ` ${observation.refund.amount} ${observation.refund.token}` : ''
  return `${seen} ${source} ${details['stage'] ?? '-'} ${details['reasonCode'] ?? '-'}${refund}`
}

const whole = testDeposit(1)
const half = testDeposit(1, { amount: 500n })
const late = testDeposit(1, { timestampSeconds: LAST_SECOND + 1 })
const other = testDeposit(1, { token: 'other', amount: 70n })
const dust = testDeposit(1, { amount: 9n })
const spam = testDeposit(1, { token: 'spam' })
const over = testDeposit(1, { amount: 1_050n })

const TABLE: readonly (readonly [string, Situation, string])[] = [
  ['nothing came', {}, 'nothing - - -'],
  ['nothing came in time', { isOver: true }, 'nothing - - -'],
  ['the whole input is seen', { tentative: [whole] }, 'in_flight 1 deposit_seen -'],
  ['the whole input is final', { final: [whole] }, 'in_flight 1 deposit_final -'],
  ['a part is seen', { tentative: [half] }, 'in_flight 1 deposit_partial -'],
  ['a part is final', { final: [half] }, 'in_flight 1 deposit_partial -'],
  [
    'the rest is seen',
    { final: [half], tentative: [testDeposit(2, { amount: 500n })] },
    'in_flight 1 deposit_seen -',
  ],
  ['the sum is final', { final: [testDeposit(2, { amount: 500n }), half] }, 'in_flight 1 deposit_final -'],
  [
    'a fill is not final',
    { final: [whole], filled: { ...FILL, final: false } },
    'in_flight 1 filled_not_final -',
  ],
  ['a fill is final', { final: [whole], filled: FILL, isFillOver: true }, 'delivered 1 delivered -'],
  ['no fill', { final: [whole], isFillOver: true }, 'refund_decided 1 awaiting_refund not_filled'],
  [
    'its refund is sent',
    { final: [whole], isFillOver: true, refund: SENT },
    'refund_sent 1 refund_submitted not_filled',
  ],
  [
    'its refund has landed',
    { final: [whole], isFillOver: true, refund: PAID },
    'refunded 1 refunded not_filled 1000 token',
  ],
  ['a part is all', { final: [half], isOver: true }, 'refund_decided 1 awaiting_refund deposit_short'],
  [
    'a part is sent back',
    { final: [half], isOver: true, refund: SENT },
    'refund_sent 1 refund_submitted deposit_short',
  ],
  [
    'a part is back',
    { final: [half], isOver: true, refund: PAID },
    'refunded 1 refunded deposit_short 500 token',
  ],
  ['it is late', { final: [late], isOver: true }, 'refund_decided 1 awaiting_refund late'],
  [
    'what was late is back',
    { final: [late], isOver: true, returns: [PAID] },
    'refunded 1 refunded late 1000 token',
  ],
  ['another asset came', { final: [other] }, 'in_flight 1 deposit_partial -'],
  [
    'another asset came alone',
    { final: [other], isOver: true, returns: [SENT] },
    'refund_sent 1 refund_submitted wrong_asset',
  ],
  [
    'another asset is back',
    { final: [other], isOver: true, returns: [PAID] },
    'refunded 1 refunded wrong_asset 70 other',
  ],
  ['dust came', { final: [dust] }, 'nothing - - -'],
  ['dust came alone', { final: [dust], isOver: true }, 'nothing - - -'],
  ['an unknown asset came', { final: [spam], isOver: true }, 'nothing - - -'],
  ['too much came', { final: [over], filled: FILL }, 'delivered 1 delivered -'],
]

for (const [name, situation, expected] of TABLE)
  test(`observes a deposit on a payment chain: ${name}: ${expected}`, () => {
    assert.equal(summaryOf(observeDeposits(ORDER_ID, order, factsOf(situation))), expected)
  })

test('a partial deposit reports how much of the input has arrived', () => {
  const { details } = observeDeposits(ORDER_ID, order, factsOf({ tentative: [half] }))
  assert.deepEqual([details['deposited'], details['expected']], ['500', '1000'])
})

test('reports extra deposits with their returns, and held amounts', () => {
  const second = testDeposit(2, { amount: 30n })
  const facts = factsOf({
    final: [over, second, testDeposit(3, { amount: 4n }), { ...spam, txHash: '5' }],
    returns: [PAID, SENT],
  })
  const rest = { token: 'token', depositTxHash: '1' }
  const expected = {
    excessRefund: { ...rest, reason: 'excess', amount: '50', refundTxHash: 'paid' },
    extraDeposits: [{ ...rest, depositTxHash: '2', reason: 'second', amount: '30', refundTxHash: null }],
    parked: [
      { token: 'spam', amount: '1000' },
      { token: 'token', amount: '4' },
    ],
  }
  assert.deepEqual(uncreditedDetails(facts), expected)
  const { details } = observeDeposits(ORDER_ID, order, { ...facts, filled: FILL })
  for (const [name, value] of Object.entries(expected)) assert.deepEqual(details[name], value)
  assert.deepEqual(uncreditedDetails(factsOf({ final: [whole] })), {})
})

test('reports dust once no more deposits can be credited', () => {
  assert.deepEqual(uncreditedDetails(factsOf({ final: [dust] })), {})
  assert.deepEqual(uncreditedDetails(factsOf({ final: [dust], isOver: true })), {
    parked: [{ token: 'token', amount: '9' }],
  })
})
