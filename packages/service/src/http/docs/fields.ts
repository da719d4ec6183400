import { COMPONENTS } from '../openapi/components.ts'
import { COMPONENT_PREFIX, type JsonSchema } from '../openapi/json-schemas.ts'
import type { Meaning } from '../openapi/meaning.ts'
import { details, html, prose } from './markup.ts'

/** The named schemas of the description. */
export type Schemas = Readonly<Record<string, JsonSchema>>

const MEANINGS: ReadonlyMap<string, Meaning> = new Map(Object.entries(COMPONENTS))

/**
 * The members of an object, one block each: name, type and text, and its type's members to any depth. `presence` marks
 * required members.
 */
export const fieldsOf = (schemas: Schemas, schema: JsonSchema, presence: string): string =>
  Object.entries(schema.properties ?? {})
    .map(([name, field]) => {
      const isPresent = schema.required?.includes(name) === true
      return fieldOf(schemas, { name, field, flag: isPresent ? presence : 'optional', presence })
    })
    .join('\n')

type Field = {
  readonly name: string
  readonly field: JsonSchema
  readonly flag: string
  readonly presence: string
}

const fieldOf = (schemas: Schemas, { name, field, flag, presence }: Field): string =>
  `<div class="field"><p class="head"><code class="name">${html(name)}</code> ${typeOf(schemas, field)} <span class="flag">${flag}</span></p>
<p>${prose(field.description ?? '')}</p>
${insideOf(schemas, field, presence)}</div>`

/** A parameter as a field. */
export const parameterField = (
  schemas: Schemas,
  {
    name,
    schema,
    required,
    description,
  }: {
    readonly name: string
    readonly schema: JsonSchema
    readonly required: boolean
    readonly description: string
  },
): string =>
  fieldOf(schemas, {
    name,
    field: { ...schema, description },
    flag: required ? 'required' : 'optional',
    presence: 'always',
  })

const nameOf = ({ $ref = '' }: JsonSchema): string => $ref.slice(COMPONENT_PREFIX.length)

/** Whether a named schema is text that one line describes, and not an object, list or union. */
const isText = ({ properties, enum: values, oneOf, anyOf }: JsonSchema): boolean =>
  (properties ?? values ?? oneOf ?? anyOf) === undefined

/** Whether the values of a table have a type. */
const hasValues = (schema: JsonSchema | undefined): schema is JsonSchema =>
  schema !== undefined && Object.keys(schema).length > 0

/** A short name of a type. */
const typeOf = (schemas: Schemas, schema: JsonSchema): string => {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return choices.map((choice) => typeOf(schemas, choice)).join(' or ')
  if (schema.items !== undefined) return `array of ${typeOf(schemas, schema.items)}`
  if (hasValues(schema.additionalProperties))
    return `table of ${typeOf(schemas, schema.additionalProperties)}`
  if (schema.$ref !== undefined) {
    const name = nameOf(schema)
    const isLinked = isText(schemas[name] ?? {}) || schemas[name]?.enum !== undefined
    return isLinked ? `<a href="#${name}">${name}</a>` : `<span class="type">${name}</span>`
  }
  if (schema.const !== undefined) return `<code>${html(JSON.stringify(schema.const))}</code>`
  return `<span class="type">${html([schema.type ?? 'any'].flat().join(' or '))}</span>`
}

/** The expandable contents of a type: members, values or alternatives. */
const insideOf = (schemas: Schemas, schema: JsonSchema, presence: string): string => {
  if (schema.items !== undefined) return insideOf(schemas, schema.items, presence)
  if (hasValues(schema.additionalProperties)) return insideOf(schemas, schema.additionalProperties, presence)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return choices.map((choice) => insideOf(schemas, choice, presence)).join('')
  const named = schemas[nameOf(schema)]
  if (named === undefined || isText(named)) return ''
  const name = nameOf(schema)
  const text = prose(MEANINGS.get(name)?.description ?? '')
  return details(`<code>${name}</code>`, `<p>${text}</p>${contentOf(schemas, name, presence)}`)
}

/** The values of a list, the members of an object, or the alternatives of a union, without the type's name. */
export const contentOf = (schemas: Schemas, name: string, presence: string): string => {
  const schema = schemas[name] ?? {}
  if (schema.properties !== undefined) return fieldsOf(schemas, schema, presence)
  if (schema.enum !== undefined) return valuesOf(name)
  return insideOf(schemas, { anyOf: schema.oneOf ?? schema.anyOf ?? [] }, presence)
}

const valuesOf = (name: string): string =>
  `<dl>${Object.entries(MEANINGS.get(name)?.values ?? {})
    .map(([value, text]) => `<dt><code>${html(value)}</code></dt><dd>${prose(text)}</dd>`)
    .join('\n')}</dl>`
