import * as z from 'zod/mini'
import { informational, informationalObject } from '../open.ts'
import { RELAY_DETAILS } from './details.ts'
import { COMMON_METADATA, MessageEvent } from './terms.ts'

/**
 * The backend of a quote over `sendToken` of Axelar's gateway.
 * @example
 * const wayOf = ({ tracking, metadata }: GatewayBackend): string =>
 *   `${tracking.symbol} arrives on ${metadata.destinationAxelarChain} as ${metadata.destinationSymbol}`
 */
export const GatewayBackend = z.object({
  type: z.literal('gateway'),
  name: z.string(),
  tracking: informationalObject({
    denom: informational(z.string()),
    symbol: informational(z.string()),
    messageEvent: informational(MessageEvent),
  }),
  metadata: informationalObject({
    ...COMMON_METADATA,
    sourceAxelarChain: informational(z.string()),
    destinationAxelarChain: informational(z.string()),
    destinationSymbol: informational(z.string()),
  }),
})
export type GatewayBackend = z.infer<typeof GatewayBackend>

/**
 * The details of a gateway transfer's status; `backendStatus` is what Axelar's indexer calls it.
 * @example
 * const textOf = ({ transferId, backendStatus }: GatewayDetails): string => `Axelar transfer ${transferId}: ${backendStatus}`
 */
export const GatewayDetails = informationalObject({
  ...RELAY_DETAILS,
  backendStatus: informational(z.string()),
  transferId: informational(z.string()),
})
export type GatewayDetails = z.infer<typeof GatewayDetails>
