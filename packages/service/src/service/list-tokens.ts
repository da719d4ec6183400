import { RfqError } from '@openrfq/sdk'
import type { Listing, ServedToken } from './listing.ts'
import type { TokenFilter } from './use-cases.ts'

/** The served tokens that pass every given filter. Throws UNSUPPORTED_CHAIN. Source: interface "GET /v1/rfq/tokens". */
export const listTokens = (listing: Listing, filter: TokenFilter): readonly ServedToken[] => {
  const { chain, backend, verified } = filter
  if (chain !== undefined && listing.chain(chain) === undefined)
    throw new RfqError('UNSUPPORTED_CHAIN', `chain is not supported: ${chain}`, { chain })
  return listing.tokens.filter(
    (token) =>
      (chain === undefined || token.chainId === chain) &&
      (backend === undefined || token.backends.includes(backend)) &&
      (verified === undefined || token.verified === verified),
  )
}
