import { z } from 'zod'

/** Which side of the transfer `amount` fixes. Source: interface "POST /v1/rfq/quote". */
export const OrderType = z.enum(['EXACT_INPUT', 'EXACT_OUTPUT'])
export type OrderType = z.infer<typeof OrderType>

/** How much allowance the approval action requests. Source: interface "options object". */
export const ApprovalMode = z.enum(['EXACT', 'MAX'])
export type ApprovalMode = z.infer<typeof ApprovalMode>
