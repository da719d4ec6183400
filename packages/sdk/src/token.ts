import { z } from 'zod'
import { BackendType } from './backend-type.ts'
import { ChainId } from './chain.ts'

/** A token of the catalogue: its identity and display fields. The address is canonical. */
export const Token = z.object({
  chainId: ChainId,
  address: z.string().min(1),
  symbol: z.string().min(1),
  name: z.string().min(1),
  decimals: z.int().min(0).max(36),
  verified: z.boolean(),
})
export type Token = z.infer<typeof Token>

/** A token as `GET /v1/rfq/tokens` shows it. Source: interface "Token object". */
export const ListedToken = Token.extend({ backends: z.array(BackendType) })
export type ListedToken = z.infer<typeof ListedToken>
