import type { ListedToken } from '@openrfq/sdk'
import type { IssuedAsset } from '@openrfq/sdk/stellar'
import { stellarTokenOf } from '@openrfq/sdk/stellar'
import { type Catalogue, findChain, findToken } from './catalogue.ts'
import { type FindSandbox, stellarAssetsOf } from './chain-node.ts'
import { UsageError } from './usage-error.ts'

/** Parses an asset in the notation of Stellar wallets, `CODE:ISSUER`; undefined for other text. */
export const parseAssetName = (text: string): IssuedAsset | undefined => {
  const [, code, issuer] = /^([0-9A-Za-z]{1,12}):(G[A-Z2-7]{55})$/.exec(text) ?? []
  return code === undefined || issuer === undefined ? undefined : { code, issuer }
}

/**
 * The listed token with this name on a chain: its symbol, its address, or, on Stellar, `CODE:ISSUER`. Throws
 * UNSUPPORTED_* errors and UsageError.
 */
export const namedToken = async (
  catalogue: Catalogue,
  { chainId, name }: { readonly chainId: string; readonly name: string },
  findSandbox: FindSandbox,
): Promise<ListedToken> => {
  const asset = findChain(catalogue, chainId).chainType === 'stellar' ? parseAssetName(name) : undefined
  if (asset === undefined) return findToken(catalogue, chainId, name)
  const network = await stellarAssetsOf(chainId, [], findSandbox)
  if (network === undefined)
    throw new UsageError(
      `the network passphrase of ${chainId} is not known here; name the token by its address`,
    )
  return findToken(catalogue, chainId, await tokenOf(asset, network.passphrase))
}

const tokenOf = async (asset: IssuedAsset, passphrase: string): Promise<string> => {
  try {
    return await stellarTokenOf(asset, passphrase)
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error
  }
}
