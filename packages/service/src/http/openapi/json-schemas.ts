import { ErrorBody, Status } from '@openrfq/sdk'
import { z } from 'zod'
import { QuoteRequest } from '../../core/order.ts'
import { COMPONENTS, type ComponentName } from './components.ts'
import { type Meaning, shapeOf } from './meaning.ts'
import { QUERY_MEANINGS } from './request-meanings.ts'

/** The part of JSON Schema (2020-12) that the description uses. */
export type JsonSchema = {
  $ref?: string
  type?: string
  format?: string
  description?: string
  enum?: readonly unknown[]
  const?: unknown
  pattern?: string
  properties?: Record<string, JsonSchema>
  required?: readonly string[]
  items?: JsonSchema
  additionalProperties?: JsonSchema
  anyOf?: readonly JsonSchema[]
  oneOf?: readonly JsonSchema[]
  discriminator?: { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> }
}

export const COMPONENT_PREFIX = '#/components/schemas/'

/** A reference to a named schema. */
export const referenceTo = (name: ComponentName): JsonSchema => ({ $ref: `${COMPONENT_PREFIX}${name}` })

/** A query parameter; it is never repeated. */
export type Parameter = {
  readonly name: string
  readonly required: boolean
  readonly description: string
  readonly schema: JsonSchema
}

/** The schemas of the wire as JSON Schema, made from the same schemas that parse and check it. */
export type DescribedSchemas = {
  readonly components: Readonly<Record<ComponentName, JsonSchema>>
  readonly parameters: Readonly<Record<QueryName, readonly Parameter[]>>
}

export type QueryName = keyof typeof QUERY_MEANINGS

/** Converts every named schema and query. */
export const describeSchemas = (): DescribedSchemas => {
  const meanings: Readonly<Record<string, Meaning>> = { ...COMPONENTS, ...QUERY_MEANINGS }
  const registry = z.registry<{ id?: string }>()
  for (const [id, { schema }] of Object.entries(meanings)) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    unrepresentable: 'any',
    uri: (id) => `${COMPONENT_PREFIX}${id}`,
    override: ({ zodSchema, jsonSchema }) => {
      // JSON Schema accepts numbers without finite bounds, such as 1e400, which `z.number()` would reject.
      if (zodSchema === QuoteRequest.shape.slippageTolerance) jsonSchema.type = 'number'
      if (isBooleanText(jsonSchema)) replaceBy(jsonSchema, { type: 'boolean' })
      if (zodSchema === COMPONENTS.Timestamp.schema) jsonSchema.format = 'date-time'
      if (zodSchema === DETAILS) replaceBy(jsonSchema, anyOf(DETAILS_OF))
      if (zodSchema === ERROR_DETAILS) replaceBy(jsonSchema, referenceTo('ErrorDetails'))
      // Of a table the keys are texts in any case.
      delete jsonSchema.propertyNames
      keepWhatIsSent(jsonSchema)
    },
  })
  const described = (name: string, meaning: Meaning): JsonSchema =>
    describe(TOLD_APART[name] ?? plain(schemas[name]), meaning)
  // CAST: the same keys as the tables that they are made from.
  return {
    components: mapValues(COMPONENTS, described) as DescribedSchemas['components'],
    parameters: mapValues(QUERY_MEANINGS, (name, meaning) =>
      parametersOf(described(name, meaning)),
    ) as DescribedSchemas['parameters'],
  }
}

const mapValues = <Value, Result>(
  table: Readonly<Record<string, Value>>,
  convert: (key: string, value: Value) => Result,
): Readonly<Record<string, Result>> =>
  Object.fromEntries(Object.entries(table).map(([key, value]) => [key, convert(key, value)]))

const oneOf = (propertyName: string, mapping: Readonly<Record<string, ComponentName>>): JsonSchema => ({
  oneOf: Object.values(mapping).map(referenceTo),
  discriminator: {
    propertyName,
    mapping: mapValues(mapping, (_, name) => `${COMPONENT_PREFIX}${name}`),
  },
})

const DETAILS = shapeOf(Status).details
const DETAILS_OF = [
  'IntentDetails',
  'ItsDetails',
  'RouterDetails',
] as const satisfies readonly ComponentName[]

const ERROR_DETAILS = ErrorBody.shape.error.shape.details

const anyOf = (names: readonly ComponentName[]): JsonSchema => ({ anyOf: names.map(referenceTo) })

const replaceBy = (schema: object, other: JsonSchema): void => {
  for (const key of Object.keys(schema)) Reflect.deleteProperty(schema, key)
  Object.assign(schema, other)
}

/** Unions that a field discriminates, which JSON Schema alone does not express. */
const TOLD_APART: Readonly<Record<string, JsonSchema>> = {
  ActionPayload: oneOf('type', {
    evm_transaction: 'EvmTransaction',
    solana_instructions: 'SolanaInstructions',
    deposit_address: 'DepositAddress',
  }),
  QuoteBackend: oneOf('type', {
    intent: 'IntentBackend',
    its: 'ItsBackend',
    gateway: 'GatewayBackend',
    'gateway-express': 'GatewayExpressBackend',
  }),
}

/** Query parameters arrive as text; OpenAPI gives them the type that the text represents. */
const isBooleanText = ({ enum: values }: z.core.JSONSchema.BaseSchema): boolean =>
  values?.join() === 'true,false'

/**
 * Removes the schemas' openness for newer services, because this service sends only named members: the last alternative
 * of a union that accepts any text or any object with a type, and additional members.
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

/** Adds the descriptions of a schema, its members and its values; `$ref` keeps its siblings in JSON Schema 2020-12. */
const describe = (schema: JsonSchema, { description, members, values }: Meaning): JsonSchema => {
  const lines = Object.entries(values).map(([value, text]) => `- \`${value}\`: ${text}`)
  const properties = Object.entries(schema.properties ?? {}).map(([name, field]) => [
    name,
    { description: members[name], ...field },
  ])
  return {
    description: [description, ...(lines.length === 0 ? [] : ['', ...lines])].join('\n'),
    ...schema,
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
  }
}

const parametersOf = ({ properties = {}, required = [] }: JsonSchema): readonly Parameter[] =>
  Object.entries(properties).map(([name, { description = '', ...schema }]) => ({
    name,
    required: required.includes(name),
    description,
    schema,
  }))
