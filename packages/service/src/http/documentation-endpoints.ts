import { DOCS_POLICY, docsPage } from './docs/page.ts'
import { type EncodedText, encodeText, sendEncoded } from './encoded-text.ts'
import { type Endpoint, endpointOf } from './endpoint.ts'
import { openApiDocument } from './openapi/document.ts'
import type { Operation } from './operation.ts'
import { GET_DESCRIPTION, GET_REFERENCE } from './own-operations.ts'
import { cachedJson } from './response-headers.ts'

const HTML_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'public, max-age=300',
  'content-security-policy': DOCS_POLICY,
  'referrer-policy': 'no-referrer',
} as const

const page = (
  operation: Operation,
  text: () => string,
  headers: Readonly<Record<string, string>>,
): Endpoint => {
  let encoded: Promise<EncodedText> | undefined
  return endpointOf(operation, async (request, reply) => {
    encoded ??= encodeText(text(), headers)
    return sendEncoded(await encoded, request, reply)
  })
}

/** `/docs` for people and `/openapi.json` for machines, both of these operations. Each is written once. */
export const documentationEndpoints = (operations: readonly Operation[]): readonly Endpoint[] => [
  page(GET_DESCRIPTION, () => JSON.stringify(openApiDocument(operations)), cachedJson(300)),
  page(GET_REFERENCE, () => docsPage(operations), HTML_HEADERS),
]

/** `/` where there are no pages: leads to the reference. */
export const toReference: Endpoint = {
  method: 'GET',
  url: '/',
  config: { name: '/' },
  handler: (_request, reply) => reply.header('cache-control', 'no-store').redirect('/docs'),
}
