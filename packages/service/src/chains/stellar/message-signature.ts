import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { strKeyBytes } from './str-key.ts'

/** Prefixes of Ed25519 keys: a seed in PKCS #8, and a public key in SubjectPublicKeyInfo. Source: RFC 8410. */
const SEED_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')
const KEY_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

/** A secret's (S…) Ed25519 signature of a text in UTF-8, in base64. Throws RangeError for another secret. */
export const signText = (secret: string, text: string): string => {
  const der = Buffer.concat([SEED_PREFIX, strKeyBytes('S', secret)])
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return sign(null, Buffer.from(text), key).toString('base64')
}

/** Whether an account's (G…) key has signed a text; the signature in base64. */
export const isSignedText = (account: string, text: string, signature: string): boolean => {
  const der = Buffer.concat([KEY_PREFIX, strKeyBytes('G', account)])
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'))
}
