import type { ChainId } from '@openrfq/sdk'

/** The key of a token in maps: chain and canonical address, which never contain a space. */
export const tokenKey = ({
  chainId,
  address,
}: {
  readonly chainId: ChainId
  readonly address: string
}): string => `${chainId} ${address}`
