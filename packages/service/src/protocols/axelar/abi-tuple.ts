import { uintWord } from '../../chains/evm/abi-words.ts'

/** A field of ABI data: one static word, or the tail of a dynamic value. Digits without `0x`. */
type AbiField = { readonly word: string } | { readonly tail: string }

/**
 * Encodes fields as ABI data: heads, then tails in order, hex digits without `0x`. Source: Solidity ABI, `abi.encode`.
 */
export const encodeTuple = (fields: readonly AbiField[]): string => {
  let offset = BigInt(fields.length) * 32n
  let heads = ''
  let tails = ''
  for (const field of fields) {
    if ('word' in field) {
      heads += field.word
      continue
    }
    heads += uintWord(offset)
    tails += field.tail
    offset += BigInt(field.tail.length / 2)
  }
  return heads + tails
}
