import type { ChainId } from '@openrfq/sdk'
import type { Decline } from '../core/offer.ts'
import type { Carriage } from '../protocols/axelar/carriage.ts'
import { unpriced } from './decline.ts'

/** Why Axelar takes no messages of one of the EVM chains now; undefined if it takes those of all. What cannot be read is not carried. */
export const whyNotCarried = async (
  carriage: Pick<Carriage, 'read'> | undefined,
  chainIds: readonly ChainId[],
): Promise<Decline | undefined> => {
  const carried = await Promise.all(chainIds.map((chainId) => carriage?.read(chainId)))
  const missing = chainIds.find((_, position) => carried[position] === false)
  if (missing !== undefined) return unpriced(`Axelar carries no messages of ${missing} now`)
  return carried.includes(undefined) ? unpriced('what Axelar carries cannot be read') : undefined
}
