import * as z from 'zod/mini'
import { Amount, Timestamp } from '../amount.ts'
import { ChainId } from '../chain.ts'
import { informational, informationalObject, orUnlisted } from '../open.ts'
import { Opening } from '../opening.ts'
import { COMMON_DETAILS, ReasonCode } from './details.ts'
import { COMMON_METADATA } from './terms.ts'

/**
 * The backend of a quote that a solver fills. `tracking.swapId` is the order's id, known from quote time on.
 * @example
 * const textOf = ({ tracking, metadata }: IntentBackend): string =>
 *   `order ${tracking.swapId}, filled by ${metadata.solver?.name ?? 'a solver'} until ${metadata.fillDeadline}`
 */
export const IntentBackend = z.object({
  type: z.literal('intent'),
  name: z.string(),
  tracking: informationalObject({ swapId: z.string() }),
  metadata: informationalObject({
    ...COMMON_METADATA,
    solver: informational(z.looseObject({ name: z.string(), address: z.string() })),
    fillDeadline: informational(Timestamp),
    refundAfter: informational(Timestamp),
    /** What the sender advances beside the input, and gets back; null where the source chain asks for none. */
    rent: informational(
      z.nullable(z.looseObject({ chain: ChainId, token: z.string(), amount: Amount, terms: z.string() })),
    ),
    /** Another way to deposit on Stellar, without the operator's vault; null where there is none. */
    claimableBalance: informational(z.nullable(z.looseObject({ uri: z.string(), terms: z.string() }))),
    /** How the sender may have the order opened without gas of its own; absent where the operator opens none. */
    openings: informational(z.array(Opening)),
  }),
})
export type IntentBackend = z.infer<typeof IntentBackend>

/**
 * Where an intent stands.
 * @example
 * const isPaidBack = (stage: IntentStage): boolean => stage === 'refunded'
 */
export const IntentStage = z.enum([
  'deposit_seen',
  'deposit_partial',
  'deposit_final',
  'filled_without_deposit',
  'filled_not_final',
  'fill_proven',
  'delivered',
  'declined_not_final',
  'awaiting_refund',
  'refund_submitted',
  'refund_not_final',
  'refunded',
  'chain_unreadable',
])
export type IntentStage = z.infer<typeof IntentStage>

const UnusedDeposit = z.looseObject({
  reason: orUnlisted(ReasonCode),
  token: z.string(),
  amount: Amount,
  depositTxHash: z.string(),
  /** Null until it is paid back. */
  refundTxHash: z.nullable(z.string()),
})

/**
 * The details of an intent's status. Deposits on Stellar that are not as quoted show up as `excessRefund`,
 * `extraDeposits` and `parked`.
 * @example
 * const missingOf = ({ deposited, expected }: IntentDetails): bigint => BigInt(expected ?? 0) - BigInt(deposited ?? 0)
 */
export const IntentDetails = informationalObject({
  ...COMMON_DETAILS,
  stage: informational(orUnlisted(IntentStage)),
  swapId: informational(z.string()),
  solver: informational(z.string()),
  fillDeadline: informational(Timestamp),
  refundAfter: informational(Timestamp),
  fillTxHash: informational(z.string()),
  /** The account that delivered, if it was not the quote's solver. */
  filledBy: informational(z.string()),
  refundTxHash: informational(z.string()),
  /** What has to happen before a due refund can be paid; absent if nothing. */
  refundWaitsFor: informational(z.string()),
  deposited: informational(Amount),
  expected: informational(Amount),
  excessRefund: informational(UnusedDeposit),
  extraDeposits: informational(z.array(UnusedDeposit)),
  parked: informational(z.array(z.looseObject({ token: z.string(), amount: Amount }))),
})
export type IntentDetails = z.infer<typeof IntentDetails>
