import {
  address,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  getTransactionDecoder,
  getTransactionEncoder,
  type Transaction,
  type TransactionModifyingSigner,
} from '@solana/kit'
import { ExecutionError } from '../execute/execution-error.ts'
import type { SolanaWallet } from './connect-solana.ts'

/**
 * The parts of a wallet in the browser that are used. Source: Wallet Standard, and its features for Solana.
 * @example
 * const canSign = ({ features }: StandardWallet): boolean => 'solana:signTransaction' in features
 */
export type StandardWallet = {
  readonly name: string
  readonly chains: readonly string[]
  readonly features: Readonly<Record<string, unknown>>
}

/**
 * An account that such a wallet shows once it is connected.
 * @example
 * const isOnSolana = ({ chains }: StandardAccount): boolean => chains.some((chain) => chain.startsWith('solana:'))
 */
export type StandardAccount = { readonly address: string; readonly chains: readonly string[] }

/** How a wallet signs one transaction, in the network's bytes. */
type SignTransaction = (input: {
  readonly account: StandardAccount
  readonly transaction: Uint8Array
  readonly chain?: string
}) => Promise<readonly { readonly signedTransaction: Uint8Array }[]>

const SIGN = 'solana:signTransaction'

/** Names of the public clusters in the Wallet Standard, by CAIP-2 identifier. */
const CLUSTERS: ReadonlyMap<string, string> = new Map([
  ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'solana:mainnet'],
  ['solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', 'solana:devnet'],
  ['solana:4uhcVJyU9pJkvQyS88uRdiswHScNpYg1', 'solana:testnet'],
])
const PRIVATE_CLUSTER = 'solana:localnet'

const signingOf = ({ name, features }: StandardWallet): SignTransaction => {
  const { signTransaction, supportedTransactionVersions } = Object(features[SIGN])
  const versions: readonly unknown[] = Array.isArray(supportedTransactionVersions)
    ? supportedTransactionVersions
    : []
  if (typeof signTransaction === 'function' && versions.includes(0)) return (input) => signTransaction(input)
  throw new ExecutionError('unsupported', `${name} signs no transactions of version 0`)
}

type Signed = Awaited<ReturnType<TransactionModifyingSigner['modifyAndSignTransactions']>>[number]

/** The signature of a wallet, which may add instructions of its own, such as guards for its owner. */
const signerOf = (
  account: StandardAccount,
  sign: SignTransaction,
  chain: string | undefined,
): TransactionModifyingSigner => ({
  address: address(account.address),
  modifyAndSignTransactions: async (transactions) => {
    const signed: Signed[] = []
    for (const transaction of transactions) {
      const bytes = new Uint8Array(getTransactionEncoder().encode(transaction))
      const input = { account, transaction: bytes, ...(chain === undefined ? {} : { chain }) }
      const [answer] = await sign(input)
      const decoded: Transaction = getTransactionDecoder().decode(
        answer?.signedTransaction ?? new Uint8Array(),
      )
      // CAST: the wallet signs the transaction of this lifetime; its size is checked before it is sent.
      signed.push({ ...transaction, ...decoded } as Signed)
    }
    return signed
  },
})

/**
 * Connects an account of a wallet in the browser to a cluster (CAIP-2) at the RPC URL; subscriptions use the same URL over WebSocket
 * unless another is given. The wallet signs, and the transaction is sent through the RPC URL. Throws ExecutionError
 * `unsupported` for a wallet that signs no transactions of version 0 or is not for the public cluster.
 * @example
 * const walletOf = (wallet: StandardWallet, account: StandardAccount): SolanaWallet =>
 *   connectSolanaWallet(wallet, account, {
 *     chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
 *     rpcUrl: 'https://api.mainnet-beta.solana.com',
 *   })
 */
export const connectSolanaWallet = (
  wallet: StandardWallet,
  account: StandardAccount,
  {
    chainId,
    rpcUrl,
    subscriptionsUrl = rpcUrl.replace(/^http/, 'ws'),
  }: { readonly chainId: string; readonly rpcUrl: string; readonly subscriptionsUrl?: string | undefined },
): SolanaWallet => {
  const sign = signingOf(wallet)
  const cluster = CLUSTERS.get(chainId) ?? PRIVATE_CLUSTER
  const isListed = wallet.chains.includes(cluster)
  if (!isListed && cluster !== PRIVATE_CLUSTER)
    throw new ExecutionError('unsupported', `${wallet.name} is not for ${cluster}`)
  return {
    signer: signerOf(account, sign, isListed ? cluster : undefined),
    rpc: createSolanaRpc(rpcUrl),
    rpcSubscriptions: createSolanaRpcSubscriptions(subscriptionsUrl),
  }
}
