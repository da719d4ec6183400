import type { Action } from '@openrfq/sdk'
import { approvalSteps, type EvmStep, evmAction, type GasUse } from '../../chains/evm/actions.ts'
import type { EvmHead } from '../../chains/evm/evm-chain.ts'
import { gasFee } from '../../chains/evm/gas.ts'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import { associatedTokenOf } from '../../chains/solana/associated-token.ts'
import { computeBudget } from '../../chains/solana/instructions.ts'
import { transactionFee, unitPriceOf } from '../../chains/solana/payment-fee.ts'
import { programOf } from '../../chains/solana/programs.ts'
import { stellarDeposit } from '../../chains/stellar/deposit.ts'
import { baseUnits } from '../../core/amount.ts'
import type { Instant } from '../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { Offer, OfferedFee } from '../../core/offer.ts'
import type { Order } from '../../core/order.ts'
import { depositMuxedId } from '../../intents/settlers/deposit-reference.ts'
import { openInstruction } from '../../intents/settlers/escrow-program.ts'
import { type SettlerKind, settlerKindOf } from '../../intents/settlers/order-status.ts'
import { openCall } from '../../intents/settlers/settler-contract.ts'
import type { EvmSide, IntentRoute, IntentSide, PaymentSide } from './routes.ts'

/** Input of a deposit. */
export type DepositPlan = {
  readonly intent: IntentOrder
  readonly orderId: OrderId
  readonly route: IntentRoute
  readonly order: Order
  /** Base units; undefined if none is needed, or if it could not be read: then the approval is included. */
  readonly allowance: bigint | undefined
  /** Of the deposit as a plain payment on a payment chain, in base units of the native asset. */
  readonly paymentFee: bigint
}

type Deposit = Pick<Offer, 'actions' | 'gasFee'>

/**
 * The actions that the user signs and their gas cost; undefined if the source chain can no longer be read, or cannot hold
 * the order.
 */
export const depositOf = (plan: DepositPlan): Deposit | undefined => {
  const { from } = plan.route
  return 'paymentChain' in from ? paymentChainDeposit(plan, from) : escrowDeposit(plan, from)
}

/** What `open` of each settler uses, for native value and for tokens. */
const OPEN_GAS: Readonly<Record<SettlerKind, { readonly native: GasUse; readonly token: GasUse }>> = {
  intent: { native: { usual: 67_000n, limit: 120_000n }, token: { usual: 108_000n, limit: 180_000n } },
  attested: { native: { usual: 75_000n, limit: 120_000n }, token: { usual: 115_000n, limit: 180_000n } },
}

/** The approvals that the settler needs, and the call that opens the order. */
const escrowDeposit = (plan: DepositPlan, from: EvmSide): Deposit | undefined => {
  const head = from.evm.head()
  if (head === undefined) return undefined
  const steps = [...approvalsFor(plan, from, head), openStep(plan, from, head)]
  return { actions: steps.map(evmAction), gasFee: gasFee(from.chain, steps) }
}

const approvalsFor = (
  { intent, order, allowance }: DepositPlan,
  { chain, token, settler, isNative }: EvmSide,
  head: EvmHead,
): readonly EvmStep[] =>
  isNative
    ? []
    : approvalSteps({
        chain: chain.chainId,
        token: token.address,
        resetsAllowance: token.resetsAllowance,
        owner: intent.depositor,
        spender: settler,
        amount: intent.inputAmount,
        mode: order.approvalMode,
        allowance,
        head,
      })

const openStep = (
  { intent }: DepositPlan,
  { chain, token, settler, isNative }: EvmSide,
  head: EvmHead,
): EvmStep => ({
  id: 'transfer',
  label: `Deposit ${token.symbol} for the solver`,
  type: 'transaction',
  chain: chain.chainId,
  from: intent.depositor,
  to: settler,
  ...openCall(intent),
  gas: OPEN_GAS[settlerKindOf(intent)][isNative ? 'native' : 'token'],
  head,
})

type Payment = { readonly type: Action['type']; readonly payload: Action['payload']; readonly gasFee: bigint }

/**
 * The single action that makes a deposit on a payment chain, into an escrow program or the operator's vault, and its cost to
 * the sender in the chain's native asset.
 */
const paymentChainDeposit = (plan: DepositPlan, from: PaymentSide): Deposit | undefined => {
  const { chain, token, paymentChain } = from
  if (paymentChain.head() === undefined) return undefined
  const payment = PAY_ON[paymentChain.chainType](plan, from)
  if (payment === undefined) return undefined
  const { type, payload, gasFee } = payment
  const action: Action = {
    id: 'transfer',
    label: `Deposit ${token.symbol} for the solver`,
    type,
    chain: chain.chainId,
    payload,
  }
  return { actions: [action], gasFee: nativeFee(from, gasFee) }
}

/**
 * Compute unit limits of `open`: 8,000 units for SOL and up to 29,000 for tokens, plus 1,500 for each bump that does not
 * fit in the search for up to three addresses. Source: contracts/solana/README.md.
 */
const OPEN_SOL_UNITS = 60_000
const OPEN_TOKEN_UNITS = 120_000

/**
 * What a deposit by the sender costs as a plain payment, in base units of the native asset. Of the accounts that `open` writes,
 * only the sender's can be in demand: the others are the order's own.
 */
export const depositFee = (from: IntentSide, sender: string): Promise<bigint> => {
  if ('evm' in from) return Promise.resolve(0n)
  const { paymentChain, token, isNative } = from
  const ownsToken = paymentChain.chainType === 'solana' && !isNative
  return paymentChain.paymentFeeFor(
    ownsToken ? [sender, associatedTokenOf(sender, token.address, programOf(token))] : [sender],
  )
}

/** Opens the order at the escrow program, in one transaction that the sender alone signs; undefined for one that it cannot hold. */
const onSolana = (
  { intent, paymentFee }: DepositPlan,
  { token, isNative }: PaymentSide,
): Payment | undefined => {
  const units = isNative ? OPEN_SOL_UNITS : OPEN_TOKEN_UNITS
  const unitPrice = unitPriceOf(paymentFee)
  try {
    const instructions = [...computeBudget(units, unitPrice), openInstruction({ order: intent, mint: token })]
    return {
      type: 'transaction',
      payload: { type: 'solana_instructions', instructions, addressLookupTableAddresses: [] },
      gasFee: transactionFee(units, unitPrice),
    }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const onStellar = ({ intent, orderId, order, paymentFee }: DepositPlan): Payment => ({
  type: 'deposit_address',
  payload: stellarPayment(intent, orderId, order.createdAt),
  gasFee: paymentFee,
})

/** The payment on Stellar that deposits for an order. */
export const stellarPayment = (intent: IntentOrder, orderId: OrderId, quotedAt: Instant) =>
  stellarDeposit({
    vault: intent.originSettler,
    id: depositMuxedId(quotedAt, orderId),
    token: intent.inputToken,
    amount: intent.inputAmount,
  })

const PAY_ON = { solana: onSolana, stellar: onStellar } as const satisfies Record<
  PaymentChain['chainType'],
  (plan: DepositPlan, from: PaymentSide) => Payment | undefined
>

const nativeFee = ({ chain, nativeToken }: PaymentSide, units: bigint): OfferedFee => ({
  amount: baseUnits(units),
  token: { chain: chain.chainId, symbol: chain.nativeToken.symbol, type: 'native' },
  decimals: chain.nativeToken.decimals,
  asset: { chainId: chain.chainId, address: nativeToken },
  paymentMethod: 'wallet_native',
  quoteTreatment: 'outside_quote',
})
