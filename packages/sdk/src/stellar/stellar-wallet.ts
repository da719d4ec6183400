import type { StellarAssets } from './stellar-asset.ts'

/**
 * A Stellar wallet: its account (G…), its signing function, its RPC URL, the network's passphrase, and the assets that
 * quotes may ask for, because a token's address is a hash that reveals neither code nor issuer. `signTransaction` is
 * that of SEP-43 wallets.
 * @example
 * // With `signTransaction` of @stellar/freighter-api or of any other SEP-43 wallet:
 * const walletOf = (address: string, signTransaction: StellarWallet['signTransaction']): StellarWallet => ({
 *   address,
 *   signTransaction,
 *   rpcUrl: 'https://rpc.example',
 *   passphrase: 'Public Global Stellar Network ; September 2015',
 *   assets: [{ code: 'USDC', issuer: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN' }],
 * })
 */
export type StellarWallet = StellarAssets & {
  readonly address: string
  readonly signTransaction: (
    xdr: string,
    options: { readonly networkPassphrase: string; readonly address: string },
  ) => Promise<{ readonly signedTxXdr: string; readonly error?: { readonly message: string } }>
  readonly rpcUrl: string
}
