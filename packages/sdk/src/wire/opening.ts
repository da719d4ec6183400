import * as z from 'zod/mini'
import { orUnlisted } from './open.ts'

/**
 * How the sender of an order lets somebody else open it. `allowance`: the sender signs the order, and has allowed the settler
 * to spend the input before. `erc3009`: it signs a token's `ReceiveWithAuthorization`. `permit2`: it signs a transfer of
 * Permit2, which it has allowed to spend the input before. `erc2612`: it signs a token's `Permit`, and the order.
 * @example
 * const needsNoTransactionEver = (method: OpeningMethod): boolean => method === 'erc3009' || method === 'erc2612'
 */
export const OpeningMethod = z.enum(['allowance', 'erc3009', 'permit2', 'erc2612'])
export type OpeningMethod = z.infer<typeof OpeningMethod>

/**
 * Typed data of EIP-712 as JSON: whole numbers of 256 bits are decimal text.
 * @example
 * const paramsOf = (sender: string, typedData: TypedData) =>
 *   ({ method: 'eth_signTypedData_v4', params: [sender, JSON.stringify(typedData)] })
 */
export const TypedData = z.looseObject({
  domain: z.record(z.string(), z.unknown()),
  types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
  primaryType: z.string(),
  message: z.record(z.string(), z.unknown()),
})
export type TypedData = z.infer<typeof TypedData>

/**
 * A way to have the order of a quote opened, and what its sender signs for it, in this order.
 * @example
 * const countOf = ({ typedData }: Opening): string => `${typedData.length} signatures`
 */
export const Opening = z.looseObject({ method: orUnlisted(OpeningMethod), typedData: z.array(TypedData) })
export type Opening = z.infer<typeof Opening>

/**
 * Where an opening stands. `submitted`: its transaction is signed and sent. `opened`: the order is open in final blocks, by this
 * transaction or, if it reverted, by the same call that somebody else sent first. `failed`: the transaction reverted, or can never
 * be mined, and the order is not open. `declined`: nothing was signed; the reason says why.
 * @example
 * const canStillSendActions = (state: OpeningState): boolean => state === 'failed' || state === 'declined'
 */
export const OpeningState = z.enum(['submitted', 'opened', 'failed', 'declined'])
export type OpeningState = z.infer<typeof OpeningState>

/**
 * Why nothing was signed. `would_fail`: the opening reverts now, for want of funds or allowance, or for a signature that its
 * account does not accept. `not_backed`: the sender has not held the input for some blocks. `too_expensive`: gas costs more now
 * than the operator pays. `unavailable`: the chain cannot be read, or the operator's account is empty.
 * @example
 * const mayHelpLater = (reason: OpeningReason): boolean => reason !== 'would_fail'
 */
export const OpeningReason = z.enum(['would_fail', 'not_backed', 'too_expensive', 'unavailable'])
export type OpeningReason = z.infer<typeof OpeningReason>

/**
 * The answer of `POST /v1/rfq/orders`. `swapId` is the order's id; `txHash` is null and `reason` is not exactly if it was
 * declined.
 * @example
 * const textOf = ({ state, txHash, reason }: OpeningAnswer): string => `${state} ${txHash ?? reason ?? ''}`
 */
export const OpeningAnswer = z.object({
  quoteId: z.string(),
  swapId: z.string(),
  state: orUnlisted(OpeningState),
  txHash: z.nullable(z.string()),
  reason: z.nullable(orUnlisted(OpeningReason)),
})
export type OpeningAnswer = z.infer<typeof OpeningAnswer>
