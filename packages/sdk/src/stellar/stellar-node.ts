import type { rpc } from '@stellar/stellar-sdk'

/** The whole Stellar SDK. */
export type StellarSdk = typeof import('@stellar/stellar-sdk')

const RPC_TIMEOUT_MS = 10_000

/** The Stellar SDK; loaded at the first call, because that takes long. */
export const loadStellarSdk = (): Promise<StellarSdk> => import('@stellar/stellar-sdk')

/** The SDK's client of a node; each call has a deadline of 10 seconds. */
export const connectNode = (sdk: StellarSdk, rpcUrl: string): rpc.Server =>
  new sdk.rpc.Server(rpcUrl, {
    allowHttp: new URL(rpcUrl).protocol === 'http:',
    timeout: RPC_TIMEOUT_MS,
  })
