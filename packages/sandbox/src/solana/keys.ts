import { createHash, createPrivateKey, createPublicKey } from 'node:crypto'
import {
  type Address,
  createKeyPairFromPrivateKeyBytes,
  createSignerFromKeyPair,
  type KeyPairSigner,
} from '@solana/kit'
import { encodeBase58 } from 'openrfq/base58'
import { toAddress } from './address-bytes.ts'

/** A Solana key: its address, and seed and public key as 64 bytes in base58, the form wallets import. */
export type SolanaKey = { readonly address: Address; readonly privateKey: string; readonly seed: Uint8Array }

/** DER prefixes of an Ed25519 seed in PKCS #8 and of a public key in SPKI. Source: RFC 8410. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')
const SPKI_PREFIX_BYTES = 12

/** Derives the sandbox's key of a name. Everybody can derive it; never use it elsewhere. */
export const solanaKey = (name: string): SolanaKey => {
  const seed = createHash('sha256').update(`openrfq sandbox solana: ${name}`).digest()
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const publicKey = createPublicKey(privateKey)
    .export({ format: 'der', type: 'spki' })
    .subarray(SPKI_PREFIX_BYTES)
  return {
    address: toAddress(publicKey),
    privateKey: encodeBase58(Buffer.concat([seed, publicKey])),
    seed,
  }
}

/** The signer of a key. */
export const signerOf = async ({ seed }: SolanaKey): Promise<KeyPairSigner> =>
  createSignerFromKeyPair(await createKeyPairFromPrivateKeyBytes(seed))
