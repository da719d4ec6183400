import type { ListedToken } from '@openrfq/sdk'

/** An owner's balance of a token in base units, read from a node. The libraries of a family are loaded when it is first used. */
export const readBalance = async (
  family: string | undefined,
  rpcUrl: string,
  { address: token, stellar }: ListedToken,
  owner: string,
): Promise<bigint> => {
  if (family === 'solana')
    return (await import('@openrfq/sdk/solana')).readSolanaBalance({ rpcUrl, token, owner })
  if (family === 'stellar')
    return (await import('@openrfq/sdk/stellar')).readStellarBalance({ rpcUrl, asset: stellar, owner })
  return (await import('@openrfq/sdk/evm')).readEvmBalance({ rpcUrl, token, owner })
}
