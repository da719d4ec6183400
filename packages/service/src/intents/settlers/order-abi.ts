import { type ChainId, evmChainNumberOf } from '@openrfq/sdk'
import { keccak } from '../../chains/evm/keccak.ts'
import { isEvmAddress, isHash } from '../../core/hex.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import { createLru } from '../../lib/lru.ts'

/** `INTENT_ORDER_TYPEHASH` and `INTENT_DOMAIN_SEPARATOR` of contracts/intent/IntentOrder.sol, without `0x`. */
export const ORDER_TYPE_HASH = 'de021518800009aa023907fb6db1e6cac0cef03905a434c3bca4c65b81205118'
const DOMAIN_SEPARATOR = 'd916625e5532c2dc6f42da35cd76ae887a1ec5547a7be8de8dd4ad692417dfb7'

/** The number of 32-byte words, one per field, in the order's ABI encoding. */
export const ORDER_WORDS = 16

const WORD = 32
const MAX_UINT = (1n << 256n) - 1n
const CHAINS_KEPT = 1_000
const ACCOUNTS_KEPT = 20_000

/**
 * Buffers for the struct's hash and the order's id, reused for each order: quoting needs the words both as hex and
 * hashed, and fixed buffers cost less than joining and parsing text.
 */
const structBytes = Buffer.from(ORDER_TYPE_HASH + '00'.repeat(ORDER_WORDS * WORD), 'hex')
const words = structBytes.subarray(WORD)
const wordView = new DataView(words.buffer, words.byteOffset, words.byteLength)
const signedBytes = Buffer.from(`1901${DOMAIN_SEPARATOR}${'00'.repeat(WORD)}`, 'hex')
const STRUCT_HASH_AT = 2 + WORD

const chainBytes = createLru<ChainId, Uint8Array>(CHAINS_KEPT)
const accountBytes = createLru<string, Uint8Array>(ACCOUNTS_KEPT)

const encodeChain = (chain: ChainId): Uint8Array => {
  const known = chainBytes.get(chain)
  if (known !== undefined) return known
  const digits = evmChainNumberOf(chain).toString(16)
  const word = new Uint8Array(Buffer.from(digits.padStart(2 * WORD, '0'), 'hex'))
  chainBytes.set(chain, word)
  return word
}

/** The word of an address; cached, because orders repeat contracts, solvers and senders. */
const wordOfAccount = (address: string): Uint8Array => {
  const known = accountBytes.get(address)
  if (known !== undefined) return known
  if (!isEvmAddress(address)) throw new RangeError(`expected an address of 20 bytes: ${address}`)
  const word = new Uint8Array(Buffer.from(address.slice(2).padStart(2 * WORD, '0'), 'hex'))
  accountBytes.set(address, word)
  return word
}

const writeBytes32 = (hex: string, position: number): void => {
  if (!isHash(hex)) throw new RangeError(`expected 32 bytes as hex: ${hex}`)
  words.write(hex.slice(2), position * WORD, 'hex')
}

const writeUint = (value: bigint, position: number): void => {
  if (value < 0n || value > MAX_UINT) throw new RangeError(`expected an unsigned 256-bit integer: ${value}`)
  const at = position * WORD
  // Writes 64 bits at a time.
  wordView.setBigUint64(at, value >> 192n)
  wordView.setBigUint64(at + 8, value >> 128n)
  wordView.setBigUint64(at + 16, value >> 64n)
  wordView.setBigUint64(at + 24, value)
}

/** Writes the low 32 bits, which is the size of the contract's field; the bytes above stay zero. */
const writeSeconds = (seconds: number, position: number): void => {
  words.writeUInt32BE(seconds, position * WORD + WORD - 4)
}

const writeOrder = (order: IntentOrder): void => {
  words.set(wordOfAccount(order.depositor), 0)
  writeBytes32(order.salt, 1)
  words.set(encodeChain(order.originChain), 2 * WORD)
  words.set(wordOfAccount(order.originSettler), 3 * WORD)
  words.set(encodeChain(order.destinationChain), 4 * WORD)
  words.set(wordOfAccount(order.destinationSettler), 5 * WORD)
  writeSeconds(order.openDeadline, 6)
  writeSeconds(order.fillDeadline, 7)
  writeSeconds(order.refundAfter, 8)
  words.set(wordOfAccount(order.inputToken), 9 * WORD)
  writeUint(order.inputAmount, 10)
  words.set(wordOfAccount(order.outputToken), 11 * WORD)
  writeUint(order.outputAmount, 12)
  words.set(wordOfAccount(order.recipient), 13 * WORD)
  words.set(wordOfAccount(order.solver), 14 * WORD)
  words.set(wordOfAccount(order.filler), 15 * WORD)
}

const hashOf = (struct: Uint8Array): OrderId => {
  signedBytes.set(keccak(struct), STRUCT_HASH_AT)
  return `0x${Buffer.from(keccak(signedBytes)).toString('hex')}`
}

/** An ABI-encoded order, 16 words of hex without `0x`, and its EIP-712 hash, the order id on both chains. */
export type EncodedOrder = { readonly digits: string; readonly orderId: OrderId }

let last: { readonly order: IntentOrder; readonly encoded: EncodedOrder } | undefined

/**
 * Encodes an order. Caches the last result, because an id and a call are usually needed together. Throws RangeError for
 * an order that no contract accepts.
 */
export const encodeOrder = (order: IntentOrder): EncodedOrder => {
  if (last?.order === order) return last.encoded
  writeOrder(order)
  const encoded = { digits: words.toString('hex'), orderId: hashOf(structBytes) }
  last = { order, encoded }
  return encoded
}

/** The EIP-712 hash of an ABI-encoded order, 16 words of hex without `0x`. */
export const orderIdOfDigits = (digits: string): OrderId =>
  hashOf(Buffer.from(ORDER_TYPE_HASH + digits, 'hex'))
