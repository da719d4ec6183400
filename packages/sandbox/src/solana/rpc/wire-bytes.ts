import { decodeBase58 } from 'openrfq/base58'
import { z } from 'zod'
import { invalidParams } from '../rpc-error.ts'

/** Text encodings of bytes. */
export const WireEncoding = z.enum(['base58', 'base64'])
type WireEncoding = z.infer<typeof WireEncoding>

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Decodes a text; throws -32602 when it is not in the encoding. */
export const bytesOf = (text: string, encoding: WireEncoding): Uint8Array => {
  if (encoding === 'base64') {
    if (!BASE64.test(text)) throw invalidParams('invalid base64 encoding')
    return Buffer.from(text, 'base64')
  }
  const bytes = decodeBase58(text)
  if (bytes === undefined) throw invalidParams('invalid base58 encoding')
  return bytes
}
