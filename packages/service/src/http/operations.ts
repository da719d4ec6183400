import type { ErrorCode } from '@openrfq/sdk'
import { BackendType } from '@openrfq/sdk'
import * as examples from './openapi-examples.ts'
import type { ComponentName, JsonSchema } from './openapi-schemas.ts'

/** A query parameter; it is never repeated. */
export type Parameter = {
  readonly name: string
  readonly required: boolean
  readonly description: string
  readonly schema: Readonly<Record<string, unknown>>
}

/** One endpoint of the interface as its documentation tells it. */
export type Operation = {
  readonly operationId: string
  readonly method: 'get' | 'post'
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly parameters: readonly Parameter[]
  readonly request?: { readonly schema: ComponentName; readonly example: unknown }
  readonly answer: {
    readonly description: string
    readonly schema: JsonSchema
    readonly example: unknown
    readonly cached: boolean
  }
  /** Every code the endpoint answers, with when it does. */
  readonly errors: Readonly<Partial<Record<ErrorCode, string>>>
}

const ref = (name: ComponentName): JsonSchema => ({
  $ref: `#/components/schemas/${name}`,
})
const listOf = (field: string, name: ComponentName): JsonSchema => ({
  type: 'object',
  properties: { [field]: { type: 'array', items: ref(name) } },
  required: [field],
})

const CHAIN_ID = { type: 'string', pattern: '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$' }

const ALWAYS = {
  RATE_LIMITED: 'Too many requests; come back after the seconds in retry-after.',
  INTERNAL_ERROR: 'Unexpected server error; safe to retry.',
} as const

const listChains: Operation = {
  operationId: 'listChains',
  method: 'get',
  path: '/v1/rfq/chains',
  summary: 'List chains',
  description: 'All chains supported as source or destination.',
  parameters: [],
  answer: {
    description: 'The chains.',
    schema: listOf('chains', 'Chain'),
    example: examples.CHAINS,
    cached: true,
  },
  errors: ALWAYS,
}

const listTokens: Operation = {
  operationId: 'listTokens',
  method: 'get',
  path: '/v1/rfq/tokens',
  summary: 'List tokens',
  description: 'Supported tokens, optionally filtered. A listed token has at least one route.',
  parameters: [
    {
      name: 'chain',
      required: false,
      description: 'CAIP-2 identifier; only tokens on that chain.',
      schema: CHAIN_ID,
    },
    {
      name: 'backend',
      required: false,
      description: 'Only tokens served by that backend.',
      schema: { type: 'string', enum: BackendType.options },
    },
    {
      name: 'verified',
      required: false,
      description: 'true: only verified tokens; false: only unverified ones; omitted: both.',
      schema: { type: 'boolean' },
    },
  ],
  answer: {
    description: 'The tokens that pass every given filter.',
    schema: listOf('tokens', 'Token'),
    example: examples.TOKENS,
    cached: true,
  },
  errors: {
    INVALID_REQUEST: 'Malformed chain, unknown backend, verified not a boolean, or a parameter given twice.',
    UNSUPPORTED_CHAIN: 'The chain is not supported.',
    ...ALWAYS,
  },
}

const requestQuotes: Operation = {
  operationId: 'requestQuotes',
  method: 'post',
  path: '/v1/rfq/quote',
  summary: 'Request quotes',
  description:
    'Executable quotes, best first. The list is empty when the route is supported and no price is available now.',
  parameters: [],
  request: { schema: 'QuoteRequest', example: examples.QUOTE_REQUEST },
  answer: {
    description: 'Quotes by preference; index 0 is the recommended one.',
    schema: ref('QuoteAnswer'),
    example: examples.QUOTE_ANSWER,
    cached: false,
  },
  errors: {
    INVALID_REQUEST: 'Malformed body, missing required field, invalid value, or unknown field in options.',
    UNSUPPORTED_CHAIN: 'fromChain or toChain is not supported.',
    UNSUPPORTED_TOKEN: 'fromToken or toToken is not supported on its chain.',
    UNSUPPORTED_ROUTE: 'Both assets are supported, but no backend serves the pair.',
    AMOUNT_OUT_OF_RANGE:
      'amount is below the minimum or above the maximum of every route; details name them.',
    ...ALWAYS,
  },
}

const getStatus: Operation = {
  operationId: 'getStatus',
  method: 'get',
  path: '/v1/rfq/status',
  summary: 'Get the status of a transfer',
  description:
    'The state of a transfer now. An identifier nobody knows answers 200 with the state NOT_FOUND. For intent quotes quoteId is enough; gateway, gateway-express and its transfers are found once messageId and sourceChain are given.',
  parameters: [
    {
      name: 'quoteId',
      required: true,
      description: 'The quoteId of a quote.',
      schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,128}$' },
    },
    {
      name: 'messageId',
      required: false,
      description:
        'Source-transaction identifier; on EVM chains the transaction hash, a hyphen and the event index.',
      schema: { type: 'string', minLength: 1, maxLength: 256 },
    },
    {
      name: 'sourceChain',
      required: false,
      description: 'CAIP-2 identifier of the chain of the source transaction; given together with messageId.',
      schema: CHAIN_ID,
    },
  ],
  answer: {
    description: 'The status.',
    schema: ref('Status'),
    example: examples.STATUS,
    cached: false,
  },
  errors: { INVALID_REQUEST: 'quoteId is missing, or a parameter is malformed.', ...ALWAYS },
}

/** The four endpoints of the interface. Source: interface "Endpoints". */
export const OPERATIONS: readonly Operation[] = [listChains, listTokens, requestQuotes, getStatus]
