import {
  createKeyPairSignerFromBytes,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  getBase58Encoder,
  type KeyPairSigner,
  type Rpc,
  type RpcSubscriptions,
  type SolanaRpcApi,
  type SolanaRpcSubscriptionsApi,
  type TransactionModifyingSigner,
  type TransactionPartialSigner,
} from '@solana/kit'

/**
 * A signer and kit's clients of the cluster. A signer that can only send its own transactions does not fit.
 * @example
 * const walletOf = (signer: KeyPairSigner): SolanaWallet => ({
 *   signer,
 *   rpc: createSolanaRpc('https://api.mainnet-beta.solana.com'),
 *   rpcSubscriptions: createSolanaRpcSubscriptions('wss://api.mainnet-beta.solana.com'),
 * })
 */
export type SolanaWallet = {
  readonly signer: TransactionPartialSigner | TransactionModifyingSigner
  readonly rpc: Rpc<SolanaRpcApi>
  readonly rpcSubscriptions: RpcSubscriptions<SolanaRpcSubscriptionsApi>
}

/**
 * Connects a private key (base58 of 64 bytes, seed first) to the cluster at the RPC URL; subscriptions use the same URL
 * over WebSocket unless another is given. Throws RangeError for a key of another form, which the message does not
 * repeat.
 * @example
 * const start = async (quote: Quote, key: string) =>
 *   executeSolanaQuote({ quote, ...(await connectSolana(key, 'https://api.mainnet-beta.solana.com')) })
 */
export const connectSolana = async (
  privateKey: string,
  rpcUrl: string,
  subscriptionsUrl: string = rpcUrl.replace(/^http/, 'ws'),
): Promise<SolanaWallet> => ({
  signer: await signerOf(privateKey),
  rpc: createSolanaRpc(rpcUrl),
  rpcSubscriptions: createSolanaRpcSubscriptions(subscriptionsUrl),
})

const signerOf = async (privateKey: string): Promise<KeyPairSigner> => {
  try {
    return await createKeyPairSignerFromBytes(getBase58Encoder().encode(privateKey))
  } catch {
    throw new RangeError('a Solana private key is base58 text of 64 bytes')
  }
}
