import { z } from 'zod'
import { createLru } from '../lib/lru.ts'
import type { TokenFilter, UseCases } from '../service/use-cases.ts'
import { type EncodedText, encodeText, sendEncoded } from './encoded-text.ts'
import { type Endpoint, endpointOf } from './endpoint.ts'
import { LIST_CHAINS, LIST_TOKENS } from './operations.ts'
import { parseInput } from './parse-input.ts'
import { readQuery } from './query.ts'
import { queryOf } from './request-target.ts'
import { tokensRequest } from './requests.ts'
import { cachedJson } from './response-headers.ts'

const LIST_HEADERS = cachedJson(60)
/** Twice as many distinct filters as the largest catalogue has. */
const MAX_ENCODED_FILTERS = 1_024

/** `GET /v1/rfq/chains`: the list is encoded once, because it never changes while the process lives. */
export const chainsEndpoint = ({ listChains }: Pick<UseCases, 'listChains'>): Endpoint => {
  let encoded: Promise<EncodedText> | undefined
  return endpointOf(LIST_CHAINS, async (request, reply) => {
    encoded ??= encodeText(JSON.stringify({ chains: listChains() }), LIST_HEADERS)
    return sendEncoded(await encoded, request, reply)
  })
}

/** `GET /v1/rfq/tokens`: each distinct filter is encoded once, in a memo of bounded size. */
export const tokensEndpoint = ({
  listTokens,
  backendTypes,
}: Pick<UseCases, 'listTokens' | 'backendTypes'>): Endpoint => {
  const TokensRequest = tokensRequest(z.enum(backendTypes))
  const parameters = TokensRequest.keyof().options
  const memo = createLru<string, Promise<EncodedText>>(MAX_ENCODED_FILTERS)
  const encodedFor = (filter: TokenFilter): Promise<EncodedText> => {
    const key = `${filter.chain ?? ''} ${filter.backend ?? ''} ${filter.verified ?? ''}`
    const known = memo.get(key)
    if (known !== undefined) return known
    const encoded = encodeText(JSON.stringify({ tokens: listTokens(filter) }), LIST_HEADERS)
    memo.set(key, encoded)
    return encoded
  }
  return endpointOf(LIST_TOKENS, async (request, reply) => {
    const query = readQuery(queryOf(request.url), parameters)
    return sendEncoded(await encodedFor(parseInput(TokensRequest, query)), request, reply)
  })
}
