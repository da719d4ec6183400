import type { ChainId, SolanaInstructions } from '@openrfq/sdk'
import type { Catalog } from '../../chains/catalog.ts'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { EscrowOrigins } from '../../intents/settlers/escrow-origins.ts'
import { closeInstruction, refundInstruction } from '../../intents/settlers/escrow-program.ts'

type Deps = {
  readonly catalog: Pick<Catalog, 'token'>
  readonly paymentChains: ReadonlyMap<ChainId, Pick<PaymentChain, 'head' | 'agreedWhyNotPayable'>>
  readonly escrows: Pick<EscrowOrigins, 'payerOf'>
}
type RefundableOrder = { readonly orderId: OrderId; readonly order: IntentOrder }

/**
 * How a refund lands: alone, or in one transaction with the return of the order's rent, which keeps an empty wallet in existence
 * and is possible only after a while (`soon`); or what has to happen first.
 */
type RefundWay = 'alone' | 'with_rent' | 'soon' | { readonly waitsFor: string }

/** What the readers of closed orders wait for after `openDeadline`. */
const MARGIN_SECONDS = 30

const NEEDS_LAMPORTS =
  "The sender's wallet is empty, and Solana keeps no account that holds as little as this refund. Send the wallet SOL, at least the rent-exempt minimum of an account; the refund then follows by itself."
const FROZEN =
  "The sender's token account is frozen by the token's issuer. The refund follows by itself once the account is thawed."

const wayOf = async (
  { paymentChains, escrows }: Omit<Deps, 'catalog'>,
  { orderId, order }: RefundableOrder,
): Promise<RefundWay> => {
  const { originChain, depositor, inputToken, inputAmount, openDeadline } = order
  const chain = paymentChains.get(originChain)
  const why = await chain?.agreedWhyNotPayable(depositor, inputToken, inputAmount)
  if (why?.reasonCode === 'not_authorised') return { waitsFor: FROZEN }
  // The program pays a depositor that payments by strangers may not reach.
  if (why?.reasonCode !== 'no_account') return 'alone'
  if ((await escrows.payerOf(originChain, orderId)) !== depositor) return { waitsFor: NEEDS_LAMPORTS }
  const seconds = chain?.head()?.finalTimestampSeconds ?? 0
  return seconds > openDeadline + MARGIN_SECONDS ? 'with_rent' : 'soon'
}

/**
 * The program's instructions for a refund by an account, which advances the rent of a token account that the depositor closed;
 * undefined while the refund would fail and cost the account a fee, by a quorum of endpoints. Rejects without a quorum.
 */
export const programRefund = async (
  deps: Deps,
  refundable: RefundableOrder,
): Promise<((caller: string) => SolanaInstructions['instructions']) | undefined> => {
  const { orderId, order } = refundable
  const { originChain, originSettler, depositor, inputToken } = order
  const mint = deps.catalog.token(originChain, inputToken)
  const way = await wayOf(deps, refundable)
  if (mint === undefined || way === 'soon' || typeof way !== 'string') return undefined
  const rent = way === 'with_rent' ? [closeInstruction(originSettler, orderId, depositor)] : []
  return (caller) => [refundInstruction({ order, mint }, { kind: 'anybody', caller }), ...rent]
}

/** What has to happen before a refund by the program can land, as text for people; undefined if nothing. Rejects without a quorum. */
export const refundObstacle = async (
  deps: Omit<Deps, 'catalog'>,
  refundable: RefundableOrder,
): Promise<string | undefined> => {
  const way = await wayOf(deps, refundable)
  return typeof way === 'string' ? undefined : way.waitsFor
}
