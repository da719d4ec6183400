import type { ErrorCode } from '@openrfq/sdk'
import { ERROR_STATUS } from '../error-status.ts'
import { type Answer, type Operation, REQUEST_LIMIT } from '../operation.ts'
import { OPERATIONS } from '../operations.ts'
import { answerExamples, bodyExamples, type Examples, errorExamples, queryExamples } from './examples.ts'
import { type DescribedSchemas, describeSchemas, type Parameter, referenceTo } from './json-schemas.ts'

import { WEBHOOK_HEADERS, WEBHOOK_MESSAGES, type WebhookMessage } from './webhooks.ts'

type Json = Readonly<Record<string, unknown>>

const DESCRIPTION = `One request-for-quote interface for cross-chain transfers: ask for quotes, execute the actions of one with your own wallet, and follow the transfer to its end.

Conventions: chains are CAIP-2 identifiers, tokens the chain-native address, amounts strings holding integers in base units, timestamps ISO 8601 UTC, bodies \`application/json\`. No credential is needed. Transfer progress is observed by polling the status or by its stream of events.

Lists of values may grow within \`/v1\`, and objects may gain members: ignore members that you do not know, and treat an unknown value as a case of its own. This service sends only what is listed here.

Failed requests return an HTTP error status with an ErrorBody. What is refused before an endpoint reads it (an unknown path, another method, a body that is too long or too slow, headers that are too long) has the code INVALID_REQUEST and the HTTP status for it.`

/** The OpenAPI 3.1 description of the interface; the committed `openapi.json` is that of all endpoints. */
export const openApiDocument = (operations: readonly Operation[] = OPERATIONS): Json => {
  const schemas = describeSchemas()
  return {
    openapi: '3.1.0',
    info: {
      title: 'OpenRFQ',
      version: '1.0.0',
      summary: 'Executable cross-chain quotes through one request-for-quote interface.',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      contact: { name: 'The operator of this server' },
    },
    servers: [{ url: '/', description: 'The server that this description comes from.' }],
    security: [],
    tags: [
      { name: 'quotes', description: 'What integrators call.' },
      { name: 'solvers', description: 'Who fills intents.' },
      { name: 'documentation', description: 'What integrators read.' },
      { name: 'webhooks', description: "What the service sends to its operator's receivers." },
      { name: 'operations', description: "What an operator's tools call." },
    ],
    paths: Object.fromEntries(
      operations.map((operation) => [
        operation.path,
        { [operation.method.toLowerCase()]: describeOperation(operation, schemas) },
      ]),
    ),
    webhooks: Object.fromEntries(
      WEBHOOK_MESSAGES.map((message) => [message.operationId, describeMessage(message)]),
    ),
    components: { schemas: schemas.components, headers: HEADERS },
  }
}

const describeMessage = ({ operationId, summary, description, body }: WebhookMessage): Json => ({
  post: {
    operationId,
    tags: ['webhooks'],
    summary,
    description,
    parameters: Object.entries(WEBHOOK_HEADERS).map(([name, meaning]) => ({
      in: 'header',
      name,
      required: true,
      description: meaning,
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: json({ schema: body }, undefined) },
    responses: {
      '2XX': { description: 'The receiver has the message.' },
      default: { description: 'Anything else, a redirect too: the message is sent again later.' },
    },
  },
})

const describeOperation = (operation: Operation, { parameters }: DescribedSchemas): Json => ({
  operationId: operation.operationId,
  tags: [operation.tag],
  summary: operation.summary,
  description: operation.description,
  ...(operation.query === undefined
    ? {}
    : {
        parameters: parameters[operation.query].map((parameter) => describeParameter(operation, parameter)),
      }),
  ...(operation.body === undefined
    ? {}
    : {
        requestBody: {
          required: true,
          content: json({ schema: operation.body }, bodyExamples(operation.operationId)),
        },
      }),
  responses: { ...answers(operation), ...errorResponses(operation), '4XX': REFUSED },
})

const json = (content: NonNullable<Answer['content']>, examples: Examples | undefined): Json => {
  const type = 'type' in content ? content.type : 'application/json'
  const schema =
    'schema' in content
      ? referenceTo(content.schema)
      : { type: type === 'application/json' ? 'object' : 'string' }
  return { [type]: { schema, ...exampleValues(examples) } }
}

const exampleValues = (examples: Examples | undefined): Json => {
  const named = Object.entries(examples ?? {}).map(([name, value]) => [name, { value }])
  return named.length === 0 ? {} : { examples: Object.fromEntries(named) }
}

const describeParameter = ({ operationId }: Operation, parameter: Parameter): Json => ({
  in: 'query',
  ...parameter,
  ...exampleValues(queryExamples(operationId, parameter.name, parameter.schema)),
})

const answers = (operation: Operation): Json => {
  const headers = [
    ...headersOf(operation),
    ...(operation.tag === 'operations' ? [] : ['cache-control']),
    ...(operation.cached ? ['etag'] : []),
  ]
  const described = Object.entries(operation.answers).map(([status, { description, content }]) => [
    status,
    {
      description,
      headers: references(headers),
      ...(content === undefined
        ? {}
        : { content: json(content, answerExamples(operation.operationId, Number(status))) }),
    },
  ])
  return {
    ...Object.fromEntries(described),
    ...(operation.cached
      ? { 304: { description: '`if-none-match` names the current version.', headers: references(['etag']) } }
      : {}),
  }
}

/** One response per HTTP status, with an example of each code that shares it. */
const errorResponses = (operation: Operation): Json => {
  // CAST: the keys of a record by ErrorCode, which Object.entries forgets.
  const entries = Object.entries(operation.errors) as [ErrorCode, string][]
  const byStatus = Object.groupBy(entries, ([code]) => String(ERROR_STATUS[code]))
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, group = []]) => [
      status,
      {
        description: [
          ...group.map(([code, condition]) => `${code}: ${condition}`),
          ...(status === '429' ? [RATE_LIMIT] : []),
        ].join('\n\n'),
        headers: references([...headersOf(operation), ...(status === '429' ? ['retry-after'] : [])]),
        content: json({ schema: 'ErrorBody' }, examplesOf(operation, group)),
      },
    ]),
  )
}

const RATE_LIMIT = `A client, which is one IPv4 address or one IPv6 /64, may send ${REQUEST_LIMIT.max} requests in ${REQUEST_LIMIT.windowSeconds} seconds to all endpoints together.`

const examplesOf = ({ operationId }: Operation, group: readonly (readonly [ErrorCode, string])[]): Examples =>
  Object.assign({}, ...group.map(([code]) => errorExamples(operationId, code)))

const LIMITS = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']

/** Requests to the operator's endpoints are not counted. */
const headersOf = ({ tag }: Operation): readonly string[] =>
  tag === 'operations' ? ['x-request-id'] : ['x-request-id', ...LIMITS]

const references = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const REFUSED: Json = {
  description:
    'Refused before the endpoint reads it, such as 404, 405, 408, 417 or 431, with code INVALID_REQUEST.',
  headers: references(['x-request-id']),
  content: json({ schema: 'ErrorBody' }, undefined),
}

const whole = (description: string): Json => ({ description, schema: { type: 'integer', minimum: 0 } })
const text = (description: string): Json => ({ description, schema: { type: 'string' } })

const HEADERS: Json = {
  'x-request-id': text(
    'Names this request in the logs; taken from the request when it fits `[A-Za-z0-9_-]{1,64}`.',
  ),
  'ratelimit-limit': whole('Requests a client may send in a window.'),
  'ratelimit-remaining': whole('Requests left in this window.'),
  'ratelimit-reset': whole('Seconds until the window ends.'),
  'retry-after': whole('Seconds to wait before the next request.'),
  'cache-control': text('Lists and documents may be kept for some time; quotes and statuses never.'),
  etag: text('Names this version; send it back as `if-none-match`.'),
}
