import type { IntentBackend } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import type { IntentOrder } from '../../core/intent-order.ts'
import type { Presentation } from '../../core/written.ts'
import { orderIdOf } from '../../intents/settlers/settler-contract.ts'
import { balanceTermsOf } from '../../intents/vault/balance-deposit.ts'
import type { IntentSide } from './routes.ts'

const TERMS =
  "Instead of the payment to the address: the transaction makes a claimable balance of the input, which the operator's signers together can take at any time, to pay the solver or to refund, and the sender alone can take back from refundAfter on. A stroop of XLM goes to the vault and is not returned."

/** The transaction that deposits without the operator's vault; null where there is none. */
export const claimableBalanceOf = (
  from: IntentSide,
  order: IntentOrder,
  quotedAt: Instant,
): Presentation<IntentBackend>['metadata']['claimableBalance'] => {
  const balances = 'paymentChain' in from ? from.paymentChain.balancesToClaim : undefined
  const uri = balances?.requestOf(balanceTermsOf(order, orderIdOf(order), quotedAt))
  return uri === undefined ? null : { uri, terms: TERMS }
}
