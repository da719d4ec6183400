import { type ChainId, evmChainNumberOf } from '@openrfq/sdk'
import { bytes32Word, uintWord } from '../../chains/evm/abi-words.ts'
import { keccak } from '../../chains/evm/keccak.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import { encodeAddress } from './address-codec.ts'

/** `FILL_TYPEHASH` of contracts/settlers/AttestedOrder.sol, without `0x`. */
const FILL_TYPE_HASH = '978a6df1a6570b455910eaf4f1ace1153bb5455a05ae1bf38073565ea726384c'

/** The hashes of the EIP-712 domain's type, the settler's name, and the version `2`. */
const DOMAIN_HEAD =
  '8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f' +
  'c3518121e8ec84e47d4f7287b7c6db9fd88a69ee0564d73961309ec081fe869e' +
  'ad7c5bef027816a800da1736444fb58a807ef4c9603b7848673f7e3a68eb14a5'

/** The EIP-712 domain `{name: "OpenRFQ Escrow", version: "2"}` of the escrow program on Solana, hashed. */
const ESCROW_DOMAIN_SEPARATOR = 'efc8fda48ac8427b661f4366538b4a047297ef8786e8f84f8d728dc5b84859df'

const hash = (digits: string): string => Buffer.from(keccak(Buffer.from(digits, 'hex'))).toString('hex')

/** An order whose solver is to be repaid. */
type RepaidOrder = Pick<IntentOrder, 'originChain' | 'originSettler' | 'solver'>

/**
 * The digest that an attester signs to release an order from an AttestedSettler: the EIP-712 hash of `Fill(bytes32 orderId,
 * bytes32 repayTo, bytes32 transaction)` as `0x` hex, with the order's solver to be repaid. `transaction` is the filling
 * transaction, 32 bytes as `0x` hex. Throws RangeError for a non-EVM origin or other malformed input. Source:
 * contracts/settlers.
 */
export const fillDigest = (order: RepaidOrder, orderId: OrderId, transaction: string): `0x${string}` => {
  const { originChain, originSettler } = order
  const domainSeparator = hash(
    DOMAIN_HEAD + uintWord(evmChainNumberOf(originChain)) + accountWord(originChain, originSettler),
  )
  return digestOf(domainSeparator, order, orderId, transaction)
}

/**
 * The digest that an attester signs to release an order from the escrow program on Solana, of the same struct. Its domain
 * names no chain and no program, because the order's id covers both. Throws RangeError for malformed input. Source:
 * contracts/solana.
 */
export const escrowFillDigest = (order: RepaidOrder, orderId: OrderId, transaction: string): `0x${string}` =>
  digestOf(ESCROW_DOMAIN_SEPARATOR, order, orderId, transaction)

/** Who is repaid for a fill of an attested order, its solver, as 32 bytes of `0x` hex. Throws RangeError for no account. */
export const repayTo = ({ originChain, solver }: Pick<IntentOrder, 'originChain' | 'solver'>): string =>
  `0x${accountWord(originChain, solver)}`

const accountWord = (chain: ChainId, account: string): string =>
  Buffer.from(encodeAddress(chain, 'account', account).bytes).toString('hex')

const digestOf = (
  domainSeparator: string,
  order: RepaidOrder,
  orderId: OrderId,
  transaction: string,
): `0x${string}` => {
  const words = [orderId, repayTo(order), transaction].map(bytes32Word)
  const structHash = hash(FILL_TYPE_HASH + words.join(''))
  return `0x${hash(`1901${domainSeparator}${structHash}`)}`
}
