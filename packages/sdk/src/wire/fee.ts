import * as z from 'zod/mini'
import { Amount } from './amount.ts'
import { ChainId } from './chain.ts'
import { orUnlisted } from './open.ts'

/**
 * The token of a fee: a token contract, or the chain's native asset. Source: interface "Fee entry".
 * @example
 * const nameOf = (token: FeeToken): string => ('address' in token ? token.address : `native ${token.symbol}`)
 */
export const FeeToken = z.union([
  z.object({ chain: ChainId, symbol: z.string(), address: z.string() }),
  z.object({ chain: ChainId, symbol: z.string(), type: z.literal('native') }),
])
export type FeeToken = z.infer<typeof FeeToken>

/**
 * How a fee is paid. Source: interface "paymentMethod".
 * @example
 * const fromTheWallet: readonly PaymentMethod[] = ['wallet_native', 'tx_value']
 */
export const PaymentMethod = z.enum([
  'wallet_native',
  'tx_value',
  'input_token',
  'output_token',
  'sponsored',
  'offchain',
])
export type PaymentMethod = z.infer<typeof PaymentMethod>

/**
 * Whether a fee comes on top of the quoted amounts. Source: interface "quoteTreatment".
 * @example
 * const isOnTop = (treatment: QuoteTreatment): boolean => treatment === 'outside_quote'
 */
export const QuoteTreatment = z.enum(['outside_quote', 'included_in_quote', 'informational'])
export type QuoteTreatment = z.infer<typeof QuoteTreatment>

/**
 * A fee: base units of `token`; USD only for display. Source: interface "Fee entry".
 * @example
 * const textOf = ({ amount, token }: FeeEntry): string => `${amount} base units of ${token.symbol}`
 */
export const FeeEntry = z.object({
  amount: Amount,
  amountUsdApprox: z.optional(z.string()),
  token: FeeToken,
  paymentMethod: orUnlisted(PaymentMethod),
  quoteTreatment: orUnlisted(QuoteTreatment),
})
export type FeeEntry = z.infer<typeof FeeEntry>

/**
 * An integrator's fee: a fee entry with its rate in whole basis points and the recipient's address.
 * @example
 * const rateOf = ({ bps, recipient }: IntegratorFee): string => `${bps / 100} % to ${recipient}`
 */
export const IntegratorFee = z.extend(FeeEntry, { bps: z.int(), recipient: z.string() })
export type IntegratorFee = z.infer<typeof IntegratorFee>
