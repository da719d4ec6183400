import * as z from 'zod/mini'
import { Action } from './action.ts'
import { Amount, Timestamp } from './amount.ts'
import { BackendType } from './backend-type.ts'
import { IntentBackend } from './backends/intent.ts'
import { ItsBackend } from './backends/its.ts'
import { GatewayBackend, GatewayExpressBackend } from './backends/router.ts'
import { UnknownBackend } from './backends/unknown.ts'
import { ChainId } from './chain.ts'
import { FeeEntry, IntegratorFee } from './fee.ts'
import { orUnlisted, parsedAs } from './open.ts'

const anything = z.record(z.string(), z.unknown())

/**
 * The backend of a quote, told apart by `type`; `tracking` and `metadata` are those of the backend. One that this version
 * does not know is `unknown`. Source: interface "Backend object".
 * @example
 * const textOf = (backend: QuoteBackend): string => {
 *   if (backend.type === 'intent') return `intent ${backend.tracking.swapId}`
 *   return backend.type === 'unknown' ? backend.wireType : backend.name
 * }
 */
export const QuoteBackend = parsedAs(
  z.looseObject({ type: orUnlisted(BackendType), name: z.string(), tracking: anything, metadata: anything }),
  z.union([
    z.discriminatedUnion('type', [IntentBackend, ItsBackend, GatewayBackend, GatewayExpressBackend]),
    UnknownBackend,
  ]),
)
export type QuoteBackend = z.infer<typeof QuoteBackend>

/**
 * Why a quote has its rank: the first is best by value, the others say what else speaks for them.
 * @example
 * const badges: Partial<Record<SelectionReason, string>> = { fastest: 'Fastest', lowest_fee: 'Cheapest' }
 */
export const SelectionReason = z.enum([
  'highest_output',
  'lowest_input',
  'best_value',
  'fastest',
  'lowest_fee',
  'alternative',
])
export type SelectionReason = z.infer<typeof SelectionReason>

const QuoteAmount = z.object({
  chain: ChainId,
  token: z.string(),
  amount: Amount,
  amountUsdApprox: z.optional(z.string()),
})

/**
 * A quote: what is deposited, what arrives, what it costs, until when it can be started, and the actions that start it.
 * Amounts are decimal strings of base units. Source: interface "Quote object".
 * @example
 * const leastOf = ({ output }: Quote): bigint => BigInt(output.minimumAmount)
 * const secondsLeft = ({ validity }: Quote): number => (Date.parse(validity.quoteExpiresAt) - Date.now()) / 1000
 */
export const Quote = z.object({
  quoteId: z.string(),
  selectionReason: orUnlisted(SelectionReason),
  backend: QuoteBackend,
  estimatedTimeSeconds: z.number(),
  validity: z.object({
    type: orUnlisted(z.literal('expires_at')),
    quoteExpiresAt: Timestamp,
    fulfillmentDeadline: z.optional(Timestamp),
  }),
  input: QuoteAmount,
  output: z.extend(QuoteAmount, { minimumAmount: Amount }),
  fees: z.object({ gas: FeeEntry, user: FeeEntry, integrator: z.nullable(IntegratorFee) }),
  actions: z.array(Action),
})
export type Quote = z.infer<typeof Quote>

/**
 * The answer of `POST /v1/rfq/quote`: index 0 is the recommended quote.
 * @example
 * const recommended = ({ quotes: [first] }: QuoteAnswer): string | undefined => first?.quoteId
 */
export const QuoteAnswer = z.object({ quotes: z.array(Quote) })
export type QuoteAnswer = z.infer<typeof QuoteAnswer>
