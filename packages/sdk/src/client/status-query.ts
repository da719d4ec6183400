import type { ChainId } from '../wire/chain.ts'

/**
 * A status lookup. `its`, `gateway` and `gateway-express` need `messageId` and `sourceChain` together, known once the
 * source transaction is mined. Source: interface "GET /v1/rfq/status".
 * @example
 * const query: StatusQuery = { quoteId: 'quote_…', messageId: '0x…-2', sourceChain: 'eip155:1' }
 */
export type StatusQuery = {
  readonly quoteId: string
  readonly messageId?: string | undefined
  readonly sourceChain?: ChainId | undefined
}
