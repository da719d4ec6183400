import type { ChainId } from './chain.ts'

/**
 * A status lookup. `its`, `gateway` and `gateway-express` need `messageId` and `sourceChain` together, known once the
 * source transaction is mined. Source: interface "GET /v1/rfq/status".
 */
export type StatusQuery = {
  readonly quoteId: string
  readonly messageId?: string | undefined
  readonly sourceChain?: ChainId | undefined
}
