import { ConfigError } from '../../core/config-error.ts'
import { contractIdOf, type StellarAsset } from './asset-contract.ts'

/** The part of a catalogue token that a Stellar client needs. */
export type StellarToken = {
  readonly address: string
  readonly stellar?: { readonly code: string; readonly issuer: string } | undefined
}

/** The classic asset behind a token address; throws RangeError for a token without one. */
export type AssetOfToken = (token: string) => StellarAsset

/**
 * Maps configured tokens to classic assets; the native one follows from the network's passphrase. Throws `ConfigError` for a
 * token whose code and issuer belong to another contract, so that a configuration error is found at start. Source:
 * CAP-46-6.
 */
export const createTokenAssets = (passphrase: string, tokens: readonly StellarToken[]): AssetOfToken => {
  const assets = new Map<string, StellarAsset>([[contractIdOf('native', passphrase), 'native']])
  for (const { address, stellar } of tokens) {
    if (stellar === undefined) continue
    const contract = contractIdOf(stellar, passphrase)
    if (contract !== address)
      throw new ConfigError(
        `token ${address}: ${stellar.code} of ${stellar.issuer} has the contract ${contract}`,
      )
    assets.set(address, stellar)
  }
  return (token) => {
    const asset = assets.get(token)
    if (asset === undefined) throw new RangeError(`token ${token} has no asset of the ledger configured`)
    return asset
  }
}
