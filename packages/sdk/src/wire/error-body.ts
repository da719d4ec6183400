import * as z from 'zod/mini'
import { orUnlisted } from './open.ts'

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
