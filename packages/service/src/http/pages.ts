import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserNode } from '../core/browser-node.ts'
import { type EncodedText, encodeText, sendEncoded } from './encoded-text.ts'
import type { Endpoint } from './endpoint.ts'
import { noEndpoint } from './unmatched.ts'

/** The built files of the pages for people by their path, such as `transfer.html` and `assets/transfer-ABC.js`. */
export type PageFiles = ReadonlyMap<string, string>

/** Pages run only their own scripts, ask the service and the given origins alone, and lie in no frame. */
const policyOf = (origins: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src ${["'self'", ...origins].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const headersOf = (origins: readonly string[]): Readonly<Record<string, string>> => ({
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'content-security-policy': policyOf(origins),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
})

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
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

/** The pages, and the nodes that they connect to for wallets. */
export type Pages = {
  readonly files: PageFiles
  /** Origins of the sandbox's nodes, such as `http://127.0.0.1:8545`; none where there is no sandbox. */
  readonly sandboxOrigins: readonly string[]
  /** The nodes that the operator names for browsers. */
  readonly nodes: readonly BrowserNode[]
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' }

const attribute = (name: string, value: string): string =>
  ` ${name}="${value.replaceAll(/[&"<>]/g, (character) => ESCAPES[character] ?? '')}"`

/**
 * Tells the pages of the nodes, and that there is a sandbox; elsewhere its request for one would be an error in the browser's
 * log.
 */
const withNodes = ({ files, sandboxOrigins, nodes }: Pages): PageFiles => {
  const told =
    (sandboxOrigins.length === 0 ? '' : ' data-sandbox') +
    (nodes.length === 0 ? '' : attribute('data-nodes', JSON.stringify(nodes)))
  return new Map(
    [...files].map(([name, text]) => [
      name,
      name.endsWith('.html') ? text.replace('<html', () => `<html${told}`) : text,
    ]),
  )
}

const originsOf = ({ sandboxOrigins, nodes }: Pages): readonly string[] => {
  const urls = nodes.flatMap(({ rpcUrl, subscriptionsUrl = rpcUrl.replace(/^http/, 'ws') }) => [
    rpcUrl,
    subscriptionsUrl,
  ])
  return [...new Set([...sandboxOrigins, ...urls.map((url) => new URL(url).origin)])]
}

/** `/`, the console; `/t/<quoteId>`, the page of a transfer; and the assets of both. */
export const pageEndpoints = (pages: Pages): readonly Endpoint[] => {
  const files = withNodes(pages)
  const headers = headersOf(originsOf(pages))
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
  const page = (url: string, name: string, headers: Readonly<Record<string, string>>): Endpoint => ({
    method: 'GET',
    url,
    config: { name: url },
    handler: async (request, reply) => {
      const text = await fileOf(name, headers)
      if (text === undefined || Object(request.params).quoteId === '') throw noEndpoint(request.url)
      reply.removeHeader('access-control-allow-origin')
      return sendEncoded(text, request, reply)
    },
  })
  return [
    page('/', 'console.html', headers),
    page('/t/:quoteId', 'transfer.html', headers),
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
