import {
  Action,
  BackendType,
  Chain,
  DepositAddress,
  ErrorBody,
  EvmTransaction,
  FeeEntry,
  FeeToken,
  IntegratorFee,
  ListedToken,
  Quote,
  QuoteAnswer,
  ReasonCode,
  RefundTerms,
  SolanaInstructions,
  Status,
  TransferDestination,
  TransferOutput,
  TransferRefund,
  TransferSource,
  Warning,
  WarningCode,
} from '@openrfq/sdk'
import { z } from 'zod'
import { QuoteRequest } from '../core/order.ts'
import { DESCRIPTIONS } from './schema-descriptions.ts'

/** The part of JSON Schema (2020-12) that the documentation reads. */
export type JsonSchema = {
  $ref?: string
  type?: string
  description?: string
  enum?: readonly unknown[]
  const?: unknown
  pattern?: string
  properties?: Record<string, JsonSchema>
  required?: readonly string[]
  items?: JsonSchema
  anyOf?: readonly JsonSchema[]
  oneOf?: readonly JsonSchema[]
}

export const COMPONENT_PREFIX = '#/components/schemas/'

const COMPONENTS = {
  Chain,
  Token: ListedToken,
  BackendType,
  QuoteRequest,
  QuoteAnswer,
  Quote,
  Action,
  EvmTransaction,
  SolanaInstructions,
  DepositAddress,
  FeeEntry,
  FeeToken,
  IntegratorFee,
  RefundTerms,
  Warning,
  WarningCode,
  Status,
  TransferSource,
  TransferDestination,
  TransferOutput,
  TransferRefund,
  ReasonCode,
  ErrorBody,
} as const

export type ComponentName = keyof typeof COMPONENTS

const PAYLOAD_DISCRIMINATOR = {
  propertyName: 'type',
  mapping: {
    evm_transaction: `${COMPONENT_PREFIX}EvmTransaction`,
    solana_instructions: `${COMPONENT_PREFIX}SolanaInstructions`,
    deposit_address: `${COMPONENT_PREFIX}DepositAddress`,
  },
} as const

/** The schemas of the wire as JSON Schema, made from the same schemas that parse and check it. */
export const componentSchemas = (): Readonly<Record<string, JsonSchema>> => {
  const registry = z.registry<{ id?: string }>()
  for (const [id, schema] of Object.entries(COMPONENTS)) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    unrepresentable: 'any',
    uri: (id) => `${COMPONENT_PREFIX}${id}`,
    override: ({ zodSchema, jsonSchema }) => {
      // A number without finite bounds: 1e400 is one, which `z.number()` would refuse.
      if (zodSchema === QuoteRequest.shape.slippageTolerance) jsonSchema.type = 'number'
      keepWhatIsSent(jsonSchema)
      if (zodSchema === Action.shape.payload) jsonSchema['discriminator'] = PAYLOAD_DISCRIMINATOR
    },
  })
  const names = Object.keys(COMPONENTS)
  return Object.fromEntries(names.map((name) => [name, describe(name, plain(schemas[name]))]))
}

/**
 * Removes what the schemas leave open for newer services, because this one sends nothing but what they name: the last
 * alternative of a union when it takes any text or any object with a type, and the permission of further members.
 */
const keepWhatIsSent = (schema: z.core.JSONSchema.BaseSchema): void => {
  const { anyOf, properties, additionalProperties } = schema
  const [known, open, ...others] = anyOf ?? []
  if (known !== undefined && open !== undefined && others.length === 0 && isOpen(open)) {
    delete schema.anyOf
    Object.assign(schema, known)
  }
  if (properties !== undefined && isEmpty(additionalProperties)) delete schema.additionalProperties
}

const isOpen = (schema: z.core.JSONSchema.BaseSchema): boolean =>
  (schema.type === 'string' && Object.keys(schema).length === 1) ||
  (schema.type === 'object' && Object.keys(schema.properties ?? {}).join() === 'type')

const isEmpty = (schema: unknown): boolean =>
  typeof schema === 'object' && schema !== null && Object.keys(schema).length === 0

/** A copy without the identifiers that OpenAPI gives by position. */
const plain = (schema: unknown): JsonSchema => {
  // CAST: JSON Schema written by zod; the type above names the parts of it that are read here.
  const { $schema: _, $id: __, ...rest } = structuredClone(schema) as JsonSchema & Record<string, unknown>
  return rest
}

/** Adds the description of each field that has one; `$ref` keeps its siblings in JSON Schema 2020-12. */
const describe = (path: string, schema: JsonSchema): JsonSchema => {
  const description = DESCRIPTIONS[path]
  const properties = Object.entries(schema.properties ?? {}).map(([name, field]) => [
    name,
    describe(`${path}.${name}`, field),
  ])
  return {
    ...(description === undefined ? {} : { description }),
    ...schema,
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
  }
}
