import assert from 'node:assert/strict'
import { Chain, ErrorBody, ListedToken, QuoteAnswer, Status } from '@openrfq/sdk'
import { z } from 'zod'

const ANSWERS: Readonly<Record<string, z.core.$ZodType>> = {
  '/v1/rfq/chains': z.object({ chains: z.array(Chain) }),
  '/v1/rfq/tokens': z.object({ tokens: z.array(ListedToken) }),
  '/v1/rfq/quote': QuoteAnswer,
  '/v1/rfq/status': Status,
}

/**
 * Throws AssertionError when an answer of the service is not exactly what the SDK's schemas say: every member is named and
 * of its type, also those that only inform, every value is in its list, and clients get it as it was sent. Answers of other
 * endpoints pass.
 */
export const assertDocumented = (url: string, status: number, body: unknown): void => {
  const answer = ANSWERS[new URL(url).pathname]
  if (answer === undefined) return
  const schema = status === 200 ? answer : ErrorBody
  assert.deepEqual(z.parse(schema, body), body, `${url} is not read as it was sent`)
  assert.deepEqual(undocumented(schema, body, ''), [], `${url} is not documented`)
}

/** The places of a value that a schema leaves open: members it does not name, and values beside its lists. */
const undocumented = (schema: z.core.$ZodType, value: unknown, path: string): readonly string[] => {
  // CAST: every schema is one of zod's own.
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'object') return inObject(def.shape, value, path)
  if (def.type === 'array') {
    const elements: readonly unknown[] = Array.isArray(value) ? value : []
    return elements.flatMap((element, index) => undocumented(def.element, element, `${path}.${index}`))
  }
  if (def.type === 'optional' || def.type === 'nullable' || def.type === 'catch')
    return value === null || value === undefined ? [] : undocumented(def.innerType, value, path)
  if (def.type === 'pipe') return undocumented(isTransform(def.out) ? def.in : def.out, value, path)
  if (def.type === 'union') return inUnion(def.options, value, path)
  return z.safeParse(schema, value).success ? [] : [path]
}

const inObject = (
  shape: Readonly<Record<string, z.core.$ZodType>>,
  value: unknown,
  path: string,
): readonly string[] =>
  Object.entries(Object(value)).flatMap(([name, member]) => {
    const schema = shape[name]
    return schema === undefined ? [`${path}.${name}`] : undocumented(schema, member, `${path}.${name}`)
  })

/** Of a union the first member that takes the value; the last is what newer services may send, where there is such a one. */
const inUnion = (options: readonly z.core.$ZodType[], value: unknown, path: string): readonly string[] => {
  const known = options.filter((option) => !isOpen(option))
  const taking = known.find((option) => z.safeParse(option, value).success)
  return taking === undefined ? [path] : undocumented(taking, value, path)
}

const isTransform = (schema: z.core.$ZodType): boolean => schema._zod.def.type === 'transform'

/** Any text, or an object of any type: what the SDK's schemas add for newer services. */
const isOpen = (schema: z.core.$ZodType): boolean => {
  // CAST: every schema is one of zod's own.
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'string') return (def.checks ?? []).length === 0
  return def.type === 'pipe' && isTransform(def.out) && z.safeParse(schema, NEWER).success
}

const NEWER = { type: 'newer', name: '', tracking: {}, metadata: {} }
