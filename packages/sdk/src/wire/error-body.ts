import * as z from 'zod/mini'
import { Amount } from './amount.ts'
import { informational, informationalObject, orUnlisted } from './open.ts'

/**
 * The error codes of the interface. Clients branch on the code, never on the message. Source: interface "Errors".
 * @example
 * const isMyFault = (code: ErrorCode): boolean => code === 'INVALID_REQUEST'
 */
export const ErrorCode = z.enum([
  'INVALID_REQUEST',
  'UNSUPPORTED_CHAIN',
  'UNSUPPORTED_TOKEN',
  'UNSUPPORTED_ROUTE',
  'AMOUNT_OUT_OF_RANGE',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
])
export type ErrorCode = z.infer<typeof ErrorCode>

/**
 * Why a recipient cannot be paid on its chain: `reasonCode` in the details of INVALID_REQUEST. Codes are stable.
 * @example
 * const canBeMended = (reason: RecipientReason): boolean => reason === 'no_trustline' || reason === 'no_account'
 */
export const RecipientReason = z.enum([
  'no_account',
  'no_trustline',
  'not_associated',
  'not_authorised',
  'limit',
  'not_a_wallet',
  'memo_required',
  'unknown_token',
])
export type RecipientReason = z.infer<typeof RecipientReason>

const Bound = z.nullable(Amount)

/**
 * The details of an error, which depend on its code; each member only informs and may be absent.
 * @example
 * const leastOf = (error: RfqError): string | null | undefined => ErrorDetails.parse(error.details).minimum
 */
export const ErrorDetails = informationalObject({
  field: informational(z.string()),
  value: informational(z.string()),
  problems: informational(z.array(z.looseObject({ field: z.string(), message: z.string() }))),
  expected: informational(z.string()),
  maximumBytes: informational(z.int()),
  chain: informational(z.string()),
  token: informational(z.string()),
  fromChain: informational(z.string()),
  fromToken: informational(z.string()),
  toChain: informational(z.string()),
  toToken: informational(z.string()),
  reasonCode: informational(orUnlisted(RecipientReason)),
  reason: informational(z.string()),
  amount: informational(Amount),
  minimum: informational(Bound),
  maximum: informational(Bound),
  backends: informational(z.record(z.string(), z.looseObject({ minimum: Amount, maximum: Bound }))),
  unpriced: informational(z.array(z.string())),
  retryAfterSeconds: informational(z.number()),
  requestId: informational(z.string()),
})
export type ErrorDetails = z.infer<typeof ErrorDetails>

/**
 * The body of every refused request. Source: interface "Error body".
 * @example
 * const response = await fetch('https://rfq.example/v1/rfq/status')
 * if (!response.ok) console.log(ErrorBody.parse(await response.json()).error.code)
 */
export const ErrorBody = z.object({
  error: z.object({
    code: orUnlisted(ErrorCode),
    message: z.string(),
    details: z.record(z.string(), z.unknown()),
  }),
})
export type ErrorBody = z.infer<typeof ErrorBody>
