import { ChainType, Chain as ListedChain } from '@openrfq/sdk'
import { z } from 'zod'
import { WebAddress } from './web-address.ts'

/** A chain as the service knows it: as `GET /v1/rfq/chains` lists it, of a family that the service speaks. */
export const Chain = z.object({
  ...ListedChain.shape,
  chainType: ChainType,
  logoUrl: WebAddress.optional(),
  explorerUrl: WebAddress.optional(),
})
export type Chain = z.infer<typeof Chain>
