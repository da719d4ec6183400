import { cachedJson } from './answer.ts'
import { DOCS_POLICY, docsPage } from './docs-page.ts'
import { answerText, type EncodedText, encodeText } from './encoded-text.ts'
import type { Endpoint } from './endpoint.ts'
import { openApiDocument } from './openapi.ts'

const HTML_HEADERS: readonly string[] = [
  'content-type',
  'text/html; charset=utf-8',
  'cache-control',
  'public, max-age=300',
  'content-security-policy',
  DOCS_POLICY,
  'referrer-policy',
  'no-referrer',
]

const page = (path: string, text: () => string, headers: readonly string[]): Endpoint => {
  let encoded: Promise<EncodedText> | undefined
  return {
    name: path,
    method: 'GET',
    path,
    limited: true,
    handle: async (request) => {
      encoded ??= encodeText(text(), headers)
      return answerText(await encoded, request.headers)
    },
  }
}

/** `/docs` for people, `/openapi.json` for machines, and `/`, which leads to the first. Each is written once. */
export const documentationEndpoints = (): readonly Endpoint[] => [
  page('/openapi.json', () => JSON.stringify(openApiDocument()), cachedJson(300)),
  page('/docs', docsPage, HTML_HEADERS),
  {
    name: '/',
    method: 'GET',
    path: '/',
    limited: true,
    handle: () => ({ status: 302, headers: ['location', '/docs', 'cache-control', 'no-store'], body: '' }),
  },
]
