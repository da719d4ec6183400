import type { ChainId } from '@openrfq/sdk'
import { createPairKeys } from './pair-key.ts'

const keyOf = createPairKeys()

/** The key of a token in maps: chain and canonical address, which never contain a space. */
export const tokenKey = ({
  chainId,
  address,
}: {
  readonly chainId: ChainId
  readonly address: string
}): string => keyOf(chainId, address)
