import { createHash } from 'node:crypto'
import { ChainId } from '@openrfq/sdk'
import type { UseCases } from '../service/use-cases.ts'
import type { Endpoint } from './endpoint.ts'

const DAY_SECONDS = 86_400

/** An SVG that is opened by itself runs nothing and loads nothing, even if the check overlooked something. */
const LOGO_HEADERS = {
  'cache-control': `public, max-age=${DAY_SECONDS}`,
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
} as const

/**
 * `/logos/<chainId>` and `/logos/<chainId>/<token>`: the logo that the network file names, checked and kept by the service, so
 * that a page tells no other server who looks at what. 204 without one, which no browser reports as an error.
 */
export const logoEndpoints = ({ getLogo }: Pick<UseCases, 'getLogo'>): readonly Endpoint[] =>
  ['/logos/:chainId', '/logos/:chainId/:token'].map((url) => ({
    method: 'GET',
    url,
    config: { name: '/logos' },
    handler: async (request, reply) => {
      const { chainId, token } = Object(request.params)
      const chain = ChainId.safeParse(chainId)
      const logo = chain.success ? await getLogo(chain.data, token) : undefined
      if (logo === undefined) return reply.code(204).header('cache-control', 'no-store').send()
      const { type, bytes } = logo
      const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
      reply.headers({ ...LOGO_HEADERS, etag })
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      return reply.header('content-type', type).send(bytes)
    },
  }))
