import {
  type Account,
  createPublicClient,
  createWalletClient,
  http,
  type PublicClient,
  type Transport,
  type WalletClient,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { isEvmPrivateKey } from '../evm-private-key.ts'

const POLLING_MS = 500
const RPC_TIMEOUT_MS = 60_000

/** A viem client for reads through the RPC URL, each with a deadline of a minute. */
export const connectReader = (rpcUrl: string): PublicClient =>
  createPublicClient({
    transport: http(rpcUrl, { timeout: RPC_TIMEOUT_MS }),
    pollingInterval: POLLING_MS,
    cacheTime: 0,
  })

/**
 * Connects a private key (0x and 64 hex digits) to the chain at the RPC URL. Throws RangeError for any other text,
 * which the message does not repeat.
 * @example
 * const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
 * const start = (quote: Quote) => executeEvmQuote({ quote, ...connectEvm(key, 'http://127.0.0.1:8545') })
 */
export const connectEvm = (
  privateKey: string,
  rpcUrl: string,
): {
  readonly walletClient: WalletClient<Transport, undefined, Account>
  readonly publicClient: PublicClient
} => {
  if (!isEvmPrivateKey(privateKey))
    throw new RangeError(
      'an EVM private key is 0x and 64 hex digits, from 1 to the order of secp256k1 minus 1',
    )
  return {
    publicClient: connectReader(rpcUrl),
    walletClient: createWalletClient({
      account: privateKeyToAccount(privateKey),
      transport: http(rpcUrl, { timeout: RPC_TIMEOUT_MS }),
    }),
  }
}
