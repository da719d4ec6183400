import { RfqError } from '@openrfq/sdk'
import type { z } from 'zod'
import { excerpt } from './hide-secrets.ts'

const MAX_SHOWN_CHARACTERS = 80
const MAX_PROBLEMS = 10

type Problem = { readonly field: string; readonly message: string }

/**
 * Parses the input by the schema. Throws INVALID_REQUEST that names the first invalid field, its value and what was
 * expected; `details` contains that field and every problem found (at most 10).
 */
export const parseInput = <Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> => {
  const result = schema.safeParse(input, { reportInput: true })
  if (result.success) return result.data
  const problems = result.error.issues.slice(0, MAX_PROBLEMS).flatMap((issue) => describe(issue, input))
  const [first = { field: 'body', message: 'the request is malformed' }] = problems
  throw new RfqError('INVALID_REQUEST', first.message, { field: first.field, problems })
}

const describe = (issue: z.core.$ZodIssue, input: unknown): readonly Problem[] => {
  const field = issue.path.length === 0 ? 'body' : issue.path.join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, MAX_PROBLEMS).map((key) => {
      const name = `${field}.${excerpt(key, MAX_SHOWN_CHARACTERS)}`
      return { field: name, message: `${name} is not a known field` }
    })
  }
  const value = valueAt(input, issue.path)
  if (value === undefined) return [{ field, message: `${field} is missing; ${expectation(issue)}` }]
  return [{ field, message: `${field} is ${show(value)}; ${expectation(issue)}` }]
}

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown => {
  let value = input
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = Object.getOwnPropertyDescriptor(value, key)?.value
  }
  return value
}

const show = (value: unknown): string => {
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  // An escape that JSON puts before a private key would make it look like something else.
  const kept = typeof value === 'string' ? excerpt(value, MAX_SHOWN_CHARACTERS) : value
  return excerpt(JSON.stringify(kept) ?? String(kept), MAX_SHOWN_CHARACTERS)
}

const expectation = (issue: z.core.$ZodIssue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${issue.expected === 'object' ? 'an object' : `a ${issue.expected}`}`
    case 'invalid_value':
      return `expected one of ${issue.values.map(String).join(', ')}`
    case 'too_big':
      return `expected at most ${issue.maximum} characters`
    case 'too_small':
      return 'expected text that is not empty'
    default:
      return issue.message
  }
}
