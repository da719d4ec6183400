import type { ErrorBody, RfqError } from '@openrfq/sdk'
import { statusOf } from './error-status.ts'
import { hideSecrets } from './hide-secrets.ts'
import { HttpError } from './http-error.ts'
import { FRESH_JSON } from './response-headers.ts'

/** An error as an HTTP answer: the interface's error body, under the status of its code or its own. */
export type ErrorResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Builds the answer to an error; a retry time is also sent as `retry-after`, and
 * what looks like a private key is not repeated. Source: interface "Error body". */
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
    body: hideSecrets(JSON.stringify(body)),
  }
}
