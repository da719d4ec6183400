import type { Token } from '../core/token.ts'
import { tokenKey } from '../core/token-key.ts'

/** The map key of a direction between two tokens. */
export const pairKey = (from: Token, to: Token): string => `${tokenKey(from)} ${tokenKey(to)}`
