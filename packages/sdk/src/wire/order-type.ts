import * as z from 'zod/mini'

/**
 * Which side of the transfer the requested amount fixes.
 * @example
 * const fixed: OrderType = 'EXACT_INPUT'
 */
export const OrderType = z.enum(['EXACT_INPUT', 'EXACT_OUTPUT'])
export type OrderType = z.infer<typeof OrderType>

/**
 * How much allowance an approval asks for: exactly the input, or an unlimited one that stays.
 * @example
 * const mode: ApprovalMode = 'EXACT'
 */
export const ApprovalMode = z.enum(['EXACT', 'MAX'])
export type ApprovalMode = z.infer<typeof ApprovalMode>
