import { ApprovalMode, ChainId, OrderType } from '@openrfq/sdk'
import { z } from 'zod'

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
