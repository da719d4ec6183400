import * as z from 'zod/mini'
import { Amount, Timestamp } from './amount.ts'
import { ChainId } from './chain.ts'

/**
 * The states of a transfer. Source: interface "States and transitions".
 * @example
 * const isBack = (state: TransferState): boolean => state === 'REFUNDED'
 */
export const TransferState = z.enum([
  'AWAITING_DEPOSIT',
  'PENDING',
  'DONE',
  'REFUND_PENDING',
  'REFUND_INITIATED',
  'REFUNDED',
  'FAILED',
])
export type TransferState = z.infer<typeof TransferState>

/**
 * The states that a status may have: those of a transfer, and NOT_FOUND where there is none.
 * @example
 * const isKnown = (state: StatusState): boolean => state !== 'NOT_FOUND'
 */
export const StatusState = z.enum([...TransferState.options, 'NOT_FOUND'])
export type StatusState = z.infer<typeof StatusState>

const MovedAmount = z.object({ chain: ChainId, token: z.string(), amount: Amount })

/**
 * The transaction that started a transfer; `messageId` is null where the quote alone identifies it.
 * @example
 * const keyOf = ({ chain, txHash, messageId }: TransferSource): string => messageId ?? `${chain} ${txHash}`
 */
export const TransferSource = z.object({
  chain: ChainId,
  txHash: z.string(),
  messageId: z.nullable(z.string()),
  timestamp: Timestamp,
})
export type TransferSource = z.infer<typeof TransferSource>

/**
 * The transaction that delivered a transfer.
 * @example
 * const secondsOf = (from: TransferSource, to: TransferDestination): number =>
 *   (Date.parse(to.timestamp) - Date.parse(from.timestamp)) / 1000
 */
export const TransferDestination = z.object({ chain: ChainId, txHash: z.string(), timestamp: Timestamp })
export type TransferDestination = z.infer<typeof TransferDestination>

/**
 * What the recipient received, in base units.
 * @example
 * const receivedOf = ({ amount }: TransferOutput): bigint => BigInt(amount)
 */
export const TransferOutput = MovedAmount
export type TransferOutput = z.infer<typeof TransferOutput>

/**
 * What came back on the source chain, in base units, and the transaction that paid it.
 * @example
 * const refundText = ({ amount, txHash }: TransferRefund): string => `${amount} base units in ${txHash}`
 */
export const TransferRefund = z.extend(MovedAmount, { txHash: z.string() })
export type TransferRefund = z.infer<typeof TransferRefund>
