import type { Offer } from '../../core/offer.ts'
import type { DepositPlan } from './deposit.ts'
import type { LedgerSide } from './routes.ts'

export const ledgerDeposit = (
  _plan: DepositPlan,
  _from: LedgerSide,
): Pick<Offer, 'actions' | 'gasFee'> | undefined => undefined
