import type { Token } from '@openrfq/sdk'
import { createPairKeys } from '../core/pair-key.ts'
import { tokenKey } from '../core/token-key.ts'

const keyOf = createPairKeys()

/** The map key of a direction between two tokens. */
export const pairKey = (from: Token, to: Token): string => keyOf(tokenKey(from), tokenKey(to))
