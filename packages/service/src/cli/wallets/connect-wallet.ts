import type { ChainNode } from './chain-node.ts'
import type { Wallets } from './execute.ts'

/** The wallet of one private key, as `execute` takes it, and its address. */
export type ConnectedWallet = { readonly address: string; readonly wallets: Wallets }

/**
 * Connects a private key to the chain behind the node. The key is in its family's text form: 0x and 64 hex digits,
 * base58 of 64 bytes, or S…. Throws RangeError for a key of another form, without repeating it.
 */
export const connectWallet = async (node: ChainNode, privateKey: string): Promise<ConnectedWallet> => {
  if (node.chainType === 'evm') {
    const { connectEvm } = await import('@openrfq/sdk/evm')
    const evm = connectEvm(privateKey, node.rpcUrl)
    return { address: evm.walletClient.account.address, wallets: { evm } }
  }
  if (node.chainType === 'solana') {
    const { connectSolana } = await import('@openrfq/sdk/solana')
    const solana = await connectSolana(privateKey, node.rpcUrl, node.subscriptionsUrl)
    return { address: solana.signer.address, wallets: { solana } }
  }
  const { connectStellar } = await import('@openrfq/sdk/stellar')
  const stellar = await connectStellar(privateKey, node)
  return { address: stellar.address, wallets: { stellar } }
}
