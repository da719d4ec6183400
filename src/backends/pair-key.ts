import type { Token } from '../core/token.ts'
import { tokenKey } from '../core/token.ts'

/** The key of a direction between two tokens in maps of routes. */
export const pairKey = (from: Token, to: Token): string => `${tokenKey(from)} ${tokenKey(to)}`
