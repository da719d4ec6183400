import { addressWord, bytes32Word, bytesTail, stringTail, uintWord } from '../../chains/evm/abi-words.ts'
import { EVM_NATIVE_TOKEN } from '../../chains/evm/address.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import { encodeAttestedOrder } from './attested-order.ts'
import { encodeOrder, ORDER_TYPE_HASH, ORDER_WORDS } from './order-abi.ts'

/** A call to the order's settler: calldata as `0x` hex and native value in wei. */
export type SettlerCall = { readonly data: string; readonly value: bigint }

const OPEN = '0xe917a962'
const FILL = '0x82e2c43f'
const PROVE = '0x215a0a65'
const CLAIM = '0x40a89ccb'
const REFUND = '0x33d620d3'

/** Functions of AttestedSettler, for orders that name an attester. */
const ATTESTED = {
  open: '0xbae79ed9',
  fill: '0x6a86ce33',
  release: '0x9750b487',
  decline: '0xce8fc207',
  refund: '0x076c0bfa',
} as const

const ORDER_LENGTH = uintWord(BigInt(ORDER_WORDS * 32))
const OPEN_HEAD = OPEN + uintWord(32n)
const OPEN_OFFSET = uintWord(96n)

const isAttested = ({ attester }: IntentOrder): boolean => attester !== undefined

/** Calldata of a function whose only argument is an attested order. */
const attestedData = (selector: string, order: IntentOrder): string =>
  selector + encodeAttestedOrder(order).digits

/** Offset of the signature: after an order of 18 words, the transaction and the offset itself. */
const RELEASE_SIGNATURE_OFFSET = uintWord(20n * 32n)
/** The ABI-encoded order: 18 words without `0x`. */
const orderWords = (order: IntentOrder): string => encodeOrder(order).digits

/** The order as a `bytes` argument: its length and its words. */
const orderBytes = (order: IntentOrder): string => ORDER_LENGTH + orderWords(order)

/** The order's id on both chains, for orders of either kind. Throws RangeError for an order that no contract accepts. */
export const orderIdOf = (order: IntentOrder): OrderId =>
  (isAttested(order) ? encodeAttestedOrder(order) : encodeOrder(order)).orderId

const nativeValue = (token: string, amount: bigint): bigint => (token === EVM_NATIVE_TOKEN ? amount : 0n)

/** `open`: the depositor escrows the input; a token needs an approval of the settler first. Source: ERC-7683. */
export const openCall = (order: IntentOrder): SettlerCall => ({
  data: isAttested(order)
    ? attestedData(ATTESTED.open, order)
    : OPEN_HEAD + uintWord(BigInt(order.fillDeadline)) + ORDER_TYPE_HASH + OPEN_OFFSET + orderBytes(order),
  value: nativeValue(order.inputToken, order.inputAmount),
})

/** `fill`: the filler pays the recipient; a token needs an approval of the settler first. Source: ERC-7683. */
export const fillCall = (order: IntentOrder): SettlerCall => {
  const value = nativeValue(order.outputToken, order.outputAmount)
  if (isAttested(order)) return { data: attestedData(ATTESTED.fill, order), value }
  const originData = orderBytes(order)
  return {
    data:
      FILL +
      bytes32Word(orderIdOf(order)) +
      uintWord(96n) +
      uintWord(96n + BigInt(originData.length / 2)) +
      originData +
      bytesTail('0x'),
    value,
  }
}

/**
 * `prove`: sends proofs of at most 100 filled orders through Axelar to their origin chain, of which `originName` is Axelar's
 * case-exact name; `relayFee` in wei pays for the relay.
 */
export const proveCall = (orders: readonly IntentOrder[], originName: string, relayFee = 0n): SettlerCall => {
  const digests = orders.map((order) => encodeOrder(order).digest).join('')
  return {
    data:
      PROVE +
      uintWord(64n) +
      uintWord(96n + 32n * BigInt(orders.length)) +
      uintWord(BigInt(orders.length)) +
      digests +
      stringTail(originName),
    value: relayFee,
  }
}

/** `claim`: pays the escrows of proven orders of one payee and one token to the payee. */
export const claimCall = (orders: readonly IntentOrder[], payee: string): SettlerCall => ({
  data:
    CLAIM +
    uintWord(64n) +
    addressWord(payee) +
    uintWord(BigInt(orders.length)) +
    orders.map(orderWords).join(''),
  value: 0n,
})

/**
 * `release`: anybody may have the solver of an attested order paid, with the attester's signature (65 bytes as `0x`
 * hex) of `fillDigest` for the filling transaction, 32 bytes as `0x` hex.
 */
export const releaseCall = (order: IntentOrder, transaction: string, signature: string): SettlerCall => ({
  data:
    attestedData(ATTESTED.release, order) +
    bytes32Word(transaction) +
    RELEASE_SIGNATURE_OFFSET +
    bytesTail(signature),
  value: 0n,
})

/** Refunds the depositor of an order between EVM chains. */
const toDepositor = (order: IntentOrder): string => REFUND + orderWords(order) + addressWord(order.depositor)

/**
 * The order's solver gives it up, which refunds the depositor immediately; between two EVM chains only until
 * `exclusiveUntil`.
 */
export const declineCall = (order: IntentOrder): SettlerCall => ({
  data: isAttested(order) ? attestedData(ATTESTED.decline, order) : toDepositor(order),
  value: 0n,
})

/** `refund`: anybody may have the depositor refunded once `refundAfter` has passed on the origin chain. */
export const refundCall = (order: IntentOrder): SettlerCall => ({
  data: isAttested(order) ? attestedData(ATTESTED.refund, order) : toDepositor(order),
  value: 0n,
})
