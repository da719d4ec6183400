import * as z from 'zod/mini'
import { Amount } from '../amount.ts'
import { ChainId } from '../chain.ts'
import { informational, informationalObject, orUnlisted } from '../open.ts'
import { ActionRequired, RELAY_DETAILS } from './details.ts'
import { COMMON_METADATA, MessageEvent } from './terms.ts'

const ROUTER_TRACKING = informationalObject({
  messageEvent: informational(MessageEvent),
  salt: informational(z.string()),
  symbol: informational(z.string()),
  denom: informational(z.string()),
})

const ROUTER_METADATA = informationalObject({
  ...COMMON_METADATA,
  sourceAxelarChain: informational(z.string()),
  destinationAxelarChain: informational(z.string()),
  bridge: informational(
    z.looseObject({
      denom: z.string(),
      sourceToken: z.string(),
      destinationToken: z.string(),
      amount: Amount,
      minimumAmount: Amount,
    }),
  ),
  path: informational(
    z.array(
      z.looseObject({
        chain: ChainId,
        pool: z.string(),
        feeMillionths: z.number(),
        tokenIn: z.string(),
        tokenOut: z.string(),
      }),
    ),
  ),
  express: informational(z.boolean()),
  estimatedSeconds: informational(z.looseObject({ express: z.number(), ordinary: z.number() })),
})

/**
 * The backend of a quote that crosses by Axelar's gateway as the same token, whole. `metadata.bridge` is that token, and
 * `metadata.path` is empty.
 * @example
 * const wayOf = ({ tracking, metadata }: GatewayBackend): string =>
 *   `${tracking.symbol} crosses to ${metadata.destinationAxelarChain}`
 */
export const GatewayBackend = z.object({
  type: z.literal('gateway'),
  name: z.string(),
  tracking: ROUTER_TRACKING,
  metadata: ROUTER_METADATA,
})
export type GatewayBackend = z.infer<typeof GatewayBackend>

/**
 * The backend of a quote that swaps, crosses by Axelar's gateway with a call, and swaps again. `metadata.bridge` is the
 * token that crosses, in its base units; `metadata.path` are the pools of both chains in order.
 * @example
 * const poolsOf = ({ metadata: { path = [] } }: GatewayExpressBackend): readonly string[] =>
 *   path.map(({ chain, pool, feeMillionths }) => `${pool} on ${chain}, ${feeMillionths / 10_000} %`)
 */
export const GatewayExpressBackend = z.object({
  type: z.literal('gateway-express'),
  name: z.string(),
  tracking: ROUTER_TRACKING,
  metadata: ROUTER_METADATA,
})
export type GatewayExpressBackend = z.infer<typeof GatewayExpressBackend>

/**
 * The details of the status of a `gateway` or `gateway-express` transfer; `bridgedAmount` in base units of the token that
 * crosses. `returnTxHash` is the transaction that sent it back, `refundTxHash` the payment on the source chain.
 * @example
 * const isOnItsWayBack = ({ returnTxHash }: RouterDetails): boolean => returnTxHash !== undefined
 */
export const RouterDetails = informationalObject({
  ...RELAY_DETAILS,
  backendStatus: informational(z.string()),
  transferId: informational(z.string()),
  bridgedAmount: informational(Amount),
  returnTxHash: informational(z.string()),
  refundTxHash: informational(z.string()),
  /** What somebody has to do on Axelar before the message moves on. */
  actionRequired: informational(orUnlisted(ActionRequired)),
})
export type RouterDetails = z.infer<typeof RouterDetails>
