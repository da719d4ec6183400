import { xdr } from '@stellar/stellar-sdk/base'
import type { Submission } from './envelope.ts'

/** Result codes of a transaction rejected as a whole. */
export type TransactionFault =
  | 'txTooEarly'
  | 'txTooLate'
  | 'txMissingOperation'
  | 'txBadSeq'
  | 'txBadAuth'
  | 'txInsufficientBalance'
  | 'txNoAccount'
  | 'txInsufficientFee'
  | 'txBadAuthExtra'
  | 'txBadSponsorship'
  | 'txBadMinSeqAgeOrGap'
  | 'txMalformed'
  | 'txSorobanInvalid'

/** A transaction's outcome: rejected as a whole, or a result per operation. */
export type TransactionOutcome =
  | { readonly kind: 'fault'; readonly fault: TransactionFault }
  | { readonly kind: 'failed'; readonly results: readonly xdr.OperationResult[] }
  | { readonly kind: 'success'; readonly results: readonly xdr.OperationResult[] }

const innerResult = (outcome: TransactionOutcome): xdr.InnerTransactionResultResult => {
  switch (outcome.kind) {
    case 'fault':
      return xdr.InnerTransactionResultResult[outcome.fault]()
    case 'failed':
      return xdr.InnerTransactionResultResult.txFailed([...outcome.results])
    case 'success':
      return xdr.InnerTransactionResultResult.txSuccess([...outcome.results])
  }
}

const plainResult = (outcome: TransactionOutcome): xdr.TransactionResultResult => {
  switch (outcome.kind) {
    case 'fault':
      return xdr.TransactionResultResult[outcome.fault]()
    case 'failed':
      return xdr.TransactionResultResult.txFailed([...outcome.results])
    case 'success':
      return xdr.TransactionResultResult.txSuccess([...outcome.results])
  }
}

const wrap = (feeCharged: bigint, result: xdr.TransactionResultResult): xdr.TransactionResult =>
  new xdr.TransactionResult({ feeCharged, result, ext: xdr.TransactionResultExt.v0() })

/** A submission's result in XDR, wrapped for a fee bump. The fee is in stroops. */
export const resultOf = (
  { transaction, feeBump }: Submission,
  outcome: TransactionOutcome,
  feeCharged: bigint,
): xdr.TransactionResult => {
  if (feeBump === undefined) return wrap(feeCharged, plainResult(outcome))
  const pair = new xdr.InnerTransactionResultPair({
    transactionHash: transaction.hash,
    result: new xdr.InnerTransactionResult({
      feeCharged: 0n,
      result: innerResult(outcome),
      ext: xdr.InnerTransactionResultExt.v0(),
    }),
  })
  return wrap(
    feeCharged,
    outcome.kind === 'success'
      ? xdr.TransactionResultResult.txFeeBumpInnerSuccess(pair)
      : xdr.TransactionResultResult.txFeeBumpInnerFailed(pair),
  )
}

/** The result of a fee bump that fails before its inner transaction is checked. */
export const outerFault = (fault: TransactionFault, feeCharged: bigint): xdr.TransactionResult =>
  wrap(feeCharged, xdr.TransactionResultResult[fault]())
