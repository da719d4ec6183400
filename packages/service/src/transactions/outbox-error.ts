import { CodedError } from '../lib/coded-error.ts'

/** Why an outbox signed or sent nothing. */
type OutboxErrorCode =
  /** As many transactions are open as the outbox keeps. */
  | 'FULL'
  /** Others took each nonce that was tried. */
  | 'NO_NONCE'
  /** The node refuses the signed bytes. */
  | 'REFUSED'

/** An outbox signed or sent nothing; `code` says why. */
export class OutboxError extends CodedError<OutboxErrorCode> {}
