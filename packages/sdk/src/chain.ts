import { z } from 'zod'

/** CAIP-2: namespace and reference. Source: interface "Chain identifiers", CAIP-2. */
export const ChainId = z
  .string()
  .regex(/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/, 'expected a CAIP-2 chain identifier such as eip155:1')
export type ChainId = z.infer<typeof ChainId>

/** The chain family; it decides the payload type of actions on the chain. */
export const ChainType = z.enum(['evm', 'solana', 'stellar'])
export type ChainType = z.infer<typeof ChainType>

/** A chain as `GET /v1/rfq/chains` shows it. Source: interface "Chain object". */
export const Chain = z.object({
  chainId: ChainId,
  chainLabel: z.string().min(1),
  chainType: ChainType,
  nativeToken: z.object({ symbol: z.string().min(1), decimals: z.int().min(0).max(36) }),
})
export type Chain = z.infer<typeof Chain>
