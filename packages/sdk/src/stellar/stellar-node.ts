import type { Keypair, rpc } from '@stellar/stellar-sdk'

/** The whole Stellar SDK. */
export type StellarSdk = typeof import('@stellar/stellar-sdk')

const RPC_TIMEOUT_MS = 10_000

/** The Stellar SDK, loaded at the first call because that takes long, and its client of the node; each call has a deadline of 10 seconds. */
export const connectStellar = async (
  rpcUrl: string,
): Promise<{ readonly sdk: StellarSdk; readonly server: rpc.Server }> => {
  const sdk = await import('@stellar/stellar-sdk')
  const allowHttp = new URL(rpcUrl).protocol === 'http:'
  return { sdk, server: new sdk.rpc.Server(rpcUrl, { allowHttp, timeout: RPC_TIMEOUT_MS }) }
}

/** The key pair of a secret. Throws RangeError for a secret of another form, without repeating it. */
export const keypairOf = ({ StrKey, Keypair: Pair }: StellarSdk, secret: string): Keypair => {
  if (!StrKey.isValidEd25519SecretSeed(secret))
    throw new RangeError('a Stellar secret is S followed by 55 letters and digits')
  return Pair.fromSecret(secret)
}
