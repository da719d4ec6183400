import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type EncodedText, encodeText, sendEncoded } from './encoded-text.ts'
import type { Endpoint } from './endpoint.ts'
import { noEndpoint } from './unmatched.ts'

/** The built files of the pages for people by their path, such as `transfer.html` and `assets/transfer-ABC.js`. */
export type PageFiles = ReadonlyMap<string, string>

/** Pages run only their own scripts, load nothing from elsewhere, and lie in no frame. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
}

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

/** Assets have other names when they have other contents. */
const ASSET_HEADERS = { 'cache-control': 'public, max-age=31536000, immutable' }

/** Reads the built files of a folder and its folder `assets`. */
export const readPages = (folder: string): PageFiles =>
  new Map(
    ['', 'assets/'].flatMap((below) =>
      readdirSync(join(folder, below), { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => [below + name, readFileSync(join(folder, below, name), 'utf8')] as const),
    ),
  )

/** `/t/<quoteId>`, the page of a transfer, and the assets of all pages. */
export const pageEndpoints = (files: PageFiles): readonly Endpoint[] => {
  const encoded = new Map<string, Promise<EncodedText>>()
  const fileOf = (
    path: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<EncodedText> | undefined => {
    const text = files.get(path)
    const known = encoded.get(path)
    if (text === undefined || known !== undefined) return known
    const fresh = encodeText(text, headers)
    encoded.set(path, fresh)
    return fresh
  }
  return [
    {
      method: 'GET',
      url: '/t/:quoteId',
      config: { name: '/t' },
      handler: async (request, reply) => {
        const page = await fileOf('transfer.html', PAGE_HEADERS)
        if (page === undefined || Object(request.params).quoteId === '') throw noEndpoint(request.url)
        reply.removeHeader('access-control-allow-origin')
        return sendEncoded(page, request, reply)
      },
    },
    {
      method: 'GET',
      url: '/assets/:name',
      config: { name: '/assets' },
      handler: async (request, reply) => {
        const { name } = Object(request.params)
        const type = TYPES[String(name).split('.').at(-1) ?? '']
        const asset =
          type === undefined
            ? undefined
            : await fileOf(`assets/${name}`, { ...ASSET_HEADERS, 'content-type': type })
        if (asset === undefined) throw noEndpoint(request.url)
        return sendEncoded(asset, request, reply)
      },
    },
  ]
}
