import type { ErrorBody, RfqError } from '@openrfq/sdk'
import { statusOf } from './error-status.ts'

/** One HTTP answer before the headers every answer carries; `headers` alternates names and values. */
export type Answer = {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: Buffer | string
  /** Says that a text holds ASCII only: then nobody has to read it to count its bytes. */
  readonly isAscii?: true
}

const JSON_TYPE = ['content-type', 'application/json; charset=utf-8'] as const

/** Headers of JSON that no cache may keep. */
export const FRESH_JSON: readonly string[] = [...JSON_TYPE, 'cache-control', 'no-store']

/** Headers of JSON that caches may keep for `maxAgeSeconds`. */
export const cachedJson = (maxAgeSeconds: number): readonly string[] => [
  ...JSON_TYPE,
  'cache-control',
  `public, max-age=${maxAgeSeconds}`,
]

/** An uncached JSON answer of a plain value. */
export const jsonAnswer = (value: unknown, status = 200): Answer => ({
  status,
  headers: FRESH_JSON,
  body: JSON.stringify(value),
})

/**
 * The interface's error body with the code's own status, or with the status that HTTP has for a request that no
 * endpoint ever saw (404, 405, 408, 417, 431). Source: interface "Error body".
 */
export const errorAnswer = (
  error: RfqError,
  status: number = statusOf(error),
  headers: readonly string[] = [],
): Answer => {
  const body: ErrorBody = {
    error: { code: error.code, message: error.message, details: { ...error.details } },
  }
  return { status, headers: [...FRESH_JSON, ...headers], body: JSON.stringify(body) }
}
