import { ChainId } from '@openrfq/sdk'
import { z } from 'zod'
import { createLru } from '../lib/lru.ts'
import type { TokenFilter, UseCases } from '../service/use-cases.ts'
import { type EncodedText, encodeText, sendEncoded } from './encoded-text.ts'
import type { Endpoint } from './endpoint.ts'
import { parseInput } from './parse-input.ts'
import { readQuery } from './query.ts'
import { queryOf } from './request-target.ts'
import { cachedJson } from './response-headers.ts'

const LIST_HEADERS = cachedJson(60)
/** Twice as many distinct filters as the largest catalogue has. */
const MAX_ENCODED_FILTERS = 1_024

const LiteralBoolean = z.codec(z.enum(['true', 'false']), z.boolean(), {
  decode: (text) => text === 'true',
  encode: (value) => (value ? 'true' : 'false'),
})

/** The query of `GET /v1/rfq/tokens`; `verified` is literally `true` or `false`. Source: interface "GET /v1/rfq/tokens". */
const tokenQuery = (backendTypes: readonly string[]) =>
  z.object({
    chain: z.optional(ChainId),
    backend: z.enum(backendTypes).optional(),
    verified: LiteralBoolean.optional(),
  })

/** `GET /v1/rfq/chains`: the list is encoded once, because it never changes while the process lives. */
export const chainsEndpoint = ({ listChains }: Pick<UseCases, 'listChains'>): Endpoint => {
  let encoded: Promise<EncodedText> | undefined
  return {
    method: 'GET',
    url: '/v1/rfq/chains',
    config: { name: 'chains' },
    handler: async (request, reply) => {
      encoded ??= encodeText(JSON.stringify({ chains: listChains() }), LIST_HEADERS)
      return sendEncoded(await encoded, request, reply)
    },
  }
}

/** `GET /v1/rfq/tokens`: each distinct filter is encoded once, in a memo of bounded size. */
export const tokensEndpoint = ({
  listTokens,
  backendTypes,
}: Pick<UseCases, 'listTokens' | 'backendTypes'>): Endpoint => {
  const TokenQuery = tokenQuery(backendTypes)
  const memo = createLru<string, Promise<EncodedText>>(MAX_ENCODED_FILTERS)
  const encodedFor = (filter: TokenFilter): Promise<EncodedText> => {
    const key = `${filter.chain ?? ''} ${filter.backend ?? ''} ${filter.verified ?? ''}`
    const known = memo.get(key)
    if (known !== undefined) return known
    const encoded = encodeText(JSON.stringify({ tokens: listTokens(filter) }), LIST_HEADERS)
    memo.set(key, encoded)
    return encoded
  }
  return {
    method: 'GET',
    url: '/v1/rfq/tokens',
    config: { name: 'tokens' },
    handler: async (request, reply) => {
      const query = readQuery(queryOf(request.url), ['chain', 'backend', 'verified'])
      return sendEncoded(await encodedFor(parseInput(TokenQuery, query)), request, reply)
    },
  }
}
