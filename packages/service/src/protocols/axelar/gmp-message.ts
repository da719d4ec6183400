import { z } from 'zod'
import { isHash } from '../../core/hex.ts'
import type { Instant } from '../../core/instant.ts'
import { visibleLine } from '../../lib/visible-text.ts'
import { maybe, word } from './maybe.ts'

const LONGEST_ERROR = 1_000
/** What failed, as others wrote it: one visible line. */
const failure = maybe(z.string().transform((text) => visibleLine(text.slice(0, LONGEST_ERROR))))
const flag = maybe(z.boolean())
const index = maybe(z.union([z.int().min(0), z.string().regex(/^\d{1,9}$/)]))
const MOST_CHILDREN = 50
/** Seconds since the Unix epoch, up to the year 2286. */
const timestamp = maybe(z.number().min(0).max(9_999_999_999))

/** A record of `searchGMP`; every field may be missing while the message is in flight. */
export const GmpRecord = z.object({
  message_id: word,
  command_id: word,
  status: word,
  gas_status: word,
  call: maybe(
    z.object({
      chain: word,
      transactionHash: word,
      eventIndex: index,
      returnValues: maybe(z.object({ messageId: word })),
    }),
  ),
  approved: maybe(z.object({ block_timestamp: timestamp })),
  executed: maybe(
    z.object({
      transactionHash: word,
      childMessageIDs: maybe(z.array(word).max(MOST_CHILDREN)),
      block_timestamp: timestamp,
    }),
  ),
  express_executed: maybe(z.object({ transactionHash: word })),
  callback: maybe(z.object({ id: word, messageIdHash: word, messageIdIndex: index })),
  error: maybe(z.object({ error: maybe(z.object({ message: failure })) })),
  is_invalid_call: flag,
  is_invalid_destination_chain: flag,
  is_invalid_source_address: flag,
  is_invalid_contract_address: flag,
  is_insufficient_fee: flag,
  not_enough_gas_to_execute: flag,
  confirm_failed: maybe(z.union([z.boolean(), z.looseObject({})])),
})
export type GmpRecord = z.infer<typeof GmpRecord>

/** Why a message can never be executed. */
type InvalidMessage =
  | 'invalid_call'
  | 'invalid_destination_chain'
  | 'invalid_source_address'
  | 'invalid_contract_address'

/** Axelarscan's view of one message: a hint where to look, never proof of a delivery. Hex ids in lower case. */
export type GmpMessage = {
  readonly messageId: string
  /** The Axelar name of the chain that it was called on, in lower case, where the record names it. */
  readonly sourceChain: string | undefined
  readonly commandId: string | undefined
  readonly status: string
  readonly executedTxHash: string | undefined
  /** The transaction that executed the message on a chain of any family, as the record writes it. */
  readonly executedTransaction: string | undefined
  /** The transaction in which an executor fronted the delivery, if any. */
  readonly expressTxHash: string | undefined
  readonly approvedAt: Instant | undefined
  readonly executedAt: Instant | undefined
  /** The message that the hub forwarded, if any. */
  readonly childMessageId: string | undefined
  readonly invalid: InvalidMessage | undefined
  readonly gasInsufficient: boolean
  readonly confirmFailed: boolean
  readonly error: string | undefined
}

const GAS_STATUSES: ReadonlySet<string> = new Set(['gas_unpaid', 'gas_paid_not_enough_gas'])
const STALLED_STATUSES: ReadonlySet<string> = new Set([
  'insufficient_fee',
  'not_enough_gas_to_execute',
  'executable_without_gas_paid',
])

const lower = (value: string | null | undefined): string | undefined =>
  value === null || value === undefined || value === '' ? undefined : lowerHex(value)

/** A transaction of an EVM chain; those of other chains, and other texts, are none. */
const txHashOf = (value: string | null | undefined): string | undefined => {
  const hash = lower(value)
  return hash !== undefined && isHash(hash) ? hash : undefined
}

const instantOf = (seconds: number | null | undefined): Instant | undefined =>
  seconds === null || seconds === undefined ? undefined : seconds * 1000

const lowerHex = (value: string): string => (value.startsWith('0x') ? value.toLowerCase() : value)

const idOf = (record: GmpRecord): string | undefined => {
  const named = lower(record.message_id) ?? lower(record.call?.returnValues?.messageId)
  if (named !== undefined) return named
  const hash = lower(record.call?.transactionHash)
  const index = record.call?.eventIndex
  return hash === undefined || index === null || index === undefined ? undefined : `${hash}-${index}`
}

const childOf = (record: GmpRecord): string | undefined => {
  const named = lower(record.executed?.childMessageIDs?.[0]) ?? lower(record.callback?.id)
  if (named !== undefined) return named
  const hash = lower(record.callback?.messageIdHash)
  const index = record.callback?.messageIdIndex
  return hash === undefined || index === null || index === undefined ? undefined : `${hash}-${index}`
}

const invalidOf = (record: GmpRecord): InvalidMessage | undefined => {
  if (record.is_invalid_call === true) return 'invalid_call'
  if (record.is_invalid_destination_chain === true) return 'invalid_destination_chain'
  if (record.is_invalid_source_address === true) return 'invalid_source_address'
  if (record.is_invalid_contract_address === true) return 'invalid_contract_address'
  return undefined
}

const gasInsufficient = (record: GmpRecord): boolean =>
  record.is_insufficient_fee === true ||
  record.not_enough_gas_to_execute === true ||
  STALLED_STATUSES.has(record.status ?? '') ||
  GAS_STATUSES.has(record.gas_status ?? '')

/** Converts a record; undefined if it does not identify its message. */
export const toGmpMessage = (record: GmpRecord): GmpMessage | undefined => {
  const messageId = idOf(record)
  if (messageId === undefined) return undefined
  const status = record.status ?? 'unknown'
  return {
    messageId,
    sourceChain: record.call?.chain?.toLowerCase(),
    commandId: lower(record.command_id),
    status,
    executedTxHash: txHashOf(record.executed?.transactionHash),
    executedTransaction: lower(record.executed?.transactionHash),
    expressTxHash: txHashOf(record.express_executed?.transactionHash),
    approvedAt: instantOf(record.approved?.block_timestamp),
    executedAt: instantOf(record.executed?.block_timestamp),
    childMessageId: childOf(record),
    invalid: invalidOf(record),
    gasInsufficient: gasInsufficient(record),
    // The event of the failure, or whether there was one.
    confirmFailed: (record.confirm_failed ?? false) !== false,
    error: status === 'error' ? (record.error?.error?.message ?? 'execution failed') : undefined,
  }
}
