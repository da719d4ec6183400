import { type RecoveryIdType, recover } from 'tiny-secp256k1'
import { keccakHex } from './keccak.ts'

const NUMBERS_BYTES = 64
const ADDRESS_DIGITS = 40
/** Parity of the point by the last byte of a signature. Source: yellow paper, appendix F. */
const RECOVERY_IDS: ReadonlyMap<number, RecoveryIdType> = new Map([
  [0, 0],
  [1, 1],
  [27, 0],
  [28, 1],
])

/**
 * Recovers the lower-case address that signed a 32-byte hash, from a 65-byte signature as `0x` hex; undefined for an
 * invalid signature. In WebAssembly, which takes a seventh of the time of JavaScript: solvers' prices are verified on
 * the thread that answers quotes.
 */
export const recoverAddress = (hash: Uint8Array, signature: string): string | undefined => {
  const bytes = Buffer.from(signature.slice(2), 'hex')
  const recoveryId = RECOVERY_IDS.get(bytes[NUMBERS_BYTES] ?? -1)
  if (recoveryId === undefined || signature.length !== 2 + 2 * (NUMBERS_BYTES + 1)) return undefined
  try {
    const point = recover(hash, bytes.subarray(0, NUMBERS_BYTES), recoveryId)
    // The first byte means that both coordinates follow.
    return point === null ? undefined : `0x${keccakHex(point.subarray(1)).slice(-ADDRESS_DIGITS)}`
  } catch {
    // A scalar is outside the order of the curve.
    return undefined
  }
}
