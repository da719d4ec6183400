import { type ChainId, evmChainNumberOf } from '@openrfq/sdk'
import { bytes32Word, uintWord } from '../../chains/evm/abi-words.ts'
import { keccak } from '../../chains/evm/keccak.ts'
import type { OrderId } from '../../core/intent-order.ts'
import { encodeAddress } from './address-codec.ts'

/** `FILL_TYPEHASH` of contracts/attested/AttestedOrder.sol, without `0x`. */
const FILL_TYPE_HASH = 'a51da23dc3db048d581866f0754bd6b4bf6ef4e9318ad0e19e3636efdf2c6470'

/** The hashes of the EIP-712 domain's type, the settler's name, and the version `1`. */
const DOMAIN_HEAD =
  '8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f' +
  'c3518121e8ec84e47d4f7287b7c6db9fd88a69ee0564d73961309ec081fe869e' +
  'c89efdaa54c0f20c7adf612882df0950f5a951637e0307cdcb4c672f298b8bc6'

/** The EIP-712 domain `{name: "OpenRFQ Escrow", version: "1"}` of the escrow program on Solana, hashed. */
const ESCROW_DOMAIN_SEPARATOR = '2d4d8f9be5d9a097ce0a08d4c4c3006e9ea703c71408b9461c030375ed365be0'

const hash = (digits: string): string => Buffer.from(keccak(Buffer.from(digits, 'hex'))).toString('hex')

/** The AttestedSettler that holds an escrow: its EVM chain and address. */
type Escrow = { readonly chain: ChainId; readonly settler: string }

/**
 * The digest that an attester signs to release an order from a settler: the EIP-712 hash of `Fill(bytes32 orderId,
 * bytes32 transaction)` as `0x` hex. `transaction` is the filling transaction, 32 bytes as `0x` hex. Throws RangeError
 * for a non-EVM chain or other malformed input. Source: contracts/attested.
 */
export const fillDigest = (
  { chain, settler }: Escrow,
  orderId: OrderId,
  transaction: string,
): `0x${string}` => {
  const address = Buffer.from(encodeAddress(chain, 'account', settler).bytes).toString('hex')
  const domainSeparator = hash(DOMAIN_HEAD + uintWord(evmChainNumberOf(chain)) + address)
  return digestOf(domainSeparator, orderId, transaction)
}

/**
 * The digest that an attester signs to release an order from the escrow program on Solana. Its domain names no chain and no
 * program, because the order's id covers both. Throws RangeError for malformed input. Source: contracts/solana.
 */
export const escrowFillDigest = (orderId: OrderId, transaction: string): `0x${string}` =>
  digestOf(ESCROW_DOMAIN_SEPARATOR, orderId, transaction)

const digestOf = (domainSeparator: string, orderId: OrderId, transaction: string): `0x${string}` => {
  const structHash = hash(FILL_TYPE_HASH + bytes32Word(orderId) + bytes32Word(transaction))
  return `0x${hash(`1901${domainSeparator}${structHash}`)}`
}
