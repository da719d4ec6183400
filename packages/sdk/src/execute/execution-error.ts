import type { GuardCode } from '../guard/guard-code.ts'

/**
 * Why an execution ended early. `no_quote` (nothing prices the pair now), `unsafe` (a guard refused the quote),
 * `unsupported`: nothing of this quote was sent.
 * `expired`, `wrong_wallet` (another account or chain than the quote's), `unreachable` (the RPC did not answer) and `refused` (the
 * chain or wallet rejected the action): this action was not sent. A swap may have sent actions before, of the same quote or of one
 * that expired: `sent` of the error. `reverted`: it was included and failed. `uncertain`: it may have been sent and was not included
 * in time. `no_message`: it succeeded without the event that identifies the transfer.
 * @example
 * const quoteWasNotSent: readonly ExecutionErrorCode[] = ['unsafe', 'no_quote', 'unsupported']
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

/**
 * An action that was sent before an execution ended.
 * @example
 * const textOf = ({ actionId, txHash }: SentAction): string => `${actionId}: ${txHash}`
 */
export type SentAction = { readonly actionId: string; readonly txHash: string }

/** Where an execution ended. */
type Where = {
  readonly actionId?: string | undefined
  readonly txHash?: string | undefined
  readonly guard?: GuardCode | undefined
  readonly sent?: readonly SentAction[] | undefined
  readonly isTransient?: boolean | undefined
}

/**
 * Ends an execution; names the action and, once it was sent, its transaction. `guard` is what an `unsafe` quote failed. `sent` are
 * the actions that `swap` had sent before, such as an approval; the other functions tell them by `onAction` alone. `isTransient`: the
 * same call may succeed soon. It is true of `no_quote` where the service answered no quote, which it does while nothing can price the
 * pair, and false of every other error.
 * @example
 * const adviceOn = (error: ExecutionError): string =>
 *   error.code === 'uncertain' ? `Look at ${error.txHash} before you try again.` : error.message
 */
export class ExecutionError extends Error {
  readonly code: ExecutionErrorCode
  readonly actionId: string | undefined
  readonly txHash: string | undefined
  readonly guard: GuardCode | undefined
  readonly sent: readonly SentAction[]
  readonly isTransient: boolean
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
    this.sent = where.sent ?? []
    this.isTransient = where.isTransient ?? false
  }
}

/** The error of a swap that had sent these actions before; the message names them. Anything but an ExecutionError stays as it is. */
export const afterSending = (error: unknown, sent: readonly SentAction[]): unknown => {
  if (!(error instanceof ExecutionError)) return error
  const before = sent.filter(({ txHash }) => txHash !== error.txHash)
  if (before.length === 0) return error
  const { code, actionId, txHash, guard, isTransient, cause } = error
  const named = before.map((action) => `${action.actionId} ${action.txHash}`).join(', ')
  const where = { actionId, txHash, guard, sent: before, isTransient }
  return new ExecutionError(code, `${error.message}; sent before: ${named}`, where, { cause })
}
