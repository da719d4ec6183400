import type { ErrorCode } from '../wire/error-body.ts'
import type { Unlisted } from '../wire/open.ts'

/** Details of an error, such as the offending field; their shape depends on the code. */
type ErrorDetails = Readonly<Record<string, unknown>>

/**
 * A request that the service rejected, with an error code of the interface. The message names the offending value and
 * the expected one. Source: interface "Errors".
 * @example
 * const ask = async (client: Client, params: QuoteParams) => {
 *   try {
 *     return await client.getQuotes(params)
 *   } catch (error) {
 *     if (error instanceof RfqError && error.code === 'AMOUNT_OUT_OF_RANGE') return error.details
 *     throw error
 *   }
 * }
 */
export class RfqError extends Error {
  readonly code: ErrorCode | Unlisted
  readonly details: ErrorDetails
  constructor(
    code: ErrorCode | Unlisted,
    message: string,
    details: ErrorDetails = {},
    options?: { readonly cause?: unknown },
  ) {
    super(message, options)
    this.name = 'RfqError'
    this.code = code
    this.details = details
  }
}
