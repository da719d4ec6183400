import { createPrivateKey, createPublicKey } from 'node:crypto'
import { strKeyBytes, strKeyText } from './str-key.ts'

/** Prefix of an Ed25519 seed in PKCS #8. Source: RFC 8410. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')
const KEY_BYTES = 32

/** The account (G…) that a secret (S…) signs for; throws RangeError for other text without repeating it. */
export const accountOfSecret = (secret: string): string => {
  const der = Buffer.concat([PKCS8_PREFIX, strKeyBytes('S', secret)])
  const key = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
  return strKeyText('G', key.export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES))
}
