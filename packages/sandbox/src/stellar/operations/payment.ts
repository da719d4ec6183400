import { xdr } from '@stellar/stellar-sdk/base'
import { accountNameOf } from '../address.ts'
import { muxedIdOf } from '../asset-events.ts'
import { assetNameOf, hasValidCode } from '../asset-name.ts'
import { type CreditFault, credit, type DebitFault, debit } from '../balances.ts'
import type { ApplyOperation } from '../operation-context.ts'

const answer = (code: CreditFault | DebitFault | 'Malformed' | 'Success'): xdr.OperationResult =>
  xdr.OperationResult.opInner(xdr.OperationResultTr.payment(xdr.PaymentResult[`payment${code}` as const]()))

/** Pays an asset from one account to another. */
export const payment: ApplyOperation<xdr.PaymentOp> = (context, body) => {
  const { view, source, transaction } = context
  const { amount } = body
  const asset = assetNameOf(body.asset)
  if (amount <= 0n || asset === undefined || !hasValidCode(body.asset)) return answer('Malformed')
  const { address, muxedId } = accountNameOf(body.destination)
  if (address !== source) {
    const fault = credit(view, address, asset, amount) ?? debit(view, source, asset, amount)
    if (fault !== undefined) return answer(fault)
  }
  const toMuxedId = muxedIdOf(muxedId, transaction.memo)
  context.tell({ kind: 'movement', from: source, to: address, asset, amount, toMuxedId })
  return answer('Success')
}
