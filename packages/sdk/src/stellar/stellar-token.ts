import type { IssuedAsset, StellarAssetName, StellarAssets } from './stellar-asset.ts'

const loadAsset = async () => (await import('@stellar/stellar-sdk')).Asset

/** The token (C…) of an issued asset on a network, deployed or not. Throws RangeError for a code or an issuer of another form. */
export const stellarTokenOf = async ({ code, issuer }: IssuedAsset, passphrase: string): Promise<string> => {
  const Asset = await loadAsset()
  try {
    return new Asset(code, issuer).contractId(passphrase)
  } catch (cause) {
    const message = `not an asset of Stellar: "${code}:${issuer}"; expected a code of 1 to 12 letters and digits, and a G… issuer`
    throw new RangeError(message, { cause })
  }
}

/**
 * What the asset of a token (C…) is called: a token's address is a hash, so it is compared with that of the native asset
 * and of each known one. Undefined when it is none of them.
 */
export const findStellarAsset = async (
  { passphrase, assets }: StellarAssets,
  token: string,
): Promise<{ readonly asset: StellarAssetName } | undefined> => {
  const Asset = await loadAsset()
  if (Asset.native().contractId(passphrase) === token) return { asset: undefined }
  for (const asset of assets) if ((await stellarTokenOf(asset, passphrase)) === token) return { asset }
  return undefined
}
