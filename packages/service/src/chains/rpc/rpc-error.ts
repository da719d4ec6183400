import { CodedError } from '../../lib/coded-error.ts'

/** Why a chain could not be read. */
export type RpcErrorCode =
  /** The connection to an endpoint failed. */
  | 'UNREACHABLE'
  | 'TIMED_OUT'
  | 'TOO_LARGE'
  /** HTTP 429 or 5xx. */
  | 'OVERLOADED'
  /** The node answered a call with an error. */
  | 'REFUSED'
  /** The answer is in another form, contradicts itself, or is about something else. */
  | 'MALFORMED'
  | 'WRONG_CHAIN'
  /** The node has not reached the requested block; another node may have. */
  | 'NODE_BEHIND'
  /** The node no longer has the requested history; another node may have it. */
  | 'NODE_PRUNED'
  /** The node does not tell classic payments. */
  | 'NO_CLASSIC_EVENTS'
  /** The node accepts no more such requests now. */
  | 'NODE_BUSY'
  /** No endpoint of the chain gave an answer. */
  | 'NO_ANSWER'
  /** Too few endpoints of the chain agree. */
  | 'NO_AGREEMENT'
  /** A block's time is further ahead of our clock than the chain's configuration tolerates. */
  | 'AHEAD_OF_CLOCK'
  /** The chain's head is unknown. */
  | 'NO_HEAD'
  /** The chain has more data than one read accepts. */
  | 'TOO_MUCH'
  /** The chain was reorganised during the read. */
  | 'CHAIN_CHANGED'

/** A chain could not be read; `code` says why. Its message never contains the address of an endpoint, which may hold credentials. */
export class RpcError extends CodedError<RpcErrorCode> {}

/** The endpoint asks to be left alone, for `waitMs` milliseconds if it says so. */
export class OverloadedError extends RpcError {
  readonly waitMs: number | undefined
  constructor(message: string, waitMs: number | undefined) {
    super('OVERLOADED', message)
    this.waitMs = waitMs
  }
}

/** The code of an RpcError; undefined for any other error. */
export const rpcErrorCode = (error: unknown): RpcErrorCode | undefined =>
  error instanceof RpcError ? error.code : undefined
