import { z } from 'zod'
import { ChainId } from './chain.ts'

/** The token of a fee: a token contract, or the chain's native asset. Source: interface "Fee entry". */
export const FeeToken = z.union([
  z.object({ chain: ChainId, symbol: z.string(), address: z.string() }),
  z.object({ chain: ChainId, symbol: z.string(), type: z.literal('native') }),
])
export type FeeToken = z.infer<typeof FeeToken>

export const PaymentMethod = z.enum([
  'wallet_native',
  'tx_value',
  'input_token',
  'output_token',
  'sponsored',
  'offchain',
])
export type PaymentMethod = z.infer<typeof PaymentMethod>

export const QuoteTreatment = z.enum(['outside_quote', 'included_in_quote', 'informational'])
export type QuoteTreatment = z.infer<typeof QuoteTreatment>

/** A fee as the wire shows it: base units of `token`, USD only for display. Source: interface "Fee entry". */
export const FeeEntry = z.object({
  amount: z.string(),
  amountUsdApprox: z.string().optional(),
  token: FeeToken,
  paymentMethod: PaymentMethod,
  quoteTreatment: QuoteTreatment,
})
export type FeeEntry = z.infer<typeof FeeEntry>

/** An integrator's fee: a fee entry with its rate in whole basis points and the recipient's address. */
export const IntegratorFee = FeeEntry.extend({ bps: z.int(), recipient: z.string() })
export type IntegratorFee = z.infer<typeof IntegratorFee>
