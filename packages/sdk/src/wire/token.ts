import * as z from 'zod/mini'
import { BackendType } from './backend-type.ts'
import { ChainId } from './chain.ts'
import { orUnlisted } from './open.ts'

/**
 * A token as `GET /v1/rfq/tokens` lists it. The address is in the chain's own text form; warn people before they use one
 * that is not `verified`. Source: interface "Token object".
 * @example
 * const tokens: readonly ListedToken[] = await createClient({ baseUrl: 'https://rfq.example' }).getTokens()
 * const usdc = tokens.find(({ chainId, symbol, verified }) => chainId === 'eip155:1' && symbol === 'USDC' && verified)
 */
export const ListedToken = z.object({
  chainId: ChainId,
  address: z.string().check(z.minLength(1)),
  symbol: z.string().check(z.minLength(1)),
  name: z.string().check(z.minLength(1)),
  decimals: z.int().check(z.minimum(0), z.maximum(36)),
  verified: z.boolean(),
  backends: z.array(orUnlisted(BackendType)),
  logoUrl: z.optional(z.url()),
  coinGeckoId: z.optional(z.string().check(z.minLength(1))),
  stellar: z.optional(
    z.object({
      code: z.string().check(z.regex(/^[0-9A-Za-z]{1,12}$/)),
      issuer: z.string().check(z.minLength(1)),
    }),
  ),
})
export type ListedToken = z.infer<typeof ListedToken>

/**
 * The answer of `GET /v1/rfq/tokens`.
 * @example
 * const symbolsOf = ({ tokens }: TokensAnswer): readonly string[] => tokens.map(({ symbol }) => symbol)
 */
export const TokensAnswer = z.object({ tokens: z.array(ListedToken) })
export type TokensAnswer = z.infer<typeof TokensAnswer>
