import { type ChainId, evmChainNumberOf } from '@openrfq/sdk'
import { isEvmAddress } from '../../core/hex.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import { memoize } from '../../lib/memoize.ts'
import { createStructWords } from './struct-words.ts'

/** `INTENT_ORDER_TYPEHASH` and `INTENT_DOMAIN_SEPARATOR` of contracts/intent/IntentOrder.sol, without `0x`. */
export const ORDER_TYPE_HASH = 'de021518800009aa023907fb6db1e6cac0cef03905a434c3bca4c65b81205118'
const DOMAIN_SEPARATOR = 'd916625e5532c2dc6f42da35cd76ae887a1ec5547a7be8de8dd4ad692417dfb7'

/** The number of 32-byte words, one per field, in the order's ABI encoding. */
export const ORDER_WORDS = 16

const WORD = 32
const CHAINS_KEPT = 1_000
const ACCOUNTS_KEPT = 20_000

const words = createStructWords({
  typeHash: ORDER_TYPE_HASH,
  domainSeparator: DOMAIN_SEPARATOR,
  wordCount: ORDER_WORDS,
})

const wordOf = (digits: string): Uint8Array =>
  new Uint8Array(Buffer.from(digits.padStart(2 * WORD, '0'), 'hex'))

const encodeChain = memoize(CHAINS_KEPT, (chain: ChainId) => wordOf(evmChainNumberOf(chain).toString(16)))

/** The word of an address; remembered, because orders repeat contracts, solvers and senders. */
const wordOfAccount = memoize(ACCOUNTS_KEPT, (address: string) => {
  if (!isEvmAddress(address)) throw new RangeError(`expected an address of 20 bytes: ${address}`)
  return wordOf(address.slice(2))
})

const writeOrder = (order: IntentOrder): void => {
  words.setBytes(0, wordOfAccount(order.depositor))
  words.setHash(1, order.salt)
  words.setBytes(2, encodeChain(order.originChain))
  words.setBytes(3, wordOfAccount(order.originSettler))
  words.setBytes(4, encodeChain(order.destinationChain))
  words.setBytes(5, wordOfAccount(order.destinationSettler))
  words.setSeconds(6, order.openDeadline)
  words.setSeconds(7, order.fillDeadline)
  words.setSeconds(8, order.refundAfter)
  words.setBytes(9, wordOfAccount(order.inputToken))
  words.setUint(10, order.inputAmount)
  words.setBytes(11, wordOfAccount(order.outputToken))
  words.setUint(12, order.outputAmount)
  words.setBytes(13, wordOfAccount(order.recipient))
  words.setBytes(14, wordOfAccount(order.solver))
  words.setBytes(15, wordOfAccount(order.filler))
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
  const encoded = { digits: words.digits(), orderId: words.hash() }
  last = { order, encoded }
  return encoded
}

/** The EIP-712 hash of an ABI-encoded order, 16 words of hex without `0x`. */
export const orderIdOfDigits = (digits: string): OrderId => words.hashOf(digits)
