import { z } from 'zod'
import { ChainId } from './chain.ts'

/** The states of one quote being executed. Source: interface "States and transitions". */
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

/** Whether nothing can change the state any more. Source: interface "States and transitions". */
export const isTerminal = (state: TransferState): boolean =>
  state === 'DONE' || state === 'REFUNDED' || state === 'FAILED'

/** Base units as text, as the wire shows an amount that was really moved. */
const MovedAmount = z.object({ chain: ChainId, token: z.string(), amount: z.string() })

export const TransferSource = z.object({
  chain: ChainId,
  txHash: z.string(),
  messageId: z.string().nullable(),
  timestamp: z.string(),
})
export type TransferSource = z.infer<typeof TransferSource>

export const TransferDestination = z.object({ chain: ChainId, txHash: z.string(), timestamp: z.string() })
export type TransferDestination = z.infer<typeof TransferDestination>

export const TransferOutput = MovedAmount
export type TransferOutput = z.infer<typeof TransferOutput>

export const TransferRefund = MovedAmount.extend({ txHash: z.string() })
export type TransferRefund = z.infer<typeof TransferRefund>
