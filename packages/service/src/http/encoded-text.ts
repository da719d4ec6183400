import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptsGzip } from './accept-encoding.ts'
import { COMPRESSED_JSON } from './response-headers.ts'

const compress = promisify(gzip)
/** Smaller bodies are not compressed: the saving is less than the cost of the header. */
const MIN_COMPRESSED_BYTES = 860
const BEST = { level: 9 } as const
/** Level with a tenth larger output than the best compression, in two thirds of the time. */
const FAST = { level: 1 } as const

type Variant = { readonly body: Buffer | string; readonly headers: Readonly<Record<string, string>> }

/** A body that is served many times: its bytes, gzipped when that is smaller, each under a strong ETag. */
export type EncodedText = { readonly plain: Variant; readonly gzipped: Variant | undefined }

/** Encodes a body once. */
export const encodeText = async (
  text: string,
  headers: Readonly<Record<string, string>>,
): Promise<EncodedText> => {
  const bytes = Buffer.from(text)
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 27)
  const common = { ...headers, vary: 'accept-encoding' }
  // ASCII text leaves in one write with its head; bytes take a second one.
  const body = bytes.byteLength === text.length ? text : bytes
  const plain = { body, headers: { ...common, etag: `"${hash}"` } }
  if (bytes.byteLength < MIN_COMPRESSED_BYTES) return { plain, gzipped: undefined }
  const gzipped = {
    body: await compress(bytes, BEST),
    headers: { ...common, etag: `"${hash}-gzip"`, 'content-encoding': 'gzip' },
  }
  return { plain, gzipped }
}

/** Sends the body in the client's preferred coding, or 304 when the client already has it. Source: RFC 9110, 13.1.2. */
export const sendEncoded = (
  text: EncodedText,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply => {
  const { 'accept-encoding': accepted, 'if-none-match': known } = request.headers
  const { body, headers } = text.gzipped !== undefined && acceptsGzip(accepted) ? text.gzipped : text.plain
  if (known === undefined || !matches(known, text)) return reply.headers(headers).send(body)
  const { 'content-type': _, 'content-encoding': __, ...unchanged } = headers
  return reply.code(304).headers(unchanged).send()
}

const matches = (header: string, { plain, gzipped }: EncodedText): boolean =>
  header.split(',').some((part) => {
    const tag = part.trim().replace(/^W\//, '')
    return tag === '*' || tag === plain.headers['etag'] || tag === gzipped?.headers['etag']
  })

/** Sends JSON that is served once, gzipped when the client accepts it. */
export const sendFresh = async (
  text: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  reply.headers(COMPRESSED_JSON)
  if (text.length < MIN_COMPRESSED_BYTES || !acceptsGzip(request.headers['accept-encoding']))
    return reply.send(text)
  return reply.header('content-encoding', 'gzip').send(await compress(text, FAST))
}
