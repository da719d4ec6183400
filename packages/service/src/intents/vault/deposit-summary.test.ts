import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  LAST_SECOND,
  OPEN_DEADLINE,
  TERMS,
  testDeposit,
  testOrder,
  testOrderId,
} from '../../../test/test-deposits.ts'
import type { Payment } from '../../core/payment.ts'
import { type DepositSummary, summarizeDeposits } from './deposit-summary.ts'
import { type FillFact, obligationsOf, obligationsOfUnmatched, refundKey, releaseKey } from './obligations.ts'

const ORDER = testOrder()
const ORDER_ID = testOrderId(1)
const BEFORE = OPEN_DEADLINE
const AFTER = LAST_SECOND + 1

type Row = {
  readonly deposits: readonly Partial<Payment>[]
  readonly at?: number
  readonly state: DepositSummary['state']
  readonly credited?: bigint
  readonly source?: number
  readonly returns?: readonly [amount: bigint, reason: string][]
  readonly held?: readonly bigint[]
}

const ROWS: Readonly<Record<string, Row>> = {
  'no deposit is nothing': { deposits: [], state: 'nothing' },
  'the exact amount in time is complete': {
    deposits: [{ amount: 1_000n }],
    state: 'complete',
    credited: 1_000n,
    source: 0,
  },
  'several that reach the amount are complete, and the first is the source': {
    deposits: [{ amount: 400n }, { amount: 1n }, { amount: 599n }],
    state: 'complete',
    credited: 1_000n,
    source: 0,
  },
  'a part is partial while more may come': {
    deposits: [{ amount: 999n }],
    at: LAST_SECOND,
    state: 'partial',
    credited: 999n,
    source: 0,
  },
  'a part is short once the grace is over': {
    deposits: [{ amount: 999n }],
    at: AFTER,
    state: 'short',
    credited: 999n,
    source: 0,
  },
  'a deposit in the grace counts': {
    deposits: [{ amount: 1_000n, timestampSeconds: LAST_SECOND }],
    at: AFTER,
    state: 'complete',
    credited: 1_000n,
    source: 0,
  },
  'what exceeds the amount is sent back': {
    deposits: [{ amount: 900n }, { amount: 110n }],
    state: 'complete',
    credited: 1_000n,
    source: 0,
    returns: [[10n, 'excess']],
  },
  'an excess of dust is parked': {
    deposits: [{ amount: 1_009n }],
    state: 'complete',
    credited: 1_000n,
    source: 0,
    held: [9n],
  },
  'a late deposit is sent back whole': {
    deposits: [{ amount: 1_000n, timestampSeconds: AFTER }],
    at: AFTER,
    state: 'returned',
    source: 0,
    returns: [[1_000n, 'late']],
  },
  'a late rest does not complete': {
    deposits: [{ amount: 600n }, { amount: 400n, timestampSeconds: AFTER }],
    at: AFTER,
    state: 'short',
    credited: 600n,
    source: 0,
    returns: [[400n, 'late']],
  },
  'a second deposit is sent back whole': {
    deposits: [{ amount: 1_000n }, { amount: 1_000n }],
    state: 'complete',
    credited: 1_000n,
    source: 0,
    returns: [[1_000n, 'second']],
  },
  'another asset alone is sent back': {
    deposits: [{ amount: 1_000n, token: 'other' }],
    state: 'returned',
    source: 0,
    returns: [[1_000n, 'wrong_asset']],
  },
  'another asset beside the right one does not count and does not matter': {
    deposits: [{ amount: 50n, token: 'other' }, { amount: 1_000n }],
    state: 'complete',
    credited: 1_000n,
    source: 1,
    returns: [[50n, 'wrong_asset']],
  },
  'an asset that cannot be sent is parked': {
    deposits: [{ amount: 10n ** 30n, token: 'spam' }],
    state: 'nothing',
    held: [10n ** 30n],
  },
  'dust is nothing, and is kept while more may come': {
    deposits: [{ amount: 4n }, { amount: 5n }],
    state: 'nothing',
    credited: 9n,
  },
  'dust is parked once the grace is over': {
    deposits: [{ amount: 9n }],
    at: AFTER,
    state: 'nothing',
    held: [9n],
  },
  'dust that the rest follows counts': {
    deposits: [{ amount: 9n }, { amount: 991n }],
    state: 'complete',
    credited: 1_000n,
    source: 0,
  },
}

for (const [name, row] of Object.entries(ROWS))
  test(name, () => {
    const deposits = row.deposits.map((changes, index) => testDeposit(index, changes))
    const account = summarizeDeposits({
      order: ORDER,
      deposits,
      finalSeconds: row.at ?? BEFORE,
      terms: TERMS,
    })
    assert.equal(account.state, row.state)
    assert.equal(account.credited, row.credited ?? 0n)
    assert.equal(account.source, row.source === undefined ? undefined : deposits[row.source])
    assert.deepEqual(
      account.returns.map(({ amount, reason }) => [amount, reason]),
      row.returns ?? [],
    )
    assert.deepEqual(
      account.held.map(({ amount }) => amount),
      row.held ?? [],
    )
  })

const seconds = fc.integer({ min: OPEN_DEADLINE - 20, max: LAST_SECOND + 20 })
const anyDeposits = fc
  .array(
    fc.record({
      amount: fc.oneof(
        fc.bigInt({ min: 1n, max: 20n }),
        fc.bigInt({ min: 1n, max: 1_500n }),
        fc.constant(1_000n),
      ),
      token: fc.constantFrom('token', 'token', 'token', 'other', 'spam'),
      timestampSeconds: seconds,
    }),
    { maxLength: 8 },
  )
  .map((changes) =>
    changes
      .toSorted((one, other) => one.timestampSeconds - other.timestampSeconds)
      .map((change, index) => testDeposit(index, change)),
  )
const anyFill = fc.constantFrom<FillFact>('open', 'filled', 'impossible')

const sumsOf = (parts: readonly { readonly token: string; readonly amount: bigint }[]) => {
  const sums = new Map<string, bigint>()
  for (const { token, amount } of parts) if (amount > 0n) sums.set(token, (sums.get(token) ?? 0n) + amount)
  return new Map([...sums].toSorted())
}

test('credited, returned and held amounts add up to the deposits', () => {
  fc.assert(
    fc.property(anyDeposits, seconds, (deposits, at) => {
      const { credited, returns, held } = summarizeDeposits({
        order: ORDER,
        deposits,
        finalSeconds: at,
        terms: TERMS,
      })
      const returned = returns.map(({ payment, amount }) => ({ token: payment.token, amount }))
      assert.deepEqual(
        sumsOf([{ token: ORDER.inputToken, amount: credited }, ...returned, ...held]),
        sumsOf(deposits),
      )
    }),
  )
})

test('repeated or reordered reads of deposits give the same summary', () => {
  fc.assert(
    fc.property(
      anyDeposits.chain((deposits) =>
        fc.tuple(
          fc.constant(deposits),
          fc.shuffledSubarray([...deposits, ...deposits], { minLength: deposits.length * 2 }),
        ),
      ),
      seconds,
      ([deposits, reread], at) => {
        assert.deepEqual(
          summarizeDeposits({ order: ORDER, deposits: reread, finalSeconds: at, terms: TERMS }),
          summarizeDeposits({ order: ORDER, deposits, finalSeconds: at, terms: TERMS }),
        )
      },
    ),
  )
})

test('never owes more than was deposited, and never owes both solver and depositor', () => {
  fc.assert(
    fc.property(anyDeposits, seconds, anyFill, (deposits, at, fill) => {
      const account = summarizeDeposits({ order: ORDER, deposits, finalSeconds: at, terms: TERMS })
      const { owed, isWaiting } = obligationsOf({ orderId: ORDER_ID, order: ORDER, deposits: account, fill })
      const sums = sumsOf(deposits)
      for (const [token, amount] of sumsOf(owed)) assert.ok(amount <= (sums.get(token) ?? 0n))
      const keys = owed.map(({ key }) => key)
      assert.equal(new Set(keys).size, keys.length)
      assert.ok(!(keys.includes(releaseKey(ORDER_ID)) && keys.includes(refundKey(ORDER_ID))))
      const release = owed.find(({ kind }) => kind === 'release')
      assert.equal(release !== undefined, account.state === 'complete' && fill === 'filled')
      if (release !== undefined)
        assert.deepEqual([release.amount, release.recipient], [ORDER.inputAmount, ORDER.solver])
      for (const { kind, recipient } of owed) if (kind !== 'release') assert.equal(recipient, ORDER.depositor)
      if (!isWaiting && account.credited > 0n) assert.ok(owed.some(({ kind }) => kind !== 'return'))
    }),
  )
})

test('an obligation keeps its key and exact amount', () => {
  fc.assert(
    fc.property(anyDeposits, fc.nat(8), fc.nat(20), anyFill, (deposits, count, later, fill) => {
      const known = deposits.slice(0, count)
      const next = deposits[count]?.timestampSeconds
      // The newest final block is between the last known deposit and the next.
      const at = Math.max(known.at(-1)?.timestampSeconds ?? 0, (next ?? LAST_SECOND + 30) - 1 - later)
      const nowOwed = obligationsOf({
        orderId: ORDER_ID,
        order: ORDER,
        deposits: summarizeDeposits({ order: ORDER, deposits: known, finalSeconds: at, terms: TERMS }),
        fill,
      }).owed
      const complete = summarizeDeposits({
        order: ORDER,
        deposits,
        finalSeconds: LAST_SECOND + 60,
        terms: TERMS,
      })
      const thenOwed = obligationsOf({
        orderId: ORDER_ID,
        order: ORDER,
        deposits: complete,
        fill: fill === 'open' ? 'filled' : fill,
      }).owed
      for (const owed of nowOwed)
        assert.deepEqual(
          thenOwed.find(({ key }) => key === owed.key),
          owed,
        )
    }),
  )
})

test('an unmatched deposit without its cost is owed to its payer, unless it is below the minimum', () => {
  const unmatched = testDeposit(1, { from: 'stranger', amount: 10n })
  const terms = { minimum: 10n, cost: 3n }
  assert.deepEqual(
    obligationsOfUnmatched(unmatched, terms).owed.map(({ kind, recipient, amount }) => [
      kind,
      recipient,
      amount,
    ]),
    [['return', 'stranger', 7n]],
  )
  assert.deepEqual(obligationsOfUnmatched({ ...unmatched, amount: 9n }, terms).owed, [])
  assert.deepEqual(obligationsOfUnmatched(unmatched, { minimum: 1n, cost: 10n }).owed, [])
  assert.deepEqual(obligationsOfUnmatched(unmatched, undefined).owed, [])
})
