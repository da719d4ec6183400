import type { Status, TransferState } from '@openrfq/sdk'
import {
  type ErrorCode,
  ExecutionError,
  type ExecutionErrorCode,
  RfqError,
  TransportError,
} from '@openrfq/sdk'
import { ConfigError } from '../core/config-error.ts'
import { UsageError } from './usage-error.ts'

/** The exit codes of the process; see `rfq --help`. */
export const EXIT = {
  done: 0,
  fault: 1,
  usage: 2,
  notServed: 3,
  failed: 4,
  refunded: 5,
  pending: 6,
} as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** One help line per exit code. */
export const EXIT_HELP = [
  ['0', 'done'],
  ['1', 'fault: network, 5xx, rate limit, expired quote'],
  ['2', 'the command line or the request is wrong'],
  ['3', 'not served: unsupported chain, token or route, amount out of range, no quotes'],
  ['4', 'the transfer failed, the chain refused an action, a vault is short, or a check found an error'],
  ['5', 'the transfer was refunded, or its refund was sent'],
  ['6', 'not at its end yet: timed out or pending'],
] as const

const BY_CODE = {
  INVALID_REQUEST: EXIT.usage,
  UNSUPPORTED_CHAIN: EXIT.notServed,
  UNSUPPORTED_TOKEN: EXIT.notServed,
  UNSUPPORTED_ROUTE: EXIT.notServed,
  AMOUNT_OUT_OF_RANGE: EXIT.notServed,
  RATE_LIMITED: EXIT.fault,
  INTERNAL_ERROR: EXIT.fault,
} as const satisfies Record<ErrorCode, ExitCode>

const BY_EXECUTION_CODE = {
  no_quote: EXIT.fault,
  unsafe: EXIT.failed,
  expired: EXIT.fault,
  wrong_wallet: EXIT.usage,
  unsupported: EXIT.notServed,
  unreachable: EXIT.fault,
  refused: EXIT.failed,
  reverted: EXIT.failed,
  uncertain: EXIT.pending,
  no_message: EXIT.fault,
} as const satisfies Record<ExecutionErrorCode, ExitCode>

const BY_STATE = {
  AWAITING_DEPOSIT: EXIT.pending,
  PENDING: EXIT.pending,
  DONE: EXIT.done,
  REFUND_PENDING: EXIT.pending,
  REFUND_INITIATED: EXIT.refunded,
  REFUNDED: EXIT.refunded,
  FAILED: EXIT.failed,
  NOT_FOUND: EXIT.pending,
} as const satisfies Record<TransferState | 'NOT_FOUND', ExitCode>

/** The exit code of a transfer in this state. */
export const exitCodeOfState = (state: Status['state']): ExitCode => codeOf(BY_STATE, state, EXIT.pending)

/** The exit code of a state that a newer service may have added. */
const codeOf = (table: Readonly<Record<string, ExitCode>>, text: string, unlisted: ExitCode): ExitCode =>
  (Object.hasOwn(table, text) ? table[text] : undefined) ?? unlisted

/** The exit code of a command that failed with an error. */
export const exitCodeOfError = (error: unknown): ExitCode => {
  if (error instanceof UsageError || error instanceof ConfigError) return EXIT.usage
  if (error instanceof RfqError) return codeOf(BY_CODE, error.code, EXIT.fault)
  if (error instanceof ExecutionError) return BY_EXECUTION_CODE[error.code]
  return EXIT.fault
}

/** An error as JSON, in the shape of the interface's error body; the service's own codes are unchanged. */
export const errorDocument = (error: unknown): object => {
  if (error instanceof RfqError)
    return { error: { code: error.code, message: error.message, details: error.details } }
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof UsageError || error instanceof ConfigError)
    return { error: { code: 'USAGE', message, details: {} } }
  if (error instanceof ExecutionError) {
    const details = { fault: error.code, actionId: error.actionId, txHash: error.txHash }
    return { error: { code: 'EXECUTION', message, details } }
  }
  const details = error instanceof TransportError ? { kind: error.code } : {}
  return { error: { code: 'FAULT', message, details } }
}
