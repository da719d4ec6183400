import { xdr } from '@stellar/stellar-sdk/base'
import { findAccount } from './entry-view.ts'
import type { OperationContext } from './operation-context.ts'
import { accountMerge } from './operations/account-merge.ts'
import { bumpSequence } from './operations/bump-sequence.ts'
import { changeTrust } from './operations/change-trust.ts'
import { claimClaimableBalance, createClaimableBalance } from './operations/claimable-balance.ts'
import { createAccount } from './operations/create-account.ts'
import { invokeContract } from './operations/invoke-contract.ts'
import { manageData } from './operations/manage-data.ts'
import { manageSellOffer } from './operations/manage-sell-offer.ts'
import { pathPaymentStrictReceive, pathPaymentStrictSend } from './operations/path-payment.ts'
import { payment } from './operations/payment.ts'
import { setOptions } from './operations/set-options.ts'
import { beginSponsoring, endSponsoring } from './operations/sponsorship.ts'
import { allowTrust, clawback, setTrustLineFlags } from './operations/trustline-flags.ts'

const applyBody = (context: OperationContext, body: xdr.OperationBody): xdr.OperationResult => {
  switch (body.type) {
    case 'createAccount':
      return createAccount(context, body.createAccountOp)
    case 'payment':
      return payment(context, body.paymentOp)
    case 'pathPaymentStrictReceive':
      return pathPaymentStrictReceive(context, body.pathPaymentStrictReceiveOp)
    case 'pathPaymentStrictSend':
      return pathPaymentStrictSend(context, body.pathPaymentStrictSendOp)
    case 'manageSellOffer':
      return manageSellOffer(context, body.manageSellOfferOp)
    case 'setOptions':
      return setOptions(context, body.setOptionsOp)
    case 'changeTrust':
      return changeTrust(context, body.changeTrustOp)
    case 'allowTrust':
      return allowTrust(context, body.allowTrustOp)
    case 'accountMerge':
      return accountMerge(context, body.destination)
    case 'manageData':
      return manageData(context, body.manageDataOp)
    case 'bumpSequence':
      return bumpSequence(context, body.bumpSequenceOp)
    case 'createClaimableBalance':
      return createClaimableBalance(context, body.createClaimableBalanceOp)
    case 'claimClaimableBalance':
      return claimClaimableBalance(context, body.claimClaimableBalanceOp)
    case 'beginSponsoringFutureReserves':
      return beginSponsoring(context, body.beginSponsoringFutureReservesOp)
    case 'endSponsoringFutureReserves':
      return endSponsoring(context, null)
    case 'setTrustLineFlags':
      return setTrustLineFlags(context, body.setTrustLineFlagsOp)
    case 'clawback':
      return clawback(context, body.clawbackOp)
    case 'invokeHostFunction':
      return invokeContract(context, body.invokeHostFunctionOp)
    default:
      return xdr.OperationResult.opNotSupported()
  }
}

/**
 * Applies one operation; `opNoAccount` when an earlier one removed its source, `opNotSupported` when the sandbox does
 * not model it.
 */
export const applyOperation = (context: OperationContext, body: xdr.OperationBody): xdr.OperationResult =>
  findAccount(context.view, context.source) === undefined
    ? xdr.OperationResult.opNoAccount()
    : applyBody(context, body)

/** Whether an operation succeeded. */
export const hasSucceeded = (result: xdr.OperationResult): boolean =>
  result.type === 'opInner' && result.tr.value.type.endsWith('Success')

/** Threshold levels of operations. Source: the signatures page of the Stellar documentation. */
export type ThresholdLevel = 'low' | 'medium' | 'high'

const LOW: ReadonlySet<string> = new Set([
  'allowTrust',
  'setTrustLineFlags',
  'bumpSequence',
  'claimClaimableBalance',
  'inflation',
])

/** The threshold that an operation needs. */
export const thresholdOf = (body: xdr.OperationBody): ThresholdLevel => {
  if (LOW.has(body.type)) return 'low'
  if (body.type === 'accountMerge') return 'high'
  if (body.type !== 'setOptions') return 'medium'
  const { masterWeight, lowThreshold, medThreshold, highThreshold, signer } = body.setOptionsOp
  const guarded = [masterWeight, lowThreshold, medThreshold, highThreshold, signer]
  return guarded.some((value) => value !== null) ? 'high' : 'medium'
}
