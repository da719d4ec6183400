import { evmChainNumberOf } from '@openrfq/sdk'
import { addressWord, bytes32Word, bytesTail, stringTail, uintWord } from '../../chains/evm/abi-words.ts'
import { EVM_NATIVE_TOKEN } from '../../chains/evm/address.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import { ATTESTED_ORDER_WORDS, encodeAttestedOrder } from './attested-order.ts'
import { encodeOrder, ORDER_TYPE_HASH, ORDER_WORDS } from './order-abi.ts'

/** A call to the order's settler: calldata as `0x` hex and native value in wei. */
export type SettlerCall = { readonly data: string; readonly value: bigint }

const OPEN = '0xe917a962'
const OPEN_FOR = '0x844fac8e'
const FILL = '0x82e2c43f'
const PROVE = '0x215a0a65'
const CLAIM = '0x40a89ccb'
const REFUND = '0x33d620d3'

/** Functions of AttestedSettler, for orders that name an attester. */
const ATTESTED = {
  open: '0xefe16e13',
  fill: '0xdb7f869b',
  release: '0x630a55dc',
  refund: '0x138f31a6',
} as const

const ORDER_LENGTH = uintWord(BigInt(ORDER_WORDS * 32))
const OPEN_HEAD = OPEN + uintWord(32n)
const OPEN_OFFSET = uintWord(96n)

const isAttested = ({ attester }: IntentOrder): boolean => attester !== undefined

/** Calldata of a function whose first argument is an attested order; further ones follow. */
const attestedData = (selector: string, order: IntentOrder): string =>
  selector + encodeAttestedOrder(order).digits

/** Offset of the signature: after the order, the transaction, the offset itself and the payee. */
const RELEASE_SIGNATURE_OFFSET = uintWord(32n * BigInt(ATTESTED_ORDER_WORDS + 3))
/** No filler: the order's solver is repaid. */
const NOBODY = uintWord(0n)

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

/** Offsets of the arguments of `openFor`, and within its first one of the order's words. */
const OPEN_FOR_HEAD = OPEN_FOR + uintWord(96n)
const WRAPPED_ORDER_OFFSET = uintWord(256n)
/** The words of the first argument: eight, the order's length, and the order. */
const WRAPPED_WORDS = BigInt(9 + ORDER_WORDS)

/**
 * `openFor`: anybody escrows the input of an order between EVM chains by its depositor's permission, `0x` hex. Source:
 * ERC-7683, contracts/settlers/Permissions.sol.
 */
export const openForCall = (order: IntentOrder, permission: string): SettlerCall => {
  const wrapped = orderBytes(order)
  const given = bytesTail(permission)
  const givenAt = 96n + 32n * WRAPPED_WORDS
  return {
    data:
      OPEN_FOR_HEAD +
      uintWord(givenAt) +
      uintWord(givenAt + BigInt(given.length / 2)) +
      addressWord(order.originSettler) +
      addressWord(order.depositor) +
      bytes32Word(order.salt) +
      uintWord(evmChainNumberOf(order.originChain)) +
      uintWord(BigInt(order.openDeadline)) +
      uintWord(BigInt(order.fillDeadline)) +
      ORDER_TYPE_HASH +
      WRAPPED_ORDER_OFFSET +
      wrapped +
      given +
      bytesTail('0x'),
    value: 0n,
  }
}

/**
 * `fill`: the filler pays the recipient; a token needs an approval of the settler first. Between two EVM chains another
 * account than the order's filler names the account on the origin that is repaid. Source: ERC-7683.
 */
export const fillCall = (order: IntentOrder, repayTo?: string): SettlerCall => {
  const value = nativeValue(order.outputToken, order.outputAmount)
  if (isAttested(order)) return { data: attestedData(ATTESTED.fill, order) + NOBODY, value }
  const originData = orderBytes(order)
  return {
    data:
      FILL +
      bytes32Word(orderIdOf(order)) +
      uintWord(96n) +
      uintWord(96n + BigInt(originData.length / 2)) +
      originData +
      bytesTail(repayTo === undefined ? '0x' : `0x${addressWord(repayTo)}`),
    value,
  }
}

/**
 * `prove`: sends proofs of at most 100 filled orders through Axelar to their origin chain. `originName` is Axelar's
 * case-exact name of that chain; `relayFee` in wei pays for the relay.
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
    addressWord(order.solver) +
    bytesTail(signature),
  value: 0n,
})

/**
 * `refund`: pays the whole input to the depositor. Anybody may once `refundAfter` has passed on the origin chain. The solver
 * may until `exclusiveUntil`, which declines the order; that of an attested order is its fill deadline.
 */
export const refundCall = (order: IntentOrder): SettlerCall => ({
  data:
    (isAttested(order) ? attestedData(ATTESTED.refund, order) : REFUND + orderWords(order)) +
    addressWord(order.depositor),
  value: 0n,
})
