import { CodedError } from '../../lib/coded-error.ts'

/** Why Axelar's servers told nothing of use. */
type AxelarErrorCode =
  /** No answer of 2xx with JSON came in time. */
  | 'NO_ANSWER'
  /** The answer has another shape. */
  | 'MALFORMED'
  /** Axelar has no fees between two chains. */
  | 'NO_FEES'
  /** Some of several reads failed. */
  | 'INCOMPLETE'

/** Axelar's servers told nothing of use; `code` says why. */
export class AxelarError extends CodedError<AxelarErrorCode> {}
