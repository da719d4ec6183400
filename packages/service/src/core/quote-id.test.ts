import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { firstQuoteId, idsOfAnswer, isQuoteId, quoteIds, quoteNumber } from './quote-id.ts'

const moments = fc.integer({ min: 0, max: 2 ** 48 - 1 })
const randoms = fc.bigInt({ min: 0n, max: 2n ** 80n - 1n })

test('ids are well-formed, unique within an answer and ordered by time', () => {
  fc.assert(
    fc.property(moments, moments, randoms, randoms, (one, other, random, otherRandom) => {
      const ids = quoteIds(firstQuoteId(one, random), 16)
      assert.ok(ids.every(isQuoteId))
      assert.deepEqual([...new Set(ids)].sort(), ids)
      const [earlier = '', later = ''] = [
        quoteIds(firstQuoteId(Math.min(one, other), random), 16).at(-1),
        firstQuoteId(Math.max(one, other), otherRandom),
      ]
      if (one !== other) assert.ok(earlier < later)
    }),
  )
})

test('an id differs in every random part', () => {
  assert.equal(firstQuoteId(0, 0n), 'quote_00000000000000000000000000')
  assert.notEqual(firstQuoteId(1, 1n), firstQuoteId(1, 2n))
})

test("every id of an answer follows from the answer's number", () => {
  fc.assert(
    fc.property(moments, randoms, (moment, random) => {
      const first = firstQuoteId(moment, random)
      const ids = quoteIds(first, 16)
      assert.equal(first, ids[0])
      const start = random > 2n ** 80n - 16n ? 2n ** 80n - 16n : random
      assert.equal(quoteNumber(first), (BigInt(moment) << 80n) | start)
      assert.deepEqual(idsOfAnswer(quoteNumber(first)), ids)
    }),
  )
  const last = 2n ** 128n - 1n
  assert.deepEqual(idsOfAnswer(last).map(quoteNumber), [last])
})

test('other text is not an id', () => {
  for (const text of ['', 'quote_', 'quote_8zzzzzzzzzzzzzzzzzzzzzzzzz', `quote_${'0'.repeat(27)}`, 'QUOTE_0'])
    assert.equal(isQuoteId(text), false)
})
