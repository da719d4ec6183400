import type { ChainId } from '@openrfq/sdk'
import { addressAt, uintAt, wordAt } from '../../chains/evm/abi-words.ts'
import { evmAddressRules } from '../../chains/evm/address.ts'
import { keccak } from '../../chains/evm/keccak.ts'
import { baseUnits } from '../../core/amount.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import { memoize } from '../../lib/memoize.ts'
import { type AddressRole, decodeAddress, encodeAddress } from './address-codec.ts'
import type { EncodedOrder } from './order-abi.ts'
import { createStructWords } from './struct-words.ts'

/** `ATTESTED_ORDER_TYPEHASH` and the domain of order ids of contracts/settlers/AttestedOrder.sol, without `0x`. */
const TYPE_HASH = '38aafe69c735db4a12f1aa129ccfbb83cf67838b7d696d95f2929770ab7a651c'
const DOMAIN_SEPARATOR = Buffer.from(
  'e8562823d49f9f9b07b84631e2641b71daa6adc64aa1114d6380fb750bd893b3',
  'hex',
)

const WORD = 32
/** The number of 32-byte words, one per field, in the order's ABI encoding. */
export const ATTESTED_ORDER_WORDS = 21
const MAX_SECONDS = 0xffff_ffffn
const CHAINS_KEPT = 1_000

/** Word index of each field in the struct. */
export const WORD_OF = {
  salt: 0,
  originChain: 1,
  originSettler: 2,
  depositor: 3,
  inputToken: 4,
  inputAmount: 5,
  destinationChain: 6,
  destinationSettler: 7,
  outputToken: 8,
  outputAmount: 9,
  recipient: 10,
  recipientTag: 11,
  solver: 12,
  filler: 13,
  openDeadline: 14,
  exclusiveUntil: 15,
  fillDeadline: 16,
  refundAfter: 17,
  attester: 18,
  integrator: 19,
  integratorFee: 20,
} as const

/** Orders are the filler's alone to their last second, and without an integrator's fee; those words stay zero. */
const words = createStructWords({ typeHash: TYPE_HASH, wordCount: ATTESTED_ORDER_WORDS })

const hashOfChain = memoize(CHAINS_KEPT, (chain: ChainId) => keccak(Buffer.from(chain)))

const writeAccount = (chain: ChainId, role: AddressRole, text: string, position: number): void =>
  words.setBytes(position, encodeAddress(chain, role, text).bytes)

const writeOrder = (order: IntentOrder, attester: string): void => {
  const { originChain: origin, destinationChain: destination } = order
  words.setHash(WORD_OF.salt, order.salt)
  words.setBytes(WORD_OF.originChain, hashOfChain(origin))
  writeAccount(origin, 'account', order.originSettler, WORD_OF.originSettler)
  writeAccount(origin, 'account', order.depositor, WORD_OF.depositor)
  writeAccount(origin, 'token', order.inputToken, WORD_OF.inputToken)
  words.setUint(WORD_OF.inputAmount, order.inputAmount)
  words.setBytes(WORD_OF.destinationChain, hashOfChain(destination))
  writeAccount(destination, 'account', order.destinationSettler, WORD_OF.destinationSettler)
  writeAccount(destination, 'token', order.outputToken, WORD_OF.outputToken)
  words.setUint(WORD_OF.outputAmount, order.outputAmount)
  const recipient = encodeAddress(destination, 'recipient', order.recipient)
  words.setBytes(WORD_OF.recipient, recipient.bytes)
  words.setUint(WORD_OF.recipientTag, recipient.tag)
  writeAccount(origin, 'account', order.solver, WORD_OF.solver)
  writeAccount(destination, 'account', order.filler, WORD_OF.filler)
  words.setSeconds(WORD_OF.openDeadline, order.openDeadline)
  words.setSeconds(WORD_OF.exclusiveUntil, order.fillDeadline)
  words.setSeconds(WORD_OF.fillDeadline, order.fillDeadline)
  words.setSeconds(WORD_OF.refundAfter, order.refundAfter)
  words.setBytes(WORD_OF.attester, encodeAddress('eip155:1', 'account', attester).bytes)
}

let last: { readonly order: IntentOrder; readonly encoded: EncodedOrder } | undefined

/**
 * Encodes an order that names an attester: 21 words of hex without `0x`, and its EIP-712 hash. Its filler alone may fill,
 * to the fill deadline, and no integrator earns a fee. Caches the last result, because an id and a call are usually needed
 * together. Throws RangeError for an order that no contract accepts.
 */
export const encodeAttestedOrder = (order: IntentOrder): EncodedOrder => {
  if (last?.order === order) return last.encoded
  if (order.attester === undefined) throw new RangeError('expected an order that names an attester')
  writeOrder(order, order.attester)
  const encoded: EncodedOrder = { digits: words.digits(), orderId: `0x${words.hash(DOMAIN_SEPARATOR)}` }
  last = { order, encoded }
  return encoded
}

/** Chains by their name in attested orders: 64 hex digits of the hash of their identifier. */
export type NamedChains = ReadonlyMap<string, ChainId>

/** The chains that attested orders can be decoded for; a hash does not reveal any other chain. */
export const nameChains = (chains: Iterable<ChainId>): NamedChains =>
  new Map([...chains].map((chain) => [Buffer.from(hashOfChain(chain)).toString('hex'), chain]))

const bytesAt = (hex: string, position: number): Uint8Array => Buffer.from(wordAt(hex, position) ?? '', 'hex')

const secondsAt = (hex: string, position: number): number => {
  const seconds = uintAt(hex, position) ?? 0n
  return seconds > MAX_SECONDS ? 0 : Number(seconds)
}

/** An address that is invalid on its chain becomes empty, which cannot be encoded again. */
const readOrder = (hex: string, origin: ChainId, destination: ChainId): IntentOrder => {
  const text = (chain: ChainId, role: AddressRole, position: number, tag = 0n): string =>
    decodeAddress(chain, role, { bytes: bytesAt(hex, position), tag }) ?? ''
  return {
    depositor: text(origin, 'account', WORD_OF.depositor),
    salt: `0x${wordAt(hex, WORD_OF.salt) ?? ''}`,
    originChain: origin,
    originSettler: text(origin, 'account', WORD_OF.originSettler),
    destinationChain: destination,
    destinationSettler: text(destination, 'account', WORD_OF.destinationSettler),
    openDeadline: secondsAt(hex, WORD_OF.openDeadline),
    fillDeadline: secondsAt(hex, WORD_OF.fillDeadline),
    refundAfter: secondsAt(hex, WORD_OF.refundAfter),
    inputToken: text(origin, 'token', WORD_OF.inputToken),
    inputAmount: baseUnits(uintAt(hex, WORD_OF.inputAmount) ?? 0n),
    outputToken: text(destination, 'token', WORD_OF.outputToken),
    outputAmount: baseUnits(uintAt(hex, WORD_OF.outputAmount) ?? 0n),
    recipient: text(destination, 'recipient', WORD_OF.recipient, uintAt(hex, WORD_OF.recipientTag) ?? 0n),
    solver: text(origin, 'account', WORD_OF.solver),
    filler: text(destination, 'account', WORD_OF.filler),
    attester: evmAddressRules.parseToken(addressAt(hex, WORD_OF.attester) ?? '') ?? '',
  }
}

const hasWords = (order: IntentOrder, digits: string): boolean => {
  try {
    return encodeAttestedOrder(order).digits === digits
  } catch {
    // Some word is not a valid value of its field.
    return false
  }
}

/**
 * Decodes the order with an id from 21 words of `0x` hex; undefined if they have another id, if a word is not a valid
 * value of its field, if strangers may fill the order or an integrator earns a fee, or if a chain is not among the named ones.
 */
export const decodeAttestedOrder = (
  hex: string,
  orderId: OrderId,
  chains: NamedChains,
): IntentOrder | undefined => {
  if (hex.length !== 2 + ATTESTED_ORDER_WORDS * WORD * 2) return undefined
  const digits = hex.slice(2)
  if (`0x${words.hashOf(digits, DOMAIN_SEPARATOR)}` !== orderId) return undefined
  const [origin, destination] = [WORD_OF.originChain, WORD_OF.destinationChain].map((position) =>
    chains.get(wordAt(hex, position) ?? ''),
  )
  if (origin === undefined || destination === undefined) return undefined
  const order = readOrder(hex, origin, destination)
  return hasWords(order, digits) ? order : undefined
}
