import type { ErrorCode } from '../wire/error-body.ts'
import type { Unlisted } from '../wire/open.ts'

/** Facts about a refusal, such as the offending field; the shape depends on the code. */
type ErrorDetails = Readonly<Record<string, unknown>>

/**
 * A request that the service refused, with a code of the interface; the message names the offending value and what was
 * expected. Source: interface "Errors".
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
