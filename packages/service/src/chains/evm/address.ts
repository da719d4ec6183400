import { getAddress } from 'viem/utils'
import { isEvmAddress } from '../../core/hex.ts'
import { createLru } from '../../lib/lru.ts'
import type { AddressRules } from '../address-rules.ts'
import { canonicalMessageName } from '../message-id.ts'

/** The identifier of the native asset on every EVM chain. Source: interface "Native tokens". */
export const EVM_NATIVE_TOKEN = '0x0000000000000000000000000000000000000000'

const FORM = '0x and 40 hex digits, with the right EIP-55 checksum when the case is mixed'
const ACCOUNT = `${FORM}, not the zero address`
const CACHED_ADDRESSES = 50_000

const checksummed = createLru<string, string>(CACHED_ADDRESSES)

const withChecksum = (text: string): string => {
  const lower = text.toLowerCase()
  const known = checksummed.get(lower)
  if (known !== undefined) return known
  const address = getAddress(lower)
  checksummed.set(lower, address)
  return address
}

const parse = (text: string): string | undefined => {
  if (checksummed.get(text) === text) return text
  if (!isEvmAddress(text)) return undefined
  const address = withChecksum(text)
  const digits = text.slice(2)
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  if (isMixed && text !== address) return undefined
  checksummed.set(address, address)
  return address
}

const parseAccount = (text: string): string | undefined => {
  const address = parse(text)
  return address === EVM_NATIVE_TOKEN ? undefined : address
}

/** Contracts of the protocol itself, up to the pairing checks of BLS12-381. Source: EIP-2537. */
const PRECOMPILES = Array.from({ length: 0x11 }, (_, index) =>
  withChecksum(`0x${(index + 1).toString(16).padStart(40, '0')}`),
)

/**
 * EVM addresses: compared without case, returned in EIP-55; mixed case must carry a valid checksum. The zero address is
 * the native token and never an account. Source: EIP-55, interface "Native tokens".
 */
export const evmAddressRules: AddressRules = {
  chainType: 'evm',
  expected: { token: `${FORM}; the zero address is the native asset`, sender: ACCOUNT, recipient: ACCOUNT },
  parseToken: parse,
  parseSender: parseAccount,
  parseRecipient: parseAccount,
  holderOf: (address) => address,
  reserved: PRECOMPILES,
  holdingsOf: () => [],
  nativeToken: () => EVM_NATIVE_TOKEN,
  parseMessageId: canonicalMessageName,
}
