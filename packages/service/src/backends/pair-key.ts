import { createPairKeys } from '../core/pair-key.ts'
import type { Token } from '../core/token.ts'
import { tokenKey } from '../core/token-key.ts'

const keyOf = createPairKeys()

/** The map key of a direction between two tokens. */
export const pairKey = (from: Token, to: Token): string => keyOf(tokenKey(from), tokenKey(to))
