import { CodedError } from '../../lib/coded-error.ts'

/** Why there is no usable answer of Axelar's servers. */
type AxelarErrorCode =
  /** No answer of 2xx with JSON came in time. */
  | 'NO_ANSWER'
  /** The server refused the request with a status of 4xx; another time will not help. */
  | 'REFUSED'
  /** The answer has another shape. */
  | 'MALFORMED'
  /** Axelar has no fees between two chains. */
  | 'NO_FEES'
  /** Some of several reads failed. */
  | 'INCOMPLETE'

/** There is no usable answer of Axelar's servers; `code` is the reason. */
export class AxelarError extends CodedError<AxelarErrorCode> {}
