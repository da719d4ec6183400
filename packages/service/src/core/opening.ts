import { type OpeningAnswer as AnswerOnWire, OpeningMethod } from '@openrfq/sdk'
import { z } from 'zod'
import type { Closed } from './written.ts'

/** More than the wallets of contracts need; a body has 16 kB in all. */
const MAX_SIGNATURE_DIGITS = 4_096
const Signature = z
  .string()
  .regex(
    new RegExp(`^0x([0-9a-fA-F]{2}){1,${MAX_SIGNATURE_DIGITS / 2}}$`),
    `expected a signature: 0x and at most ${MAX_SIGNATURE_DIGITS} hex digits`,
  )

/**
 * The body of `POST /v1/rfq/orders`: a quote, and its sender's signatures of what the quote says is to be signed for a method, in
 * the quote's order.
 */
export const OpeningRequest = z.strictObject({
  quoteId: z.string().regex(/^[A-Za-z0-9_-]{1,128}$/, 'expected the quoteId of a quote'),
  method: OpeningMethod,
  signatures: z.array(Signature).min(1, 'expected a signature').max(2, 'expected one or two signatures'),
})
export type OpeningRequest = z.infer<typeof OpeningRequest>

/** The state of an opening; clients parse it as the SDK's `OpeningAnswer`. */
export type OpeningAnswer = Closed<AnswerOnWire>
