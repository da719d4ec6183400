import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bytesToHex, getAddress, isAddress } from 'viem'
import { evmAddressRules } from './address.ts'

const { parseToken, parseSender, parseRecipient } = evmAddressRules
const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .filter((bytes) => bytes.some((byte) => byte !== 0))
  .map((bytes) => getAddress(bytesToHex(bytes)))
const ZERO = `0x${'0'.repeat(40)}`

test('EVM addresses match in any case and are returned in EIP-55', () => {
  fc.assert(
    fc.property(address, (checksummed) => {
      const digits = checksummed.slice(2)
      for (const text of [checksummed, checksummed.toLowerCase(), `0x${digits.toUpperCase()}`, checksummed])
        for (const parse of [parseToken, parseSender, parseRecipient]) assert.equal(parse(text), checksummed)
    }),
  )
})

test('rejects a mixed-case EVM address with a wrong checksum', () => {
  fc.assert(
    fc.property(address, fc.array(fc.boolean(), { minLength: 42, maxLength: 42 }), (checksummed, upper) => {
      const text = [...checksummed]
        .map((digit, position) =>
          position > 1 && upper[position] ? digit.toUpperCase() : digit.toLowerCase(),
        )
        .join('')
      const digits = text.slice(2)
      const isUniform = digits === digits.toLowerCase() || digits === digits.toUpperCase()
      assert.equal(parseSender(text) !== undefined, isUniform || isAddress(text))
    }),
  )
})

test('the zero address is the native token and never an account', () => {
  assert.equal(evmAddressRules.nativeToken('eip155:1'), ZERO)
  assert.equal(parseToken(ZERO), ZERO)
  assert.equal(parseSender(ZERO), undefined)
  assert.equal(parseRecipient(ZERO), undefined)
})

test('any other text is not an EVM address', () => {
  const wrong = [
    '',
    '0x',
    ZERO.slice(0, -1),
    `${ZERO}0`,
    ZERO.replace('0x', '0X'),
    ` ${ZERO}`,
    ZERO.slice(2),
    '1'.repeat(42),
  ]
  for (const text of wrong) assert.equal(parseToken(text), undefined, text)
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), (text) => {
      if (!/^0x[0-9a-fA-F]{40}$/.test(text)) assert.equal(parseToken(text), undefined)
    }),
  )
})
