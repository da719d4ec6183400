import { xdr } from '@stellar/stellar-sdk/base'
import { findAccount } from '../entry-view.ts'
import type { ApplyOperation } from '../operation-context.ts'

const answer = (code: 'BadSeq' | 'Success'): xdr.OperationResult =>
  xdr.OperationResult.opInner(
    xdr.OperationResultTr.bumpSequence(xdr.BumpSequenceResult[`bumpSequence${code}` as const]()),
  )

/** Raises an account's sequence number, which invalidates transactions with lower numbers. Source: CAP-1. */
export const bumpSequence: ApplyOperation<xdr.BumpSequenceOp> = ({ view, source, moment }, { bumpTo }) => {
  const account = findAccount(view, source)
  if (account === undefined) return xdr.OperationResult.opNoAccount()
  if (bumpTo < 0n) return answer('BadSeq')
  if (bumpTo > account.seqNum)
    view.put({ ...account, seqNum: bumpTo, seqLedger: moment.sequence, seqTime: moment.closeTime })
  return answer('Success')
}
