import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { acceptsGzip } from './accept-encoding.ts'
import type { Answer } from './answer.ts'

const compress = promisify(gzip)
/** Below this many bytes compression saves less than its header costs. */
const MIN_COMPRESSED_BYTES = 860

/** A body that is answered many times: its bytes, gzipped when that is smaller, and a strong entity tag of each. */
export type EncodedText = {
  readonly plain: { readonly answer: Answer; readonly tag: string }
  readonly gzipped: { readonly answer: Answer; readonly tag: string } | undefined
}

/** Encodes a body once; `headers` alternates names and values. */
export const encodeText = async (text: string, headers: readonly string[]): Promise<EncodedText> => {
  const bytes = Buffer.from(text)
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 27)
  const answerOf = (body: Buffer | string, tag: string, extra: readonly string[]): EncodedText['plain'] => ({
    tag,
    answer: { status: 200, headers: [...headers, 'vary', 'accept-encoding', 'etag', tag, ...extra], body },
  })
  // ASCII text leaves in one write with its head; bytes take a second one.
  const plain = answerOf(bytes.byteLength === text.length ? text : bytes, `"${hash}"`, [])
  if (bytes.byteLength < MIN_COMPRESSED_BYTES) return { plain, gzipped: undefined }
  const gzipped = answerOf(await compress(bytes, { level: 9 }), `"${hash}-gzip"`, [
    'content-encoding',
    'gzip',
  ])
  return { plain, gzipped }
}

/** The encoded body in the coding the client prefers, or 304 when it holds it already. Source: RFC 9110, 13.1.2. */
export const answerText = (text: EncodedText, headers: IncomingHttpHeaders): Answer => {
  const { answer, tag } =
    text.gzipped !== undefined && acceptsGzip(headers['accept-encoding']) ? text.gzipped : text.plain
  const known = headers['if-none-match']
  if (known === undefined || !matches(known, text)) return answer
  return { status: 304, headers: unchanged(answer.headers, tag), body: '' }
}

const matches = (header: string, text: EncodedText): boolean =>
  header.split(',').some((part) => {
    const tag = part.trim().replace(/^W\//, '')
    return tag === '*' || tag === text.plain.tag || tag === text.gzipped?.tag
  })

/** The headers a 304 repeats: those that say how long and under which tag the body may be kept. */
const unchanged = (headers: readonly string[], tag: string): readonly string[] => {
  const cacheControl = headers[headers.indexOf('cache-control') + 1] ?? 'no-cache'
  return ['cache-control', cacheControl, 'vary', 'accept-encoding', 'etag', tag]
}
