import { CodedError } from '../lib/coded-error.ts'

/** Why a payment cannot be signed. */
type PaymentErrorCode =
  | 'TOO_LATE'
  | 'TOO_LARGE'
  /** The paying account does not exist. */
  | 'NO_ACCOUNT'
  | 'UNKNOWN_TOKEN'
  /** The recipient cannot be paid now. */
  | 'NOT_PAYABLE'
  /** Another signer has not signed it. */
  | 'UNSIGNED'
  /** A payment that excludes it was signed. */
  | 'OPPOSED'

/** A payment cannot be signed; `code` says why. */
export class PaymentError extends CodedError<PaymentErrorCode> {}
