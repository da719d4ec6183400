import type { StellarAssets } from './stellar-asset.ts'
import { loadStellarSdk } from './stellar-node.ts'
import type { StellarWallet } from './stellar-wallet.ts'

/**
 * Connects a secret (S…) to the network at the RPC URL. Throws RangeError for a secret of another form, which the
 * message does not repeat.
 * @example
 * const start = async (quote: Quote, secret: string) => {
 *   const network = { rpcUrl: 'https://rpc.example', passphrase: 'Test SDF Network ; September 2015', assets: [] }
 *   return executeStellarQuote({ quote, ...(await connectStellar(secret, network)) })
 * }
 */
export const connectStellar = async (
  secret: string,
  { rpcUrl, passphrase, assets }: StellarAssets & { readonly rpcUrl: string },
): Promise<StellarWallet> => {
  const { StrKey, Keypair, TransactionBuilder } = await loadStellarSdk()
  if (!StrKey.isValidEd25519SecretSeed(secret))
    throw new RangeError('a Stellar secret is S followed by 55 letters and digits')
  const keypair = Keypair.fromSecret(secret)
  return {
    address: keypair.publicKey(),
    signTransaction: async (xdr, { networkPassphrase }) => {
      const transaction = TransactionBuilder.fromXDR(xdr, networkPassphrase)
      transaction.sign(keypair)
      return { signedTxXdr: transaction.toXDR() }
    },
    rpcUrl,
    passphrase,
    assets,
  }
}
