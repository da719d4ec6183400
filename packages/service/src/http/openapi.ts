import type { ErrorCode } from '@openrfq/sdk'
import { ERROR_STATUS } from './error-status.ts'
import { componentSchemas } from './openapi-schemas.ts'
import { OPERATIONS, type Operation } from './operations.ts'

type Json = Readonly<Record<string, unknown>>

/** The OpenAPI 3.1 description of the interface; the committed `openapi.json` is this object. */
export const openApiDocument = (): Json => ({
  openapi: '3.1.0',
  info: {
    title: 'OpenRFQ',
    version: '1.0.0',
    summary: 'Executable cross-chain quotes through one request-for-quote interface.',
    description:
      'Amounts are strings holding integers in base units; chains are CAIP-2 identifiers; timestamps are ISO 8601 UTC. No credential is needed. Any request may be answered 429 with the seconds to wait in retry-after.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: '/' }],
  security: [],
  tags: [
    { name: 'quotes', description: 'What integrators call.' },
    { name: 'operations', description: "What an operator's tools call." },
  ],
  paths: {
    ...Object.fromEntries(OPERATIONS.map((operation) => [operation.path, pathOf(operation)])),
    ...OPERATIONAL_PATHS,
  },
  components: { schemas: componentSchemas(), headers: HEADERS },
})

const pathOf = (operation: Operation): Json => ({
  [operation.method]: {
    operationId: operation.operationId,
    tags: ['quotes'],
    summary: operation.summary,
    description: operation.description,
    ...(operation.parameters.length === 0
      ? {}
      : { parameters: operation.parameters.map((parameter) => ({ in: 'query', ...parameter })) }),
    ...(operation.request === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: json(
              { $ref: `#/components/schemas/${operation.request.schema}` },
              operation.request.example,
            ),
          },
        }),
    responses: {
      200: {
        description: operation.answer.description,
        headers: headersOf([
          ...ALWAYS_HEADERS,
          'cache-control',
          ...(operation.answer.cached ? ['etag'] : []),
        ]),
        content: json(operation.answer.schema, operation.answer.example),
      },
      ...(operation.answer.cached
        ? { 304: { description: 'if-none-match names the current list.', headers: headersOf(['etag']) } }
        : {}),
      ...errorResponses(operation),
    },
  },
})

const json = (schema: Json, example: unknown): Json => ({ 'application/json': { schema, example } })

/** One response per HTTP status, with an example of each code that shares it. */
const errorResponses = ({ errors }: Operation): Json => {
  // CAST: the keys of a record by ErrorCode, which Object.entries forgets.
  const entries = Object.entries(errors) as [ErrorCode, string][]
  const byStatus = Object.groupBy(entries, ([code]) => String(ERROR_STATUS[code]))
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, group = []]) => [
      status,
      {
        description: group.map(([code, condition]) => `${code}: ${condition}`).join(' '),
        headers: headersOf(status === '429' ? [...ALWAYS_HEADERS, 'retry-after'] : ALWAYS_HEADERS),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ErrorBody' },
            examples: Object.fromEntries(
              group.map(([code, message]) => [code, { value: { error: { code, message, details: {} } } }]),
            ),
          },
        },
      },
    ]),
  )
}

const ALWAYS_HEADERS = ['x-request-id', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'] as const

const headersOf = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const whole = (description: string): Json => ({ description, schema: { type: 'integer', minimum: 0 } })
const text = (description: string): Json => ({ description, schema: { type: 'string' } })

const HEADERS: Json = {
  'x-request-id': text(
    'Names this request in the logs; taken from the request when it fits [A-Za-z0-9_-]{1,64}.',
  ),
  'ratelimit-limit': whole('Requests a client may send in ten seconds.'),
  'ratelimit-remaining': whole('Requests left now.'),
  'ratelimit-reset': whole('Seconds until all of them are left again.'),
  'retry-after': whole('Seconds to wait before the next request.'),
  'cache-control': text('Lists may be kept for a minute; quotes and status never.'),
  etag: text('Names this version of the list; send it back as if-none-match.'),
}

const operational = (operationId: string, summary: string, responses: Json): Json => ({
  get: { operationId, tags: ['operations'], summary, responses },
})
const anyJson = { 'application/json': { schema: { type: 'object' } } }

const OPERATIONAL_PATHS: Json = {
  '/healthz': operational('getHealth', 'Whether the process answers', {
    200: { description: 'It does.', content: anyJson },
  }),
  '/readyz': operational('getReadiness', 'Whether quotes can be priced and stored', {
    200: { description: 'Ready.', content: anyJson },
    503: { description: 'Not ready, or draining; missing says what is not there.', content: anyJson },
  }),
  '/metrics': operational('getMetrics', 'Counters for Prometheus', {
    200: { description: 'Prometheus text.', content: { 'text/plain': { schema: { type: 'string' } } } },
  }),
}
