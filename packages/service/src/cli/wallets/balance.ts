import type { EvmBalanceQuery } from '@openrfq/sdk/evm'
import { findStellarAsset } from '@openrfq/sdk/stellar'
import type { ChainNode } from './chain-node.ts'

/**
 * Reads the newest balance of a token, native or not, in base units; 0 if the owner holds none. Throws RangeError for a
 * Stellar token that is not a known asset, and the family library's errors if the node does not answer.
 */
export const readBalance = async (
  node: ChainNode,
  { token, owner }: Omit<EvmBalanceQuery, 'rpcUrl'>,
): Promise<bigint> => {
  const { chainType, rpcUrl } = node
  if (chainType === 'evm') {
    const { readEvmBalance } = await import('@openrfq/sdk/evm')
    return readEvmBalance({ rpcUrl, token, owner })
  }
  if (chainType === 'solana') {
    const { readSolanaBalance } = await import('@openrfq/sdk/solana')
    return readSolanaBalance({ rpcUrl, token, owner })
  }
  const found = await findStellarAsset(node, token)
  if (found === undefined)
    throw new RangeError(`no known asset of "${node.passphrase}" has the token ${token}`)
  const { readStellarBalance } = await import('@openrfq/sdk/stellar')
  return readStellarBalance({ rpcUrl, asset: found.asset, owner })
}
