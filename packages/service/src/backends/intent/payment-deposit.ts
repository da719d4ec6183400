import type { Action } from '@openrfq/sdk'
import { solanaDeposit } from '../../chains/solana/deposit.ts'
import { stellarDeposit } from '../../chains/stellar/deposit.ts'
import { baseUnits } from '../../core/amount.ts'
import type { Offer, OfferedFee } from '../../core/offer.ts'
import { tokenKey } from '../../core/token-key.ts'
import { depositMemo, depositMuxedId } from '../../intents/settlers/deposit-reference.ts'
import type { DepositPlan } from './deposit.ts'
import type { PaymentSide } from './routes.ts'

type Deposit = { readonly type: Action['type']; readonly payload: Action['payload']; readonly gasFee: bigint }

const onSolana = (
  { intent, orderId, order }: DepositPlan,
  { token, settler }: PaymentSide,
  paymentFee: bigint,
): Deposit => ({
  type: 'transaction',
  ...solanaDeposit({
    sender: intent.depositor,
    vault: settler,
    token,
    amount: intent.inputAmount,
    memo: depositMemo({ answerId: order.answerId, orderId }),
    paymentFee,
  }),
})

const onStellar = (
  { intent, orderId, order }: DepositPlan,
  { token, settler }: PaymentSide,
  paymentFee: bigint,
): Deposit => ({
  type: 'deposit_address',
  payload: stellarDeposit({
    vault: settler,
    id: depositMuxedId(order.createdAt, orderId),
    token: token.address,
    amount: intent.inputAmount,
  }),
  gasFee: paymentFee,
})

const gasFeeOf = ({ chain, nativeToken }: PaymentSide, lamports: bigint): OfferedFee => ({
  amount: baseUnits(lamports),
  token: { chain: chain.chainId, symbol: chain.nativeToken.symbol, type: 'native' },
  decimals: chain.nativeToken.decimals,
  priceKey: tokenKey({ chainId: chain.chainId, address: nativeToken }),
  paymentMethod: 'wallet_native',
  quoteTreatment: 'outside_quote',
})

/**
 * The single payment into the operator's vault that makes a deposit on a payment chain, and its cost to the sender in
 * the chain's native asset; undefined while the chain cannot be read.
 */
export const paymentDeposit = (
  plan: DepositPlan,
  from: PaymentSide,
): Pick<Offer, 'actions' | 'gasFee'> | undefined => {
  const { chain, token, paymentChain } = from
  const head = paymentChain.head()
  if (head === undefined) return undefined
  const deposit = paymentChain.chainType === 'solana' ? onSolana : onStellar
  const { type, payload, gasFee } = deposit(plan, from, head.paymentFee)
  const action: Action = {
    id: 'transfer',
    label: `Deposit ${token.symbol} for the solver`,
    type,
    chain: chain.chainId,
    payload,
  }
  return { actions: [action], gasFee: gasFeeOf(from, gasFee) }
}
