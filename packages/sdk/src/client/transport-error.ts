/**
 * What went wrong on the way to the service: nobody answered, nobody answered in time, or the answer was not in shape.
 * @example
 * const texts: Record<TransportErrorCode, string> = {
 *   unreachable: 'No connection.', timeout: 'No answer in time.', malformed: 'Not a quote service.',
 * }
 */
export type TransportErrorCode = 'unreachable' | 'timeout' | 'malformed'

/**
 * A request without a usable answer; it says nothing about the transfer. What the service itself refuses is `RfqError`.
 * @example
 * const isWorthRepeating = (error: unknown): boolean => error instanceof TransportError && error.isTransient
 */
export class TransportError extends Error {
  readonly code: TransportErrorCode
  /** Whether the same request may work later. */
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
