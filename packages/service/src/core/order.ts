import { ApprovalMode, ChainId, OrderType } from '@openrfq/sdk'
import { z } from 'zod'
import { type BaseUnits, PositiveAmount } from './amount.ts'
import type { Chain } from './chain.ts'
import type { Instant } from './instant.ts'
import type { QuoteId } from './quote-id.ts'
import type { Slippage } from './slippage.ts'
import type { Token } from './token.ts'

const AddressText = z.string().min(1).max(128)

/**
 * The body of `POST /v1/rfq/quote`. Unknown fields are ignored at the top level and rejected inside `options`; an optional
 * field that is null counts as omitted, as does a `slippageTolerance` that is no number. Source: interface "POST /v1/rfq/quote".
 */
export const QuoteRequest = z.object({
  fromChain: ChainId,
  fromToken: AddressText,
  toChain: ChainId,
  toToken: AddressText,
  amount: PositiveAmount,
  orderType: OrderType,
  sender: AddressText,
  recipient: AddressText,
  slippageTolerance: z
    .unknown()
    .transform((value) => (typeof value === 'number' ? value : undefined))
    .optional(),
  options: z.strictObject({ approvalMode: z.nullish(ApprovalMode) }).nullish(),
})
export type QuoteRequest = z.infer<typeof QuoteRequest>

/** An asset: a token and the chain it lives on. */
export type Asset = { readonly chain: Chain; readonly token: Token }

/** The two ends of a transfer. */
export type AssetPair = { readonly from: Asset; readonly to: Asset }

/**
 * A validated, resolved request. `amount` is in base units of `from.token` for EXACT_INPUT and of `to.token` for
 * EXACT_OUTPUT; addresses are canonical.
 */
export type Order = AssetPair & {
  readonly amount: BaseUnits
  readonly orderType: OrderType
  readonly sender: string
  readonly recipient: string
  readonly slippage: Slippage
  readonly approvalMode: ApprovalMode
  readonly createdAt: Instant
  /** Who asks, by the key of its limits. */
  readonly client: string
  /** The first id of this order's answer; the quotes' ids are consecutive from it. */
  readonly answerId: QuoteId
}
