import { keccakHex } from '../../chains/evm/keccak.ts'

/** Code hash of the contract through which CREATE3 deploys. Source: interchain-token-service Create3AddressFixed. */
const DEPLOYER_CODE_HASH = 'db4bab1640a2602c9f66f33765d12be4af115accf74b24515702961e82a71327'
const ADDRESS_DIGITS = 40

const addressOf = (...parts: readonly string[]): string =>
  keccakHex(Buffer.from(parts.join(''), 'hex')).slice(-ADDRESS_DIGITS)

/**
 * The address at which the Interchain Token Service deploys the token manager of a token id (32 bytes as hex), in lower
 * case. Source: InterchainTokenService 2.x `tokenManagerAddress`.
 */
export const tokenManagerAddress = (its: string, tokenId: string): string => {
  const deployer = addressOf('ff', its.slice(2), tokenId.slice(2), DEPLOYER_CODE_HASH)
  return `0x${addressOf('d694', deployer, '01')}`
}
