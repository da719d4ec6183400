import { createLru } from '../../lib/lru.ts'
import { solanaKeyBytes } from './key-bytes.ts'
import { programAddressOf } from './program-address.ts'
import { PROGRAMS } from './programs.ts'

const CACHED_ACCOUNTS = 50_000
const known = createLru<string, string>(CACHED_ACCOUNTS)

/**
 * The account that holds an owner's tokens of a mint by default; `program` is the mint's. Cached, because deriving it
 * takes some 60 microseconds. Source: SPL Associated Token Account.
 */
export const associatedTokenOf = (owner: string, mint: string, program: string): string => {
  const key = `${owner} ${mint} ${program}`
  const found = known.get(key)
  if (found !== undefined) return found
  const account = programAddressOf([owner, program, mint].map(solanaKeyBytes), PROGRAMS.associatedToken)
  known.set(key, account)
  return account
}
