import * as z from 'zod/mini'
import { orUnlisted } from './open.ts'

/**
 * CAIP-2: namespace and reference. Source: interface "Chain identifiers", CAIP-2.
 * @example
 * const ethereum: ChainId = ChainId.parse('eip155:1')
 */
export const ChainId = z
  .string()
  .check(
    z.regex(/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/, 'expected a CAIP-2 chain identifier such as eip155:1'),
  )
export type ChainId = z.infer<typeof ChainId>

/**
 * The chain family; it decides the payload type of actions on the chain.
 * @example
 * const payloadTypes: Record<ChainType, string> = {
 *   evm: 'evm_transaction', solana: 'solana_instructions', stellar: 'deposit_address',
 * }
 */
export const ChainType = z.enum(['evm', 'solana', 'stellar'])
export type ChainType = z.infer<typeof ChainType>

/**
 * A chain as `GET /v1/rfq/chains` lists it. Source: interface "Chain object".
 * @example
 * const chains: readonly Chain[] = await createClient({ baseUrl: 'https://rfq.example' }).getChains()
 * for (const { chainId, chainLabel, nativeToken } of chains) console.log(chainId, chainLabel, nativeToken.symbol)
 */
export const Chain = z.object({
  chainId: ChainId,
  chainLabel: z.string().check(z.minLength(1)),
  chainType: orUnlisted(ChainType),
  nativeToken: z.object({
    symbol: z.string().check(z.minLength(1)),
    decimals: z.int().check(z.minimum(0), z.maximum(36)),
    valueDecimals: z.optional(z.int().check(z.minimum(0), z.maximum(36))),
  }),
  logoUrl: z.optional(z.url()),
  explorerUrl: z.optional(z.url()),
})
export type Chain = z.infer<typeof Chain>

/**
 * The answer of `GET /v1/rfq/chains`.
 * @example
 * const familiesOf = ({ chains }: ChainsAnswer): readonly string[] => chains.map(({ chainType }) => chainType)
 */
export const ChainsAnswer = z.object({ chains: z.array(Chain) })
export type ChainsAnswer = z.infer<typeof ChainsAnswer>
