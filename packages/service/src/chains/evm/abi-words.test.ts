import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bytesToHex, encodeAbiParameters, type Hex, parseAbiParameters } from 'viem'
import {
  addressAt,
  addressWord,
  bytes32Word,
  bytesAt,
  bytesTail,
  stringAt,
  stringTail,
  uintAt,
  uintWord,
  wordAt,
} from './abi-words.ts'

const uint = fc.bigInt({ min: 0n, max: (1n << 256n) - 1n })
const bytes = (limits: fc.IntArrayConstraints): fc.Arbitrary<Hex> =>
  fc.uint8Array(limits).map((value) => bytesToHex(value))
const address = bytes({ minLength: 20, maxLength: 20 })
const text = fc.string({ unit: 'grapheme', maxLength: 80 })

/** The arguments `(string,string,string,uint256)` by hand, as a backend prepares calldata. */
const fourArguments = (chain: string, recipient: string, symbol: string, amount: bigint): string => {
  const tails = [stringTail(chain), stringTail(recipient), stringTail(symbol)] as const
  const first = 4 * 32
  const second = first + tails[0].length / 2
  const third = second + tails[1].length / 2
  return (
    [first, second, third].map((offset) => uintWord(BigInt(offset))).join('') +
    uintWord(amount) +
    tails.join('')
  )
}

test('writes the words of the ABI encoding', () => {
  fc.assert(
    fc.property(uint, address, bytes({ minLength: 32, maxLength: 32 }), (value, account, word) => {
      const expected = encodeAbiParameters(parseAbiParameters('uint256,address,bytes32'), [
        value,
        account,
        word,
      ])
      assert.equal(`0x${uintWord(value)}${addressWord(account)}${bytes32Word(word)}`, expected)
    }),
  )
})

test('writes the tails of bytes and strings of the ABI encoding', () => {
  fc.assert(
    fc.property(text, bytes({ maxLength: 100 }), (words, blob) => {
      assert.equal(
        `0x${uintWord(32n)}${stringTail(words)}`,
        encodeAbiParameters(parseAbiParameters('string'), [words]),
      )
      assert.equal(
        `0x${uintWord(32n)}${bytesTail(blob)}`,
        encodeAbiParameters(parseAbiParameters('bytes'), [blob]),
      )
    }),
  )
})

test('composes calldata of several dynamic arguments', () => {
  fc.assert(
    fc.property(text, text, text, uint, (chain, recipient, symbol, amount) => {
      assert.equal(
        `0x${fourArguments(chain, recipient, symbol, amount)}`,
        encodeAbiParameters(parseAbiParameters('string,string,string,uint256'), [
          chain,
          recipient,
          symbol,
          amount,
        ]),
      )
    }),
  )
})

test('reads back what the ABI encoding wrote', () => {
  fc.assert(
    fc.property(uint, address, text, bytes({ maxLength: 100 }), (value, account, words, blob) => {
      const hex = encodeAbiParameters(parseAbiParameters('uint256,address,string,bytes'), [
        value,
        account,
        words,
        blob,
      ])
      assert.equal(uintAt(hex, 0), value)
      assert.equal(wordAt(hex, 0), uintWord(value))
      assert.equal(addressAt(hex, 1), account)
      assert.equal(stringAt(hex, 2), words)
      assert.equal(bytesAt(hex, 3), blob)
    }),
  )
})

test('returns undefined for data without such a value, and never throws', () => {
  fc.assert(
    fc.property(bytes({ maxLength: 200 }), fc.nat(8), (hex, position) => {
      const blob = bytesAt(hex, position)
      assert.ok(blob === undefined || blob.length <= hex.length)
      stringAt(hex, position)
      addressAt(hex, position)
      if ((hex.length - 2) / 2 < (position + 1) * 32) assert.equal(uintAt(hex, position), undefined)
    }),
  )
  assert.equal(bytesAt(`0x${uintWord(32n)}${uintWord(1n)}`, 0), undefined)
  assert.equal(bytesAt(`0x${uintWord(64n)}`, 0), undefined)
  assert.equal(addressAt(`0x${'1'.repeat(64)}`, 0), undefined)
  assert.equal(stringAt(`0x${uintWord(32n)}${bytesTail('0xff')}`, 0), undefined)
})

test('rejects values that no word can hold', () => {
  assert.throws(() => uintWord(-1n), RangeError)
  assert.throws(() => uintWord(1n << 256n), RangeError)
  assert.throws(() => addressWord('0x12'), RangeError)
  assert.throws(() => addressWord(`0x${'g'.repeat(40)}`), RangeError)
  assert.throws(() => bytes32Word('0x12'), RangeError)
  assert.throws(() => bytesTail('0x123'), RangeError)
})
