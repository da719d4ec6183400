import type { ChainId } from '../wire/chain.ts'

/**
 * A status lookup: `quoteId` alone finds a transfer. `messageId` and `sourceChain`, only together, name the source
 * transaction of an `its`, `gateway` or `gateway-express` transfer once it is mined, and spare the service its search. Source: interface "GET /v1/rfq/status".
 * @example
 * const query: StatusQuery = { quoteId: 'quote_…', messageId: '0x…-2', sourceChain: 'eip155:1' }
 */
export type StatusQuery = {
  readonly quoteId: string
  readonly messageId?: string | undefined
  readonly sourceChain?: ChainId | undefined
}
