import { ApprovalMode, ChainId, OrderType } from '@openrfq/sdk'
import { z } from 'zod'
import { isQuoteId, type QuoteId } from '../core/quote-id.ts'

const LiteralBoolean = z.codec(z.enum(['true', 'false']), z.boolean(), {
  decode: (text) => text === 'true',
  encode: (value) => (value ? 'true' : 'false'),
})

/**
 * The query of `GET /v1/rfq/tokens`; `verified` is literally `true` or `false`, and `backend` one of those that are served.
 * Source: interface "GET /v1/rfq/tokens".
 */
export const tokensRequest = <Backend extends z.core.$ZodType<string>>(backend: Backend) =>
  z.object({ chain: z.optional(ChainId), backend: z.optional(backend), verified: z.optional(LiteralBoolean) })

/** The query of `GET /v1/rfq/status`. Source: interface "GET /v1/rfq/status". */
export const StatusRequest = z.object({
  quoteId: z.string().regex(/^[A-Za-z0-9_-]{1,128}$/, 'expected the quoteId of a quote'),
  messageId: z
    .string()
    .regex(/^[!-~]{1,256}$/, 'expected a source-transaction identifier of at most 256 printable characters')
    .optional(),
  sourceChain: z.optional(ChainId),
})

/** The query of `GET /v1/rfq/recovery`: that of the status, and the account that would sign. */
export const RecoveryRequest = StatusRequest.extend({
  account: z
    .string()
    .regex(/^[A-Za-z0-9]{1,128}$/, 'expected an address of a chain')
    .optional(),
})

/** The query of `GET /v1/rfq/search`. */
export const SearchRequest = z.object({
  text: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,256}$/, 'expected a hash, a message id, an address or the id of a quote'),
})

const Parameter = z.string().min(1).max(128)

/** The query of `GET /v1/rfq/quote/stream`: a quote request as text, whose fields are checked as those of its body. */
export const QuoteStreamRequest = z.object({
  fromChain: ChainId,
  fromToken: Parameter,
  toChain: ChainId,
  toToken: Parameter,
  amount: Parameter,
  orderType: OrderType,
  sender: Parameter,
  recipient: Parameter,
  slippageTolerance: z.string().max(128).optional(),
  approvalMode: z.optional(ApprovalMode),
})
export type QuoteStreamRequest = z.infer<typeof QuoteStreamRequest>

const MOST_TRANSFERS = 100
const WHOLE = `expected a whole number from 1 to ${MOST_TRANSFERS}`
const USUAL_TRANSFERS = 20

/** The query of `GET /v1/rfq/transfers`. */
export const TransfersRequest = z.object({
  address: z.string().regex(/^[A-Za-z0-9]{1,128}$/, 'expected an address of a chain'),
  limit: z
    .codec(z.string().regex(/^[1-9][0-9]{0,2}$/, WHOLE), z.int().max(MOST_TRANSFERS, WHOLE), {
      decode: Number,
      encode: String,
    })
    .default(USUAL_TRANSFERS),
  before: z
    .string()
    .transform((text, context): QuoteId => {
      if (isQuoteId(text)) return text
      context.addIssue('expected the `next` of a page')
      return z.NEVER
    })
    .optional(),
})
