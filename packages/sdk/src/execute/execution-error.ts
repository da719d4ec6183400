/**
 * Why an execution ended early. `expired`, `wrong_wallet`, `unsupported`: nothing was sent. `unreachable` (the RPC did
 * not answer) and `refused` (the chain or wallet rejected the action): this action was not sent. `reverted`: it was
 * included and failed. `uncertain`: it may have been sent and was not included in time. `no_message`: it succeeded
 * without the event that identifies the transfer.
 * @example
 * const nothingWasSent: readonly ExecutionErrorCode[] = ['expired', 'wrong_wallet', 'unsupported']
 */
export type ExecutionErrorCode =
  | 'expired'
  | 'wrong_wallet'
  | 'unsupported'
  | 'unreachable'
  | 'refused'
  | 'reverted'
  | 'uncertain'
  | 'no_message'

/**
 * Ends an execution; names the action and, once it was sent, its transaction.
 * @example
 * const adviceOn = (error: ExecutionError): string =>
 *   error.code === 'uncertain' ? `Look at ${error.txHash} before you try again.` : error.message
 */
export class ExecutionError extends Error {
  readonly code: ExecutionErrorCode
  readonly actionId: string | undefined
  readonly txHash: string | undefined
  constructor(
    code: ExecutionErrorCode,
    message: string,
    where: { readonly actionId?: string; readonly txHash?: string } = {},
    options?: { readonly cause?: unknown },
  ) {
    super(message, options)
    this.name = 'ExecutionError'
    this.code = code
    this.actionId = where.actionId
    this.txHash = where.txHash
  }
}
