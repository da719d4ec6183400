import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OPEN_DEADLINE, START_SECONDS, testQuote } from '../../../test/test-deposits.ts'
import { CHEAP, FROM, intentOrder, orderIdOf, TO } from '../../../test/test-orders.ts'
import { firstQuoteId } from '../../core/quote-id.ts'
import type { SolverOrderEnd } from '../../core/solver-order.ts'
import { tokenKey } from '../../core/token-key.ts'
import { awaitingDeposit, type Transfer } from '../../core/transfer.ts'
import { createSolverDirectory } from '../solver-api/solver-directory.ts'
import { createSolverOutcomes } from './solver-outcomes.ts'
import { createSolverRecords } from './solver-records.ts'

const ORDER_ID = orderIdOf(1)
const QUOTE_ID = firstQuoteId(0, 0n)
const ORDER = intentOrder(CHEAP, 700n, OPEN_DEADLINE)
const QUOTE = testQuote(QUOTE_ID, ORDER_ID, ORDER)
const SOLVER_ORDER = {
  orderId: ORDER_ID,
  quoteId: QUOTE_ID,
  solver: CHEAP.address,
  pair: 'pair',
  depositor: ORDER.depositor,
  input: ORDER.inputAmount,
  quotedAt: START_SECONDS * 1000,
}
const DECLINED: Transfer = {
  ...awaitingDeposit(QUOTE_ID, ''),
  state: 'REFUND_PENDING',
  details: { reasonCode: 'declined' },
  source: {
    chain: 'eip155:31337',
    txHash: '0xaa',
    messageId: null,
    timestamp: new Date(START_SECONDS * 1000).toISOString(),
  },
}

const PAIR = [FROM, TO].map(tokenKey).join(' ')
const STORE: Parameters<typeof createSolverOutcomes>[0]['store'] = {
  addSolverOrder: async () => true,
  endSolverOrder: async () => true,
  listOpenSolverOrders: async () => [SOLVER_ORDER],
  listEndedSolverOrders: async () => [],
  findQuote: async () => QUOTE,
  findTransfer: async () => DECLINED,
  findDeclinedOrder: async () => undefined,
}

/** Outcomes with an open order, a transfer that was declined, and a payable recipient. */
const createOutcomes = (changes: Partial<Parameters<typeof createSolverOutcomes>[0]>) =>
  createSolverOutcomes({
    store: STORE,
    evmChains: new Map([[TO.chainId, { callMany: async () => ['0x'], hasCode: async () => false }]]),
    paymentChains: new Map(),
    records: createSolverRecords(),
    directory: createSolverDirectory([CHEAP]),
    book: { wasReserved: () => true },
    paymentIndex: { lastKnown: async () => ({ deposits: undefined, fill: undefined }) },
    news: { blocked: () => undefined },
    now: () => START_SECONDS * 1000,
    log: () => undefined,
    ...changes,
  })

for (const [wasReserved, expected, name] of [
  [true, 'declined', 'an order whose inventory was reserved'],
  [false, 'uncounted', 'an order whose reservation was replaced before its deposit'],
] as const)
  test(`a decline of ${name} is recorded as ${expected}`, async () => {
    const ends: SolverOrderEnd['outcome'][] = []
    const endSolverOrder: typeof STORE.endSolverOrder = async (_, { outcome }) => {
      ends.push(outcome)
      return true
    }
    const store = { ...STORE, endSolverOrder }
    await createOutcomes({ store, book: { wasReserved: () => wasReserved } }).round()
    assert.deepEqual(ends, [expected])
  })

test('a deposit that is read again after a restart is no probe once its order has ended', async () => {
  const records = createSolverRecords()
  const failed = (number: number) => ({
    ...SOLVER_ORDER,
    orderId: orderIdOf(number),
    outcome: 'faded' as const,
    quotedAt: 0,
    endedAt: number,
    fillSeconds: undefined,
  })
  for (const number of [2, 3, 4]) records.add({ ...failed(number), pair: PAIR })
  const standing = () => records.standing(CHEAP.address, PAIR, START_SECONDS * 1000)
  assert.equal(standing(), 'probed')
  await createOutcomes({ records, store: { ...STORE, addSolverOrder: async () => false } }).deposited(QUOTE)
  assert.equal(standing(), 'probed')
  await createOutcomes({ records }).deposited(QUOTE)
  assert.equal(standing(), 'blocked')
})
