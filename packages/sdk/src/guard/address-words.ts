import { chainTypeOf } from '../wire/chain-id.ts'

/** An account or token as orders name it: 64 hex digits, and what of a Stellar recipient does not fit into them. */
export type AddressWord = { readonly digits: string; readonly tag: bigint }

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const WORD_DIGITS = 64
const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/
const SOLANA_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
const STELLAR_ADDRESS = /^([GC][A-Z2-7]{55}|M[A-Z2-7]{68})$/
/** The tag of a contract among Stellar recipients: after those of all ids of muxed accounts. */
const CONTRACT_TAG = (1n << 64n) + 1n

/** The number that a text writes with the digits of an alphabet. */
const numberOf = (text: string, alphabet: string): bigint =>
  [...text].reduce((sum, letter) => sum * BigInt(alphabet.length) + BigInt(alphabet.indexOf(letter)), 0n)

const untagged = (digits: string): AddressWord => ({ digits: digits.padStart(WORD_DIGITS, '0'), tag: 0n })

const stellarWord = (text: string): AddressWord => {
  // After the byte of the kind: 32 bytes of key, those of a muxed account's id, two of checksum.
  const isMuxed = text.startsWith('M')
  const bits = numberOf(text, BASE32) >> (isMuxed ? 1n : 0n)
  const payload = (bits >> 16n) & ((1n << (isMuxed ? 320n : 256n)) - 1n)
  if (isMuxed) return { ...untagged((payload >> 64n).toString(16)), tag: (payload & ((1n << 64n) - 1n)) + 1n }
  return { ...untagged(payload.toString(16)), tag: text.startsWith('C') ? CONTRACT_TAG : 0n }
}

/**
 * An address of a chain as orders name it; undefined when it is none. The checksum of a Stellar address is not checked. Tokens
 * of Stellar, which are contracts, have no tag.
 */
export const addressWord = (
  chain: string,
  text: string,
  role: 'account' | 'token' = 'account',
): AddressWord | undefined => {
  const family = chainTypeOf(chain)
  if (family === 'evm') return EVM_ADDRESS.test(text) ? untagged(text.slice(2).toLowerCase()) : undefined
  if (family === 'solana')
    return SOLANA_ADDRESS.test(text) ? untagged(numberOf(text, BASE58).toString(16)) : undefined
  if (family !== 'stellar' || !STELLAR_ADDRESS.test(text)) return undefined
  const word = stellarWord(text)
  return role === 'token' ? untagged(word.digits) : word
}

/** The 64-bit id of a muxed Stellar address (M…); undefined for any other text. */
export const muxedIdOf = (text: string): bigint | undefined =>
  text.startsWith('M') && STELLAR_ADDRESS.test(text) ? stellarWord(text).tag - 1n : undefined

/**
 * A recipient as the token service of its chain reads it in Axelar's messages, as `0x` hex: the address of an EVM account, the 32
 * bytes of a Solana one, the text of any other. In another form the transfer could never be received.
 */
export const recipientBytes = (chain: string, recipient: string): string => {
  const family = chainTypeOf(chain)
  if (family === 'evm') return recipient.toLowerCase()
  const key = family === 'solana' ? addressWord(chain, recipient)?.digits : undefined
  const text = [...new TextEncoder().encode(recipient)].map((byte) => byte.toString(16).padStart(2, '0'))
  return `0x${key ?? text.join('')}`
}
