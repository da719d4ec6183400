import type { GuardCode } from '../guard/guard-code.ts'

/**
 * Why an execution ended early. `no_quote` (nothing prices the pair now), `unsafe` (a guard refused the quote), `wrong_wallet`,
 * `unsupported`: nothing was sent.
 * `expired`, `unreachable` (the RPC did not answer) and `refused` (the chain or wallet rejected the action): this action was not
 * sent, and nothing at all where no action is named. `reverted`: it was
 * included and failed. `uncertain`: it may have been sent and was not included in time. `no_message`: it succeeded
 * without the event that identifies the transfer.
 * @example
 * const nothingWasSent: readonly ExecutionErrorCode[] = ['unsafe', 'wrong_wallet', 'unsupported']
 */
export type ExecutionErrorCode =
  | 'no_quote'
  | 'unsafe'
  | 'expired'
  | 'wrong_wallet'
  | 'unsupported'
  | 'unreachable'
  | 'refused'
  | 'reverted'
  | 'uncertain'
  | 'no_message'

/** Where an execution ended. */
type Where = {
  readonly actionId?: string | undefined
  readonly txHash?: string | undefined
  readonly guard?: GuardCode | undefined
}

/**
 * Ends an execution; names the action and, once it was sent, its transaction. `guard` is what an `unsafe` quote failed.
 * @example
 * const adviceOn = (error: ExecutionError): string =>
 *   error.code === 'uncertain' ? `Look at ${error.txHash} before you try again.` : error.message
 */
export class ExecutionError extends Error {
  readonly code: ExecutionErrorCode
  readonly actionId: string | undefined
  readonly txHash: string | undefined
  readonly guard: GuardCode | undefined
  constructor(
    code: ExecutionErrorCode,
    message: string,
    where: Where = {},
    options?: { readonly cause?: unknown },
  ) {
    super(message, options)
    this.name = 'ExecutionError'
    this.code = code
    this.actionId = where.actionId
    this.txHash = where.txHash
    this.guard = where.guard
  }
}
