/** A JSON-RPC error answer: a code of JSON-RPC 2.0 or of Solana's nodes, a message, and for some codes data. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number
  readonly context: unknown

  constructor(code: number, message: string, context?: unknown) {
    super(message)
    this.code = code
    this.context = context
  }
}

/** The error codes of the node. Source: Agave, rpc-client-api/src/custom_error.rs, and JSON-RPC 2.0. */
export const RPC_ERROR_CODES = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  preflightFailure: -32002,
  signatureVerification: -32003,
  nodeUnhealthy: -32005,
  slotSkipped: -32007,
  unsupportedTransactionVersion: -32015,
  minContextSlotNotReached: -32016,
} as const

/** Rejects parameters with -32602. */
export const invalidParams = (message: string): RpcError =>
  new RpcError(RPC_ERROR_CODES.invalidParams, message)
