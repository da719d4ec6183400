import type { rpc } from '@stellar/stellar-sdk'

/** The Stellar SDK's module. */
export type StellarSdk = typeof import('@stellar/stellar-sdk')

const RPC_TIMEOUT_MS = 60_000

/** Loads the Stellar SDK at the first call, because importing it is slow. */
export const loadStellarSdk = (): Promise<StellarSdk> => import('@stellar/stellar-sdk')

/** The SDK's client of a node, with a deadline of a minute per call. */
export const connectNode = (sdk: StellarSdk, rpcUrl: string): rpc.Server =>
  new sdk.rpc.Server(rpcUrl, {
    allowHttp: new URL(rpcUrl).protocol === 'http:',
    timeout: RPC_TIMEOUT_MS,
  })
