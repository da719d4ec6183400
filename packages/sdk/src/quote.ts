import { z } from 'zod'
import { Action } from './action.ts'
import { BackendType } from './backend-type.ts'
import { ChainId } from './chain.ts'
import { FeeEntry, IntegratorFee } from './fee.ts'

const Timestamp = z.string().regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$/)

const QuoteAmount = z.object({
  chain: ChainId,
  token: z.string(),
  amount: z.string(),
  amountUsdApprox: z.string().optional(),
})

/** A quote on the wire. Source: interface "Quote object" and the objects it names. */
export const Quote = z.object({
  quoteId: z.string(),
  selectionReason: z.string(),
  backend: z.object({
    type: BackendType,
    name: z.string(),
    tracking: z.record(z.string(), z.unknown()),
    metadata: z.record(z.string(), z.unknown()),
  }),
  estimatedTimeSeconds: z.number(),
  validity: z.object({
    type: z.literal('expires_at'),
    quoteExpiresAt: Timestamp,
    fulfillmentDeadline: Timestamp.optional(),
  }),
  input: QuoteAmount,
  output: QuoteAmount.extend({ minimumAmount: z.string() }),
  fees: z.object({ gas: FeeEntry, user: FeeEntry, integrator: IntegratorFee.nullable() }),
  actions: z.array(Action),
})
export type Quote = z.infer<typeof Quote>

/** The response of `POST /v1/rfq/quote`: index 0 is the recommended quote. */
export const QuoteAnswer = z.object({ quotes: z.array(Quote) })
export type QuoteAnswer = z.infer<typeof QuoteAnswer>
