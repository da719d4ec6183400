import type { IssuedAsset, StellarAssetName, StellarAssets } from './stellar-asset.ts'
import { loadStellarSdk } from './stellar-node.ts'

/**
 * The token address (C…) of an issued asset on a network, whether its contract is deployed or not. Throws RangeError
 * for an invalid code or issuer.
 * @example
 * const usdc = await stellarTokenOf(
 *   { code: 'USDC', issuer: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN' },
 *   'Public Global Stellar Network ; September 2015',
 * )
 */
export const stellarTokenOf = async ({ code, issuer }: IssuedAsset, passphrase: string): Promise<string> => {
  const { Asset } = await loadStellarSdk()
  try {
    return new Asset(code, issuer).contractId(passphrase)
  } catch (cause) {
    const message = `not an asset of Stellar: "${code}:${issuer}"; expected a code of 1 to 12 letters and digits, and a G… issuer`
    throw new RangeError(message, { cause })
  }
}

/**
 * The asset of a token address (C…). The address is a hash, so it is compared with those of the native asset and of
 * each known asset. Undefined when none matches.
 * @example
 * const isNative = async (network: StellarAssets, token: string): Promise<boolean> => {
 *   const found = await findStellarAsset(network, token)
 *   return found !== undefined && found.asset === undefined
 * }
 */
export const findStellarAsset = async (
  { passphrase, assets }: StellarAssets,
  token: string,
): Promise<{ readonly asset: StellarAssetName } | undefined> => {
  const { Asset } = await loadStellarSdk()
  if (Asset.native().contractId(passphrase) === token) return { asset: undefined }
  for (const asset of assets) if ((await stellarTokenOf(asset, passphrase)) === token) return { asset }
  return undefined
}
