import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { testAnswer } from '../../test/test-quotes.ts'
import { baseUnits, MAX_BASE_UNITS } from '../core/amount.ts'
import { awaitingDeposit } from '../core/transfer.ts'
import { decodeTransfer, encodeAnswer, encodeTransfer, findInAnswer } from './rows.ts'

const amount = fc.bigInt({ min: 0n, max: MAX_BASE_UNITS }).map(baseUnits)
const text = fc.string({ unit: 'grapheme' })
const usd = fc.option(fc.constantFrom('25.00', '0.000001', '1249.999'), { nil: undefined })
const own = fc.record({
  backendName: text,
  quoteExpiresAt: fc.nat({ max: 2 ** 47 }),
  estimatedTimeSeconds: fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }).map((value) => value + 0),
  input: amount,
  output: amount,
  minimumOutput: amount,
  inputUsd: usd,
  outputUsd: usd,
  binding: fc.dictionary(
    text.filter((key) => key !== '__proto__'),
    fc.oneof(text, fc.integer(), fc.boolean()),
    { noNullPrototype: true },
  ),
})

test('quotes survive encoding and decoding unchanged', () => {
  fc.assert(
    fc.property(
      fc.array(own, { minLength: 1, maxLength: 16 }),
      fc.bigInt({ min: 0n, max: 2n ** 80n - 1n }),
      (owns, start) => {
        const answer = testAnswer(1_790_000_000_000, start, owns.length).map((quote, index) => ({
          ...quote,
          ...withoutUndefined(owns[index] ?? {}),
        }))
        const row = encodeAnswer(answer)
        const stored = { last_quote_id: row.last, body: row.body }
        for (const quote of answer) assert.deepEqual(findInAnswer(stored, quote.quoteId), quote)
      },
    ),
  )
})

const withoutUndefined = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

test('a quote without prices takes no more room, and one of an earlier version is read', () => {
  const [quote] = testAnswer(1_790_000_000_000, 7n, 1)
  assert.ok(quote)
  const { body } = encodeAnswer([quote])
  const priced = encodeAnswer([{ ...quote, inputUsd: '25.00' }])
  assert.equal(priced.body, body.replace(/]]]$/, ',"25.00",null]]]').replace(/}]]$/, '},"25.00",null]]'))
  assert.deepEqual(findInAnswer({ last_quote_id: priced.last, body: priced.body }, quote.quoteId), {
    ...quote,
    inputUsd: '25.00',
  })
})

test('a damaged row is an error that names the quote', () => {
  const row = encodeAnswer(testAnswer(1_790_000_000_000, 7n))
  const damaged = [
    '',
    '{}',
    row.body.slice(0, -3),
    row.body.replace('"7"', '"-7"'),
    row.body.replace('"its"', '""'),
  ]
  for (const body of damaged) {
    assert.throws(
      () => findInAnswer({ last_quote_id: row.last, body }, row.first),
      (error: Error) => error.message.includes(row.first),
    )
  }
  assert.throws(() => findInAnswer({ body: row.body }, row.first), /damaged/)
})

test('a damaged transfer is an error that names its quote', () => {
  const { first } = encodeAnswer(testAnswer(1_790_000_000_000, 7n))
  const row = encodeTransfer({ ...awaitingDeposit(first, 'm'), revision: 1 })
  const stored = { quote_id: row.quoteId, message_id: row.messageId, revision: row.revision, body: row.body }
  assert.deepEqual(decodeTransfer(stored), { ...awaitingDeposit(first, 'm'), revision: 1 })
  assert.throws(
    () => decodeTransfer({ ...stored, body: row.body.replace('AWAITING_DEPOSIT', 'LOST') }),
    (error: Error) => error.message.includes(first),
  )
  assert.throws(() => decodeTransfer({ ...stored, revision: 0 }), /damaged/)
})

test('rejects quotes of different orders, or out of order, in one answer', () => {
  const [first, second] = testAnswer(1_790_000_000_000, 7n)
  assert(first !== undefined && second !== undefined)
  assert.throws(() => encodeAnswer([first, { ...second, sender: '0x00' }]), /same order/)
  assert.throws(() => encodeAnswer([second, first]), /ascend/)
  assert.throws(() => encodeAnswer([]), /without quotes/)
})
