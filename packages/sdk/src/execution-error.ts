/**
 * Why a quote was not executed to its end:
 * `expired`, `wrong_wallet`, `unsupported`: nothing was sent; `unreachable`: the RPC did not answer, and `refused`: the
 * chain or wallet would not take the action, both before this action was sent; `reverted`: mined and failed;
 * `uncertain`: perhaps sent and not seen mined in time, so its outcome is open; `no_message`: mined and successful
 * without the event that names the transfer.
 */
export type ExecutionFault =
  | 'expired'
  | 'wrong_wallet'
  | 'unsupported'
  | 'unreachable'
  | 'refused'
  | 'reverted'
  | 'uncertain'
  | 'no_message'

/** Ends an execution; names the action and, once it was sent, its transaction. */
export class ExecutionError extends Error {
  readonly fault: ExecutionFault
  readonly actionId: string | undefined
  readonly txHash: string | undefined
  constructor(
    fault: ExecutionFault,
    message: string,
    where: { readonly actionId?: string; readonly txHash?: string } = {},
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'ExecutionError'
    this.fault = fault
    this.actionId = where.actionId
    this.txHash = where.txHash
  }
}
