import { createPrivateKey, createPublicKey } from 'node:crypto'
import { decodeBase58, encodeBase58 } from './base58.ts'

/** A key pair as 64 bytes, seed first, and its address. */
export type SolanaKeyPair = { readonly bytes: Uint8Array; readonly address: string }

const SEED_BYTES = 32
const PAIR_BYTES = 64
/** Prefix of an Ed25519 seed in PKCS #8. Source: RFC 8410. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

const publicKeyOf = (seed: Uint8Array): Uint8Array => {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' })
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-SEED_BYTES)
}

/**
 * Parses a secret as wallets export it: base58 of seed and public key. Throws RangeError without repeating the secret.
 */
export const parseSolanaSecret = (secret: string): SolanaKeyPair => {
  const bytes = secret.length > 2 * PAIR_BYTES ? undefined : decodeBase58(secret)
  if (bytes?.length !== PAIR_BYTES) throw new RangeError('a Solana secret is base58 text of 64 bytes')
  const publicKey = publicKeyOf(bytes.subarray(0, SEED_BYTES))
  if (Buffer.compare(publicKey, bytes.subarray(SEED_BYTES)) !== 0)
    throw new RangeError('the halves of a Solana secret do not belong together')
  return { bytes, address: encodeBase58(publicKey) }
}
