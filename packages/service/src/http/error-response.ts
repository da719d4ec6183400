import type { ErrorBody, RfqError } from '@openrfq/sdk'
import { statusOf } from './error-status.ts'
import { HttpError } from './http-error.ts'
import { FRESH_JSON } from './response-headers.ts'

/** An error on its way out: the interface's error body under the status of its code, or under its own. */
export type ErrorResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The response to an error; one that tells when to come back says so in `retry-after` too. Source: interface "Error body". */
export const errorResponse = (error: RfqError): ErrorResponse => {
  const { code, message, details } = error
  const body: ErrorBody = { error: { code, message, details: { ...details } } }
  const retryAfter = details['retryAfterSeconds']
  return {
    status: error instanceof HttpError ? error.status : statusOf(error),
    headers: {
      ...FRESH_JSON,
      ...(typeof retryAfter === 'number' ? { 'retry-after': retryAfter.toString() } : {}),
    },
    body: JSON.stringify(body),
  }
}
