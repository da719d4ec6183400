import { addressRulesOf } from '../chains/address-rules-of.ts'
import { PROGRAMS } from '../chains/solana/programs.ts'
import { contractIdOf } from '../chains/stellar/asset-contract.ts'
import type { NetworkToken } from '../core/network.ts'
import { hubLimitsOf, type RegistryRow, type RegistryToken, type Sources } from './sources.ts'
import type { SyncedChain } from './sync-chains.ts'

/** Classic assets of Stellar that the registry names by their contracts alone; the contract proves the issuer. */
const CLASSIC_ASSETS = [
  { code: 'SHX', issuer: 'GDSTRSHXHGJ7ZIVRBXEYE5Q74XUVCUSEKEBR7UCHEUUEK72N7I7KJ6JH' },
] as const

/** Bits of amounts on chains for which the hub keeps no limit. */
const ALL_BITS = 256

/** The canonical address of a token on a chain, which a source may write in any case; undefined if it is malformed. */
export const tokenAddressOf = ({ entry }: SyncedChain, text: string): string | undefined => {
  const { chainId, chainType, passphrase } = entry
  return addressRulesOf([{ chainId, passphrase }])[chainType].parseToken(text)
}

/**
 * The decimals of a row: its own where the registry has them. The hub deploys a token of a chain with larger amounts with the
 * decimals that it truncates to. Source: interchain-token-service (hub), `apply_to_token_deployment`.
 */
export const decimalsOf = (
  { config }: Sources,
  { decimals, tokenType, originAxelarChainId }: RegistryToken,
  row: RegistryRow,
): number => {
  if (row.decimals !== undefined) return row.decimals
  const chain = Object.values(config.chains).find(
    ({ axelarId }) => axelarId.toLowerCase() === row.axelarChainId.toLowerCase(),
  )
  const origin = Object.values(config.chains).find(
    ({ axelarId }) => axelarId.toLowerCase() === originAxelarChainId.toLowerCase(),
  )
  const limits = hubLimitsOf(config, chain?.axelarId ?? '')
  const originBits = hubLimitsOf(config, origin?.axelarId ?? '')?.maxUintBits ?? ALL_BITS
  const isTruncated =
    limits !== undefined && limits.maxUintBits < originBits && tokenType !== 'customInterchain'
  return isTruncated ? Math.min(decimals, limits.maxDecimalsWhenTruncating) : decimals
}

/** What only tokens of the chain's family have: a mint's program on Solana, a classic asset on Stellar. */
export const familyMembers = (
  { entry: { chainType, passphrase } }: SyncedChain,
  address: string,
  { tokenProgramId }: RegistryRow,
): Partial<Pick<NetworkToken, 'splProgram' | 'stellar'>> => {
  if (chainType === 'solana') return tokenProgramId === PROGRAMS.token2022 ? { splProgram: 'token-2022' } : {}
  if (chainType !== 'stellar') return {}
  const asset = CLASSIC_ASSETS.find((known) => contractIdOf(known, passphrase ?? '') === address)
  return asset === undefined ? {} : { stellar: asset }
}
