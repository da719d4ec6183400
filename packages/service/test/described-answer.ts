import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

const DESCRIPTION = JSON.parse(readFileSync(join(import.meta.dirname, '../../../openapi.json'), 'utf8'))
const MAX_SHOWN_CHARACTERS = 2_000

/** The document with every object closed: the service sends only described members. */
const closed: unknown = JSON.parse(JSON.stringify(DESCRIPTION), (_key, value) =>
  Object(value).type === 'object' && 'properties' in value && !('additionalProperties' in value)
    ? { ...value, additionalProperties: false }
    : value,
)
const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(Object(closed), 'openapi')

const validators = new Map<string, ValidateFunction>()

type Validator = ((value: unknown) => boolean | Promise<unknown>) & Partial<Pick<ValidateFunction, 'errors'>>

const validatorOf = (path: string, method: string, status: number): Validator | undefined => {
  const responses = DESCRIPTION.paths[path]?.[method]?.responses
  if (responses === undefined) return undefined
  const described = status in responses ? status : `${Math.floor(status / 100)}XX`
  assert.ok(described in responses, `${method} ${path} has no response ${status}`)
  const { content } = responses[described]
  if (content?.['text/event-stream'] !== undefined)
    return (events: unknown) => assertEventsDescribed(path, String(events)) > 0
  const place = ['paths', path, method, 'responses', described, 'content', 'application/json', 'schema']
  const $ref = `openapi#/${place.map((key) => String(key).replaceAll('/', '~1')).join('/')}`
  const known = validators.get($ref) ?? ajv.compile({ $ref })
  validators.set($ref, known)
  return known
}

/** The described data of each event of the streams. */
const EVENTS: Readonly<Record<string, string>> = {
  quotes: 'QuoteAnswer',
  status: 'Status',
  refused: 'ErrorBody',
}

/** Throws AssertionError when a value does not match a named schema of openapi.json. */
export const assertComponent = (name: string, value: unknown, context: string): void => {
  const $ref = `openapi#/components/schemas/${name}`
  const validate = validators.get($ref) ?? ajv.compile({ $ref })
  validators.set($ref, validate)
  if (validate(value)) return
  const shown = JSON.stringify(value).slice(0, MAX_SHOWN_CHARACTERS)
  assert.fail(`${context} is no ${name}: ${ajv.errorsText(validate.errors)}\n${shown}`)
}

/** Throws AssertionError when the data of server-sent events, as text, does not match openapi.json. Returns their number. */
export const assertEventsDescribed = (context: string, events: string): number => {
  const found = [...events.matchAll(/^event: (\w+)\n(?:id: [^\n]+\n)?data: ([^\n]*)$/gm)]
  for (const [, name = '', data = ''] of found) {
    const component = EVENTS[name] ?? assert.fail(`${context} has the event ${name}`)
    assertComponent(component, JSON.parse(data), `${context} ${name}`)
  }
  return found.length
}

/**
 * Throws AssertionError when an answer does not match openapi.json for its path, method and status. Answers of other
 * paths pass.
 */
export const assertDescribed = (url: string, method: 'get' | 'post', status: number, body: unknown): void => {
  const validate = validatorOf(new URL(url).pathname, method, status)
  if (validate === undefined || validate(body)) return
  const shown = JSON.stringify(body).slice(0, MAX_SHOWN_CHARACTERS)
  assert.fail(`${url} is not as described: ${ajv.errorsText(validate.errors)}\n${shown}`)
}
