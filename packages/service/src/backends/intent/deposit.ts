import { gasFee } from '../../chains/evm/gas.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'
import type { Offer } from '../../core/offer.ts'
import type { Order } from '../../core/order.ts'
import { depositActions } from './actions.ts'
import { paymentDeposit } from './payment-deposit.ts'
import type { IntentRoute } from './routes.ts'

/** Input of a deposit. */
export type DepositPlan = {
  readonly intent: IntentOrder
  readonly orderId: OrderId
  readonly route: IntentRoute
  readonly order: Order
  /** Base units; undefined if it could not be read or none is needed. */
  readonly allowance: bigint | undefined
}

/** The actions that the user signs and their gas cost; undefined if the source chain can no longer be read. */
export const depositOf = (plan: DepositPlan): Pick<Offer, 'actions' | 'gasFee'> | undefined => {
  const { intent, route, order, allowance } = plan
  const { from } = route
  if ('paymentChain' in from) return paymentDeposit(plan, from)
  const head = from.evm.head()
  if (head === undefined) return undefined
  const { approvalMode } = order
  const actions = depositActions({ order: intent, from, approvalMode, allowance, head })
  return { actions, gasFee: gasFee(from.chain, actions) }
}
