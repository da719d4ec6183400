import { type ChainId, evmChainNumberOf } from '@openrfq/sdk'
import { addressWord } from '../../chains/evm/abi-words.ts'
import { keccak, keccakHex } from '../../chains/evm/keccak.ts'
import { isEvmAddress } from '../../core/hex.ts'
import type { IntentOrder, OrderId, ProvenTerms } from '../../core/intent-order.ts'
import { memoize } from '../../lib/memoize.ts'
import { foldedName } from '../../protocols/axelar/folded-name.ts'
import { createStructWords } from './struct-words.ts'

/** `INTENT_ORDER_TYPEHASH` of contracts/settlers/IntentOrder.sol, without `0x`. */
export const ORDER_TYPE_HASH = '145ab7a212c6ff6a72169d7c881f79104ec750257276352367993f2e46795bb8'
/** EIP-712 type, name and version of an IntentSettler's domain, each hashed; its address follows. */
const DOMAIN =
  '91ab3d17e3a50a9d89e63fd30b92be7f5336b03b287bb946787a83a9d62a2766' +
  '4b57ee17c13c66b0368e3cce1f387956d63bba9d43ed75f7b76d3678defa629e' +
  'ad7c5bef027816a800da1736444fb58a807ef4c9603b7848673f7e3a68eb14a5'

/** The number of 32-byte words, one per field, in the order's ABI encoding. */
export const ORDER_WORDS = 18

/** Word index of each field in the struct. */
export const WORD_OF = {
  depositor: 0,
  salt: 1,
  originChain: 2,
  destinationChain: 3,
  destinationName: 4,
  openDeadline: 5,
  exclusiveUntil: 6,
  fillDeadline: 7,
  refundAfter: 8,
  inputToken: 9,
  inputAmount: 10,
  outputToken: 11,
  outputAmount: 12,
  recipient: 13,
  solver: 14,
  filler: 15,
  integrator: 16,
  integratorFee: 17,
} as const

const WORD = 32
const CHAINS_KEPT = 1_000
const ACCOUNTS_KEPT = 20_000
const SETTLERS_KEPT = 100

const words = createStructWords({ typeHash: ORDER_TYPE_HASH, wordCount: ORDER_WORDS })

const wordOf = (digits: string): Uint8Array =>
  new Uint8Array(Buffer.from(digits.padStart(2 * WORD, '0'), 'hex'))

const encodeChain = memoize(CHAINS_KEPT, (chain: ChainId) => wordOf(evmChainNumberOf(chain).toString(16)))

/** The word of an address; remembered, because orders repeat contracts, solvers and senders. */
const wordOfAccount = memoize(ACCOUNTS_KEPT, (address: string) => {
  if (!isEvmAddress(address)) throw new RangeError(`expected an address of 20 bytes: ${address}`)
  return wordOf(address.slice(2))
})

const domainOf = memoize(SETTLERS_KEPT, (settler: string) =>
  keccak(Buffer.from(DOMAIN + addressWord(settler), 'hex')),
)

const chainNameWord = memoize(CHAINS_KEPT, (name: string) => wordOf(foldedName(name).slice(2)))

const writeOrder = (order: IntentOrder, proven: ProvenTerms): void => {
  words.setBytes(WORD_OF.depositor, wordOfAccount(order.depositor))
  words.setHash(WORD_OF.salt, order.salt)
  words.setBytes(WORD_OF.originChain, encodeChain(order.originChain))
  words.setBytes(WORD_OF.destinationChain, encodeChain(order.destinationChain))
  words.setBytes(WORD_OF.destinationName, chainNameWord(proven.destinationName))
  words.setSeconds(WORD_OF.openDeadline, order.openDeadline)
  words.setSeconds(WORD_OF.exclusiveUntil, proven.exclusiveUntil)
  words.setSeconds(WORD_OF.fillDeadline, order.fillDeadline)
  words.setSeconds(WORD_OF.refundAfter, order.refundAfter)
  words.setBytes(WORD_OF.inputToken, wordOfAccount(order.inputToken))
  words.setUint(WORD_OF.inputAmount, order.inputAmount)
  words.setBytes(WORD_OF.outputToken, wordOfAccount(order.outputToken))
  words.setUint(WORD_OF.outputAmount, order.outputAmount)
  words.setBytes(WORD_OF.recipient, wordOfAccount(order.recipient))
  words.setBytes(WORD_OF.solver, wordOfAccount(order.solver))
  words.setBytes(WORD_OF.filler, wordOfAccount(order.filler))
  words.setBytes(WORD_OF.integrator, wordOfAccount(proven.integrator))
  words.setUint(WORD_OF.integratorFee, proven.integratorFee)
}

/** An ABI-encoded order, hex without `0x`, and its id on both chains. */
export type EncodedOrder = { readonly digits: string; readonly orderId: OrderId }

/** `digest`: the EIP-712 hash, 32 bytes of hex without `0x`, which a proof carries. */
type EncodedProvenOrder = EncodedOrder & { readonly digest: string }

const idOf = (destinationName: string, digest: string): OrderId =>
  `0x${keccakHex(Buffer.from(destinationName + digest, 'hex'))}`

let last: { readonly order: IntentOrder; readonly encoded: EncodedProvenOrder } | undefined

/**
 * Encodes an order between two EVM chains: 18 words. Caches the last result, because an id and a call are usually needed
 * together. Throws RangeError for an order that no contract accepts, and for one of two settlers with different addresses.
 */
export const encodeOrder = (order: IntentOrder): EncodedProvenOrder => {
  if (last?.order === order) return last.encoded
  const { proven, originSettler, destinationSettler } = order
  if (proven === undefined) throw new RangeError('expected an order between two EVM chains')
  if (originSettler.toLowerCase() !== destinationSettler.toLowerCase())
    throw new RangeError(`expected the settler ${originSettler} on both chains: ${destinationSettler}`)
  writeOrder(order, proven)
  const digest = words.hash(domainOf(originSettler))
  const name = Buffer.from(chainNameWord(proven.destinationName)).toString('hex')
  const encoded = { digits: words.digits(), digest, orderId: idOf(name, digest) }
  last = { order, encoded }
  return encoded
}

/** The id of an ABI-encoded order, 18 words of hex without `0x`, of a settler. */
export const orderIdOfDigits = (settler: string, digits: string): OrderId => {
  const start = WORD_OF.destinationName * 2 * WORD
  return idOf(digits.slice(start, start + 2 * WORD), words.hashOf(digits, domainOf(settler)))
}
