import { isEvmPrivateKey } from '@openrfq/sdk'
import { z } from 'zod'

/** A private key of secp256k1 as `0x` hex. Its error contains no part of the key. */
export const EvmPrivateKey = z.custom<`0x${string}`>(
  (value) => typeof value === 'string' && isEvmPrivateKey(value),
  'expected a private key of secp256k1: 0x and 64 hex digits, from 1 to the order of the curve minus 1',
)
export type EvmPrivateKey = z.infer<typeof EvmPrivateKey>
