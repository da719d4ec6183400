import type { xdr } from '@stellar/stellar-sdk/base'
import type { StellarSdk } from './sdk.ts'
import { strKeyText } from './str-key.ts'

/** The transaction of an envelope in base64 XDR, also of one in a fee bump; undefined for the form before protocol 13. */
export const transactionIn = ({ xdr }: StellarSdk, envelopeXdr: string): xdr.Transaction | undefined => {
  const envelope = xdr.TransactionEnvelope.fromXdr(envelopeXdr, 'base64')
  if (envelope.type === 'envelopeTypeTxFeeBump') return envelope.value.tx.innerTx.value.tx
  return envelope.type === 'envelopeTypeTx' ? envelope.value.tx : undefined
}

/** The account (G…) behind a transaction's source. */
export const sourceOf = (source: xdr.MuxedAccount): string =>
  strKeyText('G', source.type === 'keyTypeEd25519' ? source.ed25519.value : source.med25519.ed25519.value)

/** The operations of a successful transaction, also of one in a fee bump, with their results, and the transaction's own source. */
export type AppliedOperations = {
  readonly source: string
  readonly operations: readonly xdr.Operation[]
  readonly results: readonly xdr.OperationResult[]
}

/** What a transaction did by its envelope and its result; undefined for a failed one. */
export const appliedOperations = (
  sdk: StellarSdk,
  envelopeXdr: string,
  resultXdr: string,
): AppliedOperations | undefined => {
  const transaction = transactionIn(sdk, envelopeXdr)
  const { result } = sdk.xdr.TransactionResult.fromXdr(resultXdr, 'base64')
  const outcome = result.type === 'txFeeBumpInnerSuccess' ? result.value.result.result : result
  if (transaction === undefined || outcome.type !== 'txSuccess') return undefined
  return {
    source: sourceOf(transaction.sourceAccount),
    operations: transaction.operations,
    results: outcome.value,
  }
}
