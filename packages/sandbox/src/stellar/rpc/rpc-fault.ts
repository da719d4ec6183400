/** Error codes. Source: JSON-RPC 2.0. */
export const RPC_CODES = { invalidRequest: -32600, unknownMethod: -32601, invalidParameters: -32602 } as const

/** An error answer: JSON-RPC code and message. */
export class RpcFault extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.name = 'RpcFault'
    this.code = code
  }
}
