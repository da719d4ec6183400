import { hash } from 'node:crypto'
import { createLru } from '../../lib/lru.ts'
import { encodeBase58 } from './base58.ts'
import { isOnCurve } from './curve.ts'
import { solanaKeyBytes } from './key-bytes.ts'
import { PROGRAMS } from './programs.ts'

const CACHED_ACCOUNTS = 50_000
const MAX_BUMP = 255
const SUFFIX = Buffer.concat([
  solanaKeyBytes(PROGRAMS.associatedToken),
  Buffer.from('ProgramDerivedAddress', 'latin1'),
])

const known = createLru<string, string>(CACHED_ACCOUNTS)

/** The first digest off the curve, with the bump seed counting down: no private key can exist for it. */
const derive = (owner: string, mint: string, program: string): string => {
  const seeds = [solanaKeyBytes(owner), solanaKeyBytes(program), solanaKeyBytes(mint)]
  for (let bump = MAX_BUMP; bump >= 0; bump -= 1) {
    const digest = hash('sha256', Buffer.concat([...seeds, Uint8Array.of(bump), SUFFIX]), 'buffer')
    if (!isOnCurve(digest)) return encodeBase58(digest)
  }
  throw new Error(`no associated token account of ${owner} for ${mint}`)
}

/**
 * The account that holds an owner's tokens of a mint by default; `program` is the mint's. Cached, because deriving it
 * takes some 60 microseconds. Source: SPL Associated Token Account.
 */
export const associatedTokenOf = (owner: string, mint: string, program: string): string => {
  const key = `${owner} ${mint} ${program}`
  const found = known.get(key)
  if (found !== undefined) return found
  const account = derive(owner, mint, program)
  known.set(key, account)
  return account
}
