/**
 * Why there is no usable answer: the service could not be reached, did not answer in time, or answered something
 * malformed.
 * @example
 * const texts: Record<TransportErrorCode, string> = {
 *   unreachable: 'No connection.', timeout: 'No answer in time.', malformed: 'Not a quote service.',
 * }
 */
export type TransportErrorCode = 'unreachable' | 'timeout' | 'malformed'

/**
 * A request without a usable answer, which says nothing about the transfer. When the service rejects a request, the
 * error is `RfqError`.
 * @example
 * const isWorthRepeating = (error: unknown): boolean => error instanceof TransportError && error.isTransient
 */
export class TransportError extends Error {
  readonly code: TransportErrorCode
  /** Whether repeating the request may succeed. */
  readonly isTransient: boolean
  constructor(
    code: TransportErrorCode,
    message: string,
    isTransient: boolean,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options)
    this.name = 'TransportError'
    this.code = code
    this.isTransient = isTransient
  }
}
