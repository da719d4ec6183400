import { decodeAbiParameters, parseAbiParameters } from 'viem'
import type { Hex } from '../deployment-types.ts'

const TRANSFER = 0n
const RECEIVE_FROM_HUB = 4n
const WRAPPED = parseAbiParameters('uint256, string, bytes')
const TRANSFER_PARAMETERS = parseAbiParameters('uint256, bytes32, bytes, bytes, uint256, bytes')

/** A transfer as the hub delivers it; addresses as the bytes that each chain decodes. */
export type DeliveredTransfer = {
  readonly sourceChain: string
  readonly tokenId: Hex
  readonly sender: Hex
  readonly recipient: Hex
  readonly amount: bigint
}

/** The transfer in the hub's payload; undefined for another payload, or one that calls its recipient. */
export const deliveredTransfer = (payload: Hex): DeliveredTransfer | undefined => {
  try {
    const [outer, sourceChain, inner] = decodeAbiParameters(WRAPPED, payload)
    if (outer !== RECEIVE_FROM_HUB) return undefined
    const [kind, tokenId, sender, recipient, amount, text] = decodeAbiParameters(TRANSFER_PARAMETERS, inner)
    if (kind !== TRANSFER || text !== '0x') return undefined
    return { sourceChain, tokenId, sender, recipient, amount }
  } catch {
    return undefined
  }
}
