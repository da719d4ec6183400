import * as z from 'zod/mini'
import { Amount, Timestamp } from '../amount.ts'
import { informational, informationalObject, orUnlisted } from '../open.ts'
import { ActionRequired, RELAY_DETAILS } from './details.ts'
import { COMMON_METADATA, MessageEvent } from './terms.ts'

/**
 * The backend of a quote over Axelar's Interchain Token Service. `metadata.dust` is what is too small to arrive, in base
 * units of the input token.
 * @example
 * const lossOf = ({ metadata }: ItsBackend): bigint => BigInt(metadata.dust ?? 0)
 */
export const ItsBackend = z.object({
  type: z.literal('its'),
  name: z.string(),
  tracking: informationalObject({
    messageEvent: informational(MessageEvent),
    tokenId: informational(z.string()),
    sourceAxelarChain: informational(z.string()),
    destinationAxelarChain: informational(z.string()),
  }),
  metadata: informationalObject({
    ...COMMON_METADATA,
    hubRouted: informational(z.boolean()),
    tokenManager: informational(z.string()),
    tokenManagerType: informational(z.string()),
    dust: informational(Amount),
  }),
})
export type ItsBackend = z.infer<typeof ItsBackend>

const Hop = z.looseObject({
  from: z.string(),
  to: z.string(),
  messageId: z.string(),
  status: z.string(),
  approvedAt: z.optional(Timestamp),
  executedAt: z.optional(Timestamp),
})

/**
 * The details of an interchain transfer's status: a hop to Axelar's hub and one from it. `actionRequired` says what
 * somebody has to do on Axelar before the message moves on.
 * @example
 * const hopsOf = ({ hops = [] }: ItsDetails): readonly string[] =>
 *   hops.map(({ from, to, status }) => `${from} to ${to}: ${status}`)
 */
export const ItsDetails = informationalObject({
  ...RELAY_DETAILS,
  hops: informational(z.array(Hop)),
  error: informational(z.string()),
  actionRequired: informational(orUnlisted(ActionRequired)),
})
export type ItsDetails = z.infer<typeof ItsDetails>
