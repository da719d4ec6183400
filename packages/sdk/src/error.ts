import { z } from 'zod'

/** The interface's closed list of error codes with their HTTP status. Source: interface "Errors". */
export const ERROR_STATUS = {
  INVALID_REQUEST: 400,
  UNSUPPORTED_CHAIN: 422,
  UNSUPPORTED_TOKEN: 422,
  UNSUPPORTED_ROUTE: 422,
  AMOUNT_OUT_OF_RANGE: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS
export type ErrorDetails = Readonly<Record<string, unknown>>

/** The body of every failed request. Source: interface "Error body". */
export const ErrorBody = z.object({
  error: z.object({
    // CAST: the keys of the table above; Object.keys widens them.
    code: z.enum(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]),
    message: z.string(),
    details: z.record(z.string(), z.unknown()),
  }),
})
export type ErrorBody = z.infer<typeof ErrorBody>

/** Ends a request with an error code; the message names the offending value and what was expected. */
export class RfqError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails
  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(message, options)
    this.name = 'RfqError'
    this.code = code
    this.details = details
  }
}
