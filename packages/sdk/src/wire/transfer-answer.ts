import * as z from 'zod/mini'
import { DepositAddress } from './action.ts'
import { Amount, Timestamp } from './amount.ts'
import { BackendType } from './backend-type.ts'
import { RefundTerms } from './backends/terms.ts'
import { ChainId } from './chain.ts'
import { orUnlisted } from './open.ts'
import { OrderType } from './order-type.ts'
import { Status } from './status.ts'

const RecordedInput = z.object({
  chain: ChainId,
  token: z.string(),
  amount: Amount,
  amountUsdApprox: z.optional(z.string()),
})

/**
 * What the service keeps of a quote: the terms of its transfer, without the actions. `deposit` is where a quote that is
 * paid by a plain payment is paid; `refund` is null for backends that state none. USD values are those of the moment of the quote,
 * and absent where it had no price.
 * @example
 * const linesOf = ({ sender, recipient, refund }: RecordedQuote): readonly string[] =>
 *   [`from ${sender} to ${recipient}`, refund?.terms ?? 'no refund']
 */
export const RecordedQuote = z.object({
  quoteId: z.string(),
  backend: z.object({ type: orUnlisted(BackendType), name: z.string() }),
  createdAt: Timestamp,
  quoteExpiresAt: Timestamp,
  fulfillmentDeadline: z.optional(Timestamp),
  estimatedTimeSeconds: z.number(),
  orderType: orUnlisted(OrderType),
  sender: z.string(),
  recipient: z.string(),
  input: RecordedInput,
  output: z.extend(RecordedInput, { minimumAmount: Amount }),
  refund: z.nullable(RefundTerms),
  deposit: z.nullable(DepositAddress),
})
export type RecordedQuote = z.infer<typeof RecordedQuote>

/**
 * The answer of `GET /v1/rfq/transfer`: a quote and where its transfer is now. `quote` is null when the service has no such
 * quote.
 * @example
 * const textOf = ({ quote, status }: TransferAnswer): string => `${quote?.input.amount ?? 'unknown'}: ${status.state}`
 */
export const TransferAnswer = z.object({ quote: z.nullable(RecordedQuote), status: Status })
export type TransferAnswer = z.infer<typeof TransferAnswer>

/**
 * The answer of `GET /v1/rfq/transfers`: a page, newest quote first. `next` is the `before` of the next page, null at the end.
 * @example
 * const openOf = ({ transfers }: TransfersAnswer) => transfers.filter(({ status }) => !isTerminal(status.state))
 */
export const TransfersAnswer = z.object({
  transfers: z.array(TransferAnswer),
  next: z.nullable(z.string()),
})
export type TransfersAnswer = z.infer<typeof TransfersAnswer>

/**
 * The answer of `GET /v1/rfq/search`: at most ten transfers, newest quote first.
 * @example
 * const idsOf = ({ transfers }: SearchAnswer) => transfers.map(({ status }) => status.quoteId)
 */
export const SearchAnswer = z.object({ transfers: z.array(TransferAnswer) })
export type SearchAnswer = z.infer<typeof SearchAnswer>
