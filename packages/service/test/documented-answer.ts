import assert from 'node:assert/strict'
import {
  Chain,
  ErrorBody,
  ErrorDetails,
  ListedToken,
  OpeningAnswer,
  QuoteAnswer,
  RecoveryAnswer,
  SearchAnswer,
  SolversAnswer,
  Status,
  TransferAnswer,
  TransfersAnswer,
} from '@openrfq/sdk'
import { z } from 'zod'

const ANSWERS: Readonly<Record<string, z.core.$ZodType>> = {
  '/v1/rfq/chains': z.object({ chains: z.array(Chain) }),
  '/v1/rfq/tokens': z.object({ tokens: z.array(ListedToken) }),
  '/v1/rfq/quote': QuoteAnswer,
  '/v1/rfq/status': Status,
  '/v1/rfq/transfer': TransferAnswer,
  '/v1/rfq/transfers': TransfersAnswer,
  '/v1/rfq/recovery': RecoveryAnswer,
  '/v1/rfq/search': SearchAnswer,
  '/v1/rfq/orders': OpeningAnswer,
  '/v1/solvers': SolversAnswer,
}

/**
 * Throws AssertionError when a service answer does not match the SDK's schemas exactly: every member is named and of
 * its type, informational ones too, every value is in its list, and parsing leaves the answer unchanged. Answers of
 * other endpoints pass.
 */
export const assertDocumented = (url: string, status: number, body: unknown): void => {
  const answer = ANSWERS[new URL(url).pathname]
  if (answer === undefined) return
  const schema = status === 200 ? answer : ErrorBody
  assert.deepEqual(z.parse(schema, body), body, `${url} is not read as it was sent`)
  assert.deepEqual(undocumented(schema, body, ''), [], `${url} is not documented`)
  if (status === 200) return
  const { details } = ErrorBody.parse(body).error
  assert.deepEqual(undocumented(ErrorDetails, details, 'details'), [], `${url} is not documented`)
}

/** Paths of the value that the schema leaves open: unnamed members, and values outside their lists. */
const undocumented = (schema: z.core.$ZodType, value: unknown, path: string): readonly string[] => {
  // CAST: every schema is one of zod's own.
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'record')
    return Object.entries(Object(value)).flatMap(([name, one]) =>
      undocumented(def.valueType, one, `${path}.${name}`),
    )
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

/**
 * Of a union, the first member that accepts the value; the last is the fallback for newer services, if there is one.
 */
const inUnion = (options: readonly z.core.$ZodType[], value: unknown, path: string): readonly string[] => {
  const known = options.filter((option) => !isOpen(option))
  const taking = known.find((option) => z.safeParse(option, value).success)
  return taking === undefined ? [path] : undocumented(taking, value, path)
}

const isTransform = (schema: z.core.$ZodType): boolean => schema._zod.def.type === 'transform'

/** Whether a schema accepts any text or any type of object, as the SDK's fallbacks for newer services do. */
const isOpen = (schema: z.core.$ZodType): boolean => {
  // CAST: every schema is one of zod's own.
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'string') return (def.checks ?? []).length === 0
  return def.type === 'pipe' && isTransform(def.out) && z.safeParse(schema, NEWER).success
}

const NEWER = { type: 'newer', name: '', tracking: {}, metadata: {} }
