/**
 * An issued asset of a Stellar network: its code of 1 to 12 characters and its issuer (G…).
 * @example
 * const usdc: IssuedAsset = { code: 'USDC', issuer: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN' }
 */
export type IssuedAsset = { readonly code: string; readonly issuer: string }

/**
 * An asset of a Stellar network; undefined is the native one.
 * @example
 * const textOf = (asset: StellarAssetName): string => (asset === undefined ? 'XLM' : `${asset.code}:${asset.issuer}`)
 */
export type StellarAssetName = IssuedAsset | undefined

/**
 * A Stellar network's passphrase and its known issued assets; the native asset is always known.
 * @example
 * const pubnet: StellarAssets = {
 *   passphrase: 'Public Global Stellar Network ; September 2015',
 *   assets: [{ code: 'USDC', issuer: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN' }],
 * }
 */
export type StellarAssets = { readonly passphrase: string; readonly assets: readonly IssuedAsset[] }

/** Decimals of every asset on Stellar. */
export const STELLAR_DECIMALS = 7

/** The public network's passphrase, which its signatures cover. Source: Stellar documentation "Networks". */
export const PUBLIC_PASSPHRASE = 'Public Global Stellar Network ; September 2015'

const PASSPHRASES: ReadonlyMap<string, string> = new Map([
  ['stellar:pubnet', PUBLIC_PASSPHRASE],
  ['stellar:testnet', 'Test SDF Network ; September 2015'],
])

/**
 * The passphrase of a Stellar network by its CAIP-2 identifier; undefined for private networks.
 * @example
 * const passphrase = passphraseOf('stellar:pubnet')
 */
export const passphraseOf = (chainId: string): string | undefined => PASSPHRASES.get(chainId)
