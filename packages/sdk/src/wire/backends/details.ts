import * as z from 'zod/mini'
import { Timestamp } from '../amount.ts'
import { informational, informationalObject, orUnlisted } from '../open.ts'
import { TransferState } from '../transfer.ts'

/**
 * Why a transfer failed, waits, is refunded, paid less than was promised, or is not found; codes are stable.
 * @example
 * const isNobodysFault = (reason: ReasonCode): boolean => reason === 'not_filled' || reason === 'declined'
 */
export const ReasonCode = z.enum([
  'source_tx_reverted',
  'delivery_failed',
  'hub_frozen',
  'hub_disabled',
  'not_on_hub',
  'supply_short',
  'amount_too_small',
  'destination_deactivated',
  'core_failed',
  'invalid_call',
  'invalid_destination_chain',
  'invalid_source_address',
  'invalid_contract_address',
  'output_below_minimum',
  'not_filled',
  'declined',
  'deposit_short',
  'excess',
  'second',
  'late',
  'wrong_asset',
  'unknown_quote',
  'other_source_chain',
  'message_of_other_transfer',
])
export type ReasonCode = z.infer<typeof ReasonCode>

/**
 * A stage of a transfer and when the service first saw it; `stage` is absent where the backend names none.
 * @example
 * const textOf = ({ state, stage, at }: SeenStage): string => `${at} ${stage ?? state}`
 */
export const SeenStage = z.looseObject({
  state: orUnlisted(TransferState),
  stage: z.optional(z.string()),
  at: Timestamp,
})
export type SeenStage = z.infer<typeof SeenStage>

/** Members of a status's details that every backend may set. */
export const COMMON_DETAILS = {
  reasonCode: informational(orUnlisted(ReasonCode)),
  /** A chain or indexer cannot be read now, so that the state may be old. */
  stale: informational(z.boolean()),
  /** No deposit came in time. */
  expired: informational(z.boolean()),
  /** When the transfer should be over. */
  expectedBy: informational(Timestamp),
  /** That time is past. */
  overdue: informational(z.boolean()),
  /** False while the delivery of a DONE transfer is not final; absent afterwards. */
  deliveryFinal: informational(z.boolean()),
  /** The chain took the delivery of a DONE transfer back; the other details describe the transfer's present state. */
  deliveryReverted: informational(z.boolean()),
  /** The stages that the service has seen, the first one first. */
  stages: informational(z.array(SeenStage)),
}

/**
 * The details of a status without a backend, or with one that this version does not know.
 * @example
 * const isLate = ({ overdue, stale }: CommonDetails): boolean => overdue === true || stale === true
 */
export const CommonDetails = informationalObject({ ...COMMON_DETAILS, stage: informational(z.string()) })
export type CommonDetails = z.infer<typeof CommonDetails>

/**
 * Where a transfer that Axelar relays stands. From `called` to `executed` they are the steps that Axelar's indexer names.
 * @example
 * const isStuck = (stage: RelayStage): boolean => stage === 'gas_insufficient' || stage === 'execution_error'
 */
export const RelayStage = z.enum([
  'source_reverted_not_final',
  'source_reverted',
  'awaiting_finality',
  'awaiting_relay',
  'relay_unreadable',
  'called',
  'confirmable',
  'confirming',
  'confirmed',
  'approvable',
  'approving',
  'approved',
  'express_executable',
  'express_executed',
  'executable',
  'executing',
  'executed',
  'hub_refused',
  'leaving_hub',
  'core_failed',
  'invalid_message',
  'gas_insufficient',
  'execution_error',
  'confirmation_failed',
  'delivery_not_seen',
  'delivery_not_verified',
  'destination_unreadable',
  'delivered_not_final',
  'delivered',
  'returned_not_final',
  'awaiting_return_gas',
  'returning',
  'refund_not_final',
  'refunded',
])
export type RelayStage = z.infer<typeof RelayStage>

/**
 * What somebody has to do on Axelar before a message moves on: pay more cross-chain gas, have it confirmed again, or have its
 * failed event tried again.
 * @example
 * const adviceOf = (action: ActionRequired): string => (action === 'add_gas' ? 'Add gas' : 'Ask Axelar')
 */
export const ActionRequired = z.enum(['add_gas', 'confirm', 'retry_failed_event', 'execute_at_hub'])
export type ActionRequired = z.infer<typeof ActionRequired>

/** What the details of every backend over Axelar may say. */
export const RELAY_DETAILS = {
  ...COMMON_DETAILS,
  /** The parameters that identify a transfer that the service cannot find by its quote. */
  needs: informational(z.array(z.string())),
  /** Message ids of transfers with the quote's terms that belong to a newer quote. */
  candidates: informational(z.array(z.string())),
  stage: informational(orUnlisted(RelayStage)),
  /** 1: the only RPC endpoint of one of the chains tells the state alone. */
  endpoints: informational(z.int()),
}
