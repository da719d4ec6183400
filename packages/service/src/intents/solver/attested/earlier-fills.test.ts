import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testOrder, testOrderId } from '../../../../test/test-deposits.ts'
import type { PaymentChain } from '../../../chains/payment-chain.ts'
import { RpcError } from '../../../chains/rpc/rpc-error.ts'
import { firstQuoteId } from '../../../core/quote-id.ts'
import { saltOf } from '../../settlers/quoted-order.ts'
import { createEarlierFills } from './earlier-fills.ts'

const STARTED_AT = 1_790_000_000_000
const WAIT_MS = 30_000

const entryQuotedAt = (quotedAt: number) => ({
  orderId: testOrderId(1),
  order: testOrder({ salt: saltOf(firstQuoteId(quotedAt, 0n), '0'.repeat(32)) }),
  isFinal: true,
  isRelied: true,
  paidAt: undefined,
  declineSentAt: undefined,
  isFillNamed: false,
  lookedAt: undefined,
})

const entry = entryQuotedAt(STARTED_AT - 1_000)

/** A search on one chain that answers as given, and the events that it logged. */
const searchWith = (absenceStatements: PaymentChain['absenceStatements']) => {
  const clock = { now: STARTED_AT }
  const events: string[] = []
  const find = createEarlierFills({
    sides: new Map([
      [
        entry.order.destinationChain,
        { kind: 'payment', account: 'solver', paymentChain: { absenceStatements } },
      ],
    ]),
    states: { known: () => 'none' },
    onFound: async () => undefined,
    now: () => clock.now,
    log: (_level, event) => events.push(event),
  })
  return { clock, events, find }
}

for (const [why, absenceStatements] of [
  ['no endpoint knows payments since its quote', async () => []],
  [
    'endpoints disagree',
    async () => [
      { endpoint: 0, confirms: true },
      { endpoint: 1, confirms: false },
    ],
  ],
  ['the endpoints are silent', () => Promise.reject(new RpcError('NO_ANSWER', 'silent'))],
] as const satisfies readonly (readonly [string, PaymentChain['absenceStatements']])[])
  test(`an order waits while ${why}, and one line says so after 30 seconds`, async () => {
    const { clock, events, find } = searchWith(absenceStatements)
    for (const passed of [0, WAIT_MS - 1]) {
      clock.now = STARTED_AT + passed
      assert.equal(await find(entry), undefined)
      assert.deepEqual(events, [])
    }
    for (const passed of [WAIT_MS, 2 * WAIT_MS]) {
      clock.now = STARTED_AT + passed
      assert.equal(await find(entry), undefined)
      assert.deepEqual(events, ['earlier_fill_unknown'])
    }
  })

test('an order that no endpoint knows a fill of, or that is quoted after the start, was not filled before', async () => {
  const { events, find } = searchWith(async () => [{ endpoint: 0, confirms: true }])
  assert.equal(await find(entry), 'none')
  const later = searchWith(() => Promise.reject(new RpcError('NO_ANSWER', 'silent')))
  assert.equal(await later.find(entryQuotedAt(STARTED_AT + 2_000)), 'none')
  assert.deepEqual([...events, ...later.events], [])
})
