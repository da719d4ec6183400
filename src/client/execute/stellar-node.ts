import type { rpc } from '@stellar/stellar-sdk'

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
