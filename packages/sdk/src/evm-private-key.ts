const FORM = /^0x[0-9a-fA-F]{64}$/
const ZERO = `0x${'0'.repeat(64)}`
const SECP256K1_ORDER = '0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'

/**
 * Whether a text is a secp256k1 private key: `0x` and 64 hex digits, from 1 to the curve's order minus 1.
 * @example
 * if (!isEvmPrivateKey(process.env['KEY'] ?? '')) throw new Error('KEY is no private key')
 */
export const isEvmPrivateKey = (text: string): text is `0x${string}` =>
  FORM.test(text) && text !== ZERO && text.toLowerCase() < SECP256K1_ORDER
