/** Why a payment cannot be signed. */
export type PaymentErrorCode =
  | 'TOO_LATE'
  | 'TOO_LARGE'
  /** The paying account does not exist. */
  | 'NO_ACCOUNT'
  | 'UNKNOWN_TOKEN'
  /** The recipient cannot be paid now. */
  | 'NOT_PAYABLE'
  /** A payment that excludes it was signed. */
  | 'OPPOSED'

/** A payment cannot be signed; `code` says why. */
export class PaymentError extends Error {
  readonly code: PaymentErrorCode
  constructor(code: PaymentErrorCode, message: string) {
    super(message)
    this.name = 'PaymentError'
    this.code = code
  }
}
