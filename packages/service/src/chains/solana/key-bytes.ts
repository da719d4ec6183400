import { decodeBase58 } from './base58.ts'

/** The length of every Solana address. */
export const SOLANA_KEY_BYTES = 32

/** The 32 bytes of an address. Throws RangeError for other text. */
export const solanaKeyBytes = (address: string): Uint8Array => {
  const bytes = decodeBase58(address)
  if (bytes?.length !== SOLANA_KEY_BYTES) throw new RangeError(`not a Solana address: ${address}`)
  return bytes
}
