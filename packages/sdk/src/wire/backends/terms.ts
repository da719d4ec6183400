import * as z from 'zod/mini'
import { Amount } from '../amount.ts'
import { ChainId } from '../chain.ts'
import { informational, orUnlisted } from '../open.ts'

/**
 * What a warning is about; codes are stable.
 * @example
 * const severe: readonly WarningCode[] = ['high_loss']
 */
export const WarningCode = z.enum([
  'unverified_token',
  'high_loss',
  'high_value_loss',
  'high_slippage',
  'dust_lost',
  'unreliable_solver',
  'ranked_without_prices',
  'bridged_token',
])
export type WarningCode = z.infer<typeof WarningCode>

/**
 * Something a user should know before signing.
 * @example
 * const linesOf = (warnings: readonly Warning[]): readonly string[] => warnings.map(({ message }) => message)
 */
export const Warning = z.looseObject({
  code: orUnlisted(WarningCode),
  message: z.string(),
  /** Of `high_value_loss`: how much less the output is worth than the input and its costs, in basis points. */
  lossBps: z.optional(z.number()),
})
export type Warning = z.infer<typeof Warning>

/**
 * What happens to the deposit when the transfer cannot be fulfilled: `automatic` refunds go to `address` in `token`, less
 * `cost` in base units; without them a stalled transfer stays retryable. `terms` is a sentence for people.
 * @example
 * const refundText = (refund: RefundTerms): string =>
 *   refund.automatic ? `${refund.terms} (to ${refund.address}, within ${refund.expectedSeconds} s)` : refund.terms
 */
export const RefundTerms = z.discriminatedUnion('automatic', [
  z.looseObject({
    automatic: z.literal(true),
    /** Whether the service submits the refund; else it waits for the depositor, or anybody. */
    keeper: z.optional(z.boolean()),
    address: z.string(),
    chain: ChainId,
    token: z.string(),
    cost: Amount,
    expectedSeconds: z.number(),
    terms: z.string(),
    /** What carrying the refund back costs somebody else than the user, in the chain's native base units. */
    returnGas: z.optional(z.looseObject({ chain: ChainId, amount: Amount, paidBy: z.string() })),
  }),
  z.looseObject({
    automatic: z.literal(false),
    address: z.null(),
    chain: z.null(),
    token: z.null(),
    cost: z.null(),
    expectedSeconds: z.null(),
    terms: z.string(),
  }),
])
export type RefundTerms = z.infer<typeof RefundTerms>

/**
 * The event of the source transaction whose position makes a `messageId`, for clients that name one.
 * @example
 * const isEvent = (event: MessageEvent, log: { address: string; topics: readonly string[] }): boolean =>
 *   log.address.toLowerCase() === event.address.toLowerCase() && log.topics[0] === event.topic
 */
export const MessageEvent = z.looseObject({
  /** The contract that emits it: Axelar's gateway. */
  address: z.string(),
  /** Topic 0. */
  topic: z.string(),
  /** How the id is made, as a sentence. */
  rule: z.string(),
})
export type MessageEvent = z.infer<typeof MessageEvent>

/** What the metadata of every backend says; `priceImpactBps` is null where a price is missing. */
export const COMMON_METADATA = {
  priceImpactBps: informational(z.nullable(z.number())),
  refund: informational(RefundTerms),
  warnings: informational(z.array(Warning)),
}
