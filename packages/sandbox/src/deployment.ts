import { ChainId } from '@openrfq/sdk'
import { isEvmAddress } from 'openrfq/hex'
import { Exchange, NetworkToken } from 'openrfq/network'
import { z } from 'zod'
import type { Hex } from './deployment-types.ts'

const Address = z.custom<Hex>((value) => typeof value === 'string' && isEvmAddress(value))

const DeployedChain = z.object({
  chainId: ChainId,
  chainLabel: z.string(),
  axelarName: z.string(),
  gateway: Address,
  gasService: Address,
  its: Address,
  itsFactory: Address,
  factory: Address,
  settler: Address,
  exchange: Exchange,
  expressRouter: Address,
  attestedSettler: Address,
  maxUintBits: z.int().positive(),
  maxDecimalsWhenTruncating: z.int().min(0),
})

/** The contracts and tokens on the sandbox's chains, without RPC URLs. */
export const Deployment = z.object({ chains: z.array(DeployedChain), tokens: z.array(NetworkToken) })
export type Deployment = z.infer<typeof Deployment>
