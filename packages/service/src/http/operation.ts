import type { ErrorCode } from '@openrfq/sdk'
import type { ComponentName } from './openapi/components.ts'
import type { QueryName } from './openapi/json-schemas.ts'

/** An answer without an error: JSON of a named schema, or another type of text. */
export type Answer = {
  readonly description: string
  /** Absent where the answer has no body. */
  readonly content?: { readonly schema: ComponentName } | { readonly type: string }
}

/** One endpoint with its path and its description. */
export type Operation = {
  readonly operationId: string
  /** Labels the endpoint in metrics and logs. */
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly tag: 'quotes' | 'solvers' | 'documentation' | 'operations'
  readonly summary: string
  readonly description: string
  readonly query?: QueryName
  readonly body?: ComponentName
  /** By HTTP status. */
  readonly answers: Readonly<Partial<Record<200 | 204 | 503, Answer>>>
  /** Whether the answer has an `etag`, and `if-none-match` gets 304. */
  readonly cached: boolean
  /** Every code the endpoint answers, with when it does. */
  readonly errors: Readonly<Partial<Record<ErrorCode, string>>>
}

/** Requests of one client to the interface and its documentation. */
export const REQUEST_LIMIT = { max: 500, windowSeconds: 10 } as const

/** The codes that every endpoint of the interface answers. */
export const ALWAYS = {
  RATE_LIMITED: 'Too many requests; come back after the seconds in `retry-after`.',
  INTERNAL_ERROR: 'Unexpected server error; safe to retry.',
} as const
