import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { firstQuoteId, quoteIds } from '../core/quote-id.ts'
import { bodyInBundle, decodeBundle, encodeBundle } from './quote-bundles.ts'
import { StoreError } from './store-error.ts'

const answer = fc
  .tuple(
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc.option(fc.integer({ min: 0, max: 2 ** 32 - 1 }), { nil: undefined }),
  )
  .map(([body, hash]) => ({ body, hash }))

test('answers survive a bundle unchanged, in their order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 128 }), async (answers) => {
      assert.deepEqual(await decodeBundle(await encodeBundle(answers)), answers)
    }),
  )
})

test('the answer of a quote is found at every place of a bundle, and no other', async () => {
  const ids = quoteIds(firstQuoteId(1_790_000_000_000, 5n), 8)
  const answers = ids.map((id) => ({ body: JSON.stringify([id, 'ü\n']), hash: 1 }))
  const row = await encodeBundle(answers.slice(1))
  const found = await Promise.all(ids.map((id) => bodyInBundle(row, id)))
  assert.deepEqual(found, [undefined, ...answers.slice(1).map(({ body }) => body)])
})

test('a damaged bundle is an error of the store', async () => {
  const { terms, body } = await encodeBundle([{ body: '[1]', hash: 7 }])
  for (const row of [undefined, {}, { terms }, { terms, body: 'text' }, { terms, body: body.subarray(2) }])
    await assert.rejects(
      decodeBundle(row),
      (error: unknown) => error instanceof StoreError && /damaged/.test(error.message),
    )
})
