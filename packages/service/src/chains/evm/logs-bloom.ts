import type { EvmLogFilter } from './evm-chain.ts'
import { keccak } from './keccak.ts'

const BLOOM_BITS = 2_048

/** Whether all three bits of an item are set. Source: Ethereum Yellow Paper, section 4.4.1. */
const mayHold = (bloom: Uint8Array, item: string): boolean => {
  const hash = keccak(Buffer.from(item.slice(2), 'hex'))
  return [0, 2, 4].every((at) => {
    const bit = (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) % BLOOM_BITS
    const byte = bloom[bloom.length - 1 - Math.floor(bit / 8)] ?? 0
    return ((byte >> (bit % 8)) & 1) === 1
  })
}

/** Whether a block with this `logsBloom`, 256 bytes as hex, may hold a log that the filter matches; false is certain. */
export const mayHoldLogs = (logsBloom: string, { addresses, topics0 }: EvmLogFilter): boolean => {
  const bloom = Buffer.from(logsBloom.slice(2), 'hex')
  const isIn = (item: string): boolean => mayHold(bloom, item)
  return addresses.some(isIn) && topics0.some(isIn)
}
