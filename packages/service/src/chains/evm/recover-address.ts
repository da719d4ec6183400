import { type RecoveryIdType, recover } from 'tiny-secp256k1'
import { keccak } from './keccak.ts'

const NUMBERS_BYTES = 64
/** How the last byte of a signature names the parity of its point. Source: yellow paper, appendix F. */
const RECOVERY_IDS: ReadonlyMap<number, RecoveryIdType> = new Map([
  [0, 0],
  [1, 1],
  [27, 0],
  [28, 1],
])

/**
 * The address (lower-case) whose key signed a hash of 32 bytes, from 65 bytes of signature as `0x` hex; undefined for
 * what is no signature. In WebAssembly, which takes a seventh of the time that JavaScript takes: a solver's prices are
 * checked on the thread that answers quotes.
 */
export const recoverAddress = (hash: Uint8Array, signature: string): string | undefined => {
  const bytes = Buffer.from(signature.slice(2), 'hex')
  const recoveryId = RECOVERY_IDS.get(bytes[NUMBERS_BYTES] ?? -1)
  if (recoveryId === undefined || signature.length !== 2 + 2 * (NUMBERS_BYTES + 1)) return undefined
  try {
    const point = recover(hash, bytes.subarray(0, NUMBERS_BYTES), recoveryId)
    // The first byte says that both coordinates follow.
    return point === null
      ? undefined
      : `0x${Buffer.from(keccak(point.subarray(1)).subarray(-20)).toString('hex')}`
  } catch {
    // A number is outside the order of the curve.
    return undefined
  }
}
