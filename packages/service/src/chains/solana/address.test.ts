import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getAddressDecoder, isAddress } from '@solana/kit'
import fc from 'fast-check'
import { solanaAddressRules } from './address.ts'

const { parseToken, parseSender, parseRecipient } = solanaAddressRules
const decoder = getAddressDecoder()
const NATIVE = '1'.repeat(32)
const key = fc
  .tuple(fc.nat(32), fc.uint8Array({ minLength: 32, maxLength: 32 }))
  .map(([zeroes, bytes]) => bytes.map((byte, position) => (position < zeroes ? 0 : byte)))

test('accepts the base58 text of any 32 bytes, on or off the curve', () => {
  fc.assert(
    fc.property(key, (bytes) => {
      const text: string = decoder.decode(bytes)
      assert.equal(parseToken(text), text)
      const account = text === NATIVE ? undefined : text
      assert.equal(parseSender(text), account)
      assert.equal(parseRecipient(text), account)
    }),
  )
})

test('agrees with the Solana SDK on any other text', () => {
  const base58 = [...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz']
  const texts = fc.oneof(
    fc.string({ unit: fc.constantFrom(...base58), minLength: 30, maxLength: 46 }),
    fc.string({ unit: fc.constantFrom('1', 'z'), minLength: 30, maxLength: 46 }),
    fc.string({ maxLength: 50 }),
  )
  fc.assert(
    fc.property(texts, (text) => {
      assert.equal(parseToken(text) !== undefined, isAddress(text))
    }),
    { numRuns: 2_000 },
  )
})

test('the all-zero key is native SOL and never an account', () => {
  assert.equal(solanaAddressRules.nativeToken('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'), NATIVE)
  assert.equal(parseToken(NATIVE), NATIVE)
  assert.equal(parseSender(NATIVE), undefined)
  assert.equal(parseRecipient(NATIVE), undefined)
})

test('reserved accounts are addresses of programs and system variables', () => {
  const { reserved, parseRecipient } = solanaAddressRules
  for (const account of reserved) assert.equal(parseRecipient(account), account)
  assert.ok(reserved.includes('SysvarC1ock11111111111111111111111111111111'))
})
