import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base58 } from '@scure/base'
import fc from 'fast-check'
import { decodeBase58 } from './base58.ts'

test('decodes what another library encodes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat({ max: 5 }), (bytes, zeros) => {
      const all = Uint8Array.from([...new Uint8Array(zeros), ...bytes])
      assert.deepEqual(decodeBase58(base58.encode(all)), all)
    }),
  )
})

test('decodes as many bytes as one program may pass to another', () => {
  const text = 'z'.repeat(13_983)
  const value = 58n ** BigInt(text.length) - 1n
  const bytes = decodeBase58(text)
  assert.equal(
    Buffer.from(bytes ?? [])
      .toString('hex')
      .replace(/^0/, ''),
    value.toString(16),
  )
  assert.equal(bytes?.length, 10_240)
})

test('refuses characters outside the alphabet and text that no instruction can hold', () => {
  for (const text of ['0', 'O', 'I', 'l', 'abc ', 'ä', '11+', 'z'.repeat(16_385)])
    assert.equal(decodeBase58(text), undefined, text.slice(0, 10))
})
