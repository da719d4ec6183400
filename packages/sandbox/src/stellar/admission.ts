import type { xdr } from '@stellar/stellar-sdk/base'
import { accountNameOf } from './address.ts'
import { applyOperation } from './apply-operation.ts'
import type { LedgerView } from './apply-transaction.ts'
import type { AssetContracts } from './asset-contracts.ts'
import { createEntryView } from './entry-view.ts'
import type { SignedTransaction, Submission } from './envelope.ts'
import type { LedgerMoment } from './operation-context.ts'
import { canPayFee, checkTransaction, feeBumpFault, feeOf } from './transaction-check.ts'
import { outerFault, resultOf, type TransactionOutcome } from './transaction-result.ts'

const WRONG_IN_ITSELF = /(Malformed|InvalidName|ThresholdOutOfRange|UnknownFlag|BadFlags|BadSigner)$/

const isWrongInItself = (result: xdr.OperationResult): boolean =>
  result.type === 'opNotSupported' ||
  (result.type === 'opInner' && WRONG_IN_ITSELF.test(result.tr.value.type))

/** Results of malformed operations; undefined when all are well-formed. */
const malformedOperations = (
  ground: LedgerView,
  transaction: SignedTransaction,
  moment: LedgerMoment,
  contracts: AssetContracts,
): readonly xdr.OperationResult[] | undefined => {
  const results = transaction.operations.map(({ sourceAccount, body }, position) =>
    applyOperation(
      {
        view: createEntryView(ground, moment.sequence),
        moment,
        source: sourceAccount === null ? transaction.source : accountNameOf(sourceAccount).address,
        transaction,
        position,
        sponsorships: new Map(),
        tell: () => undefined,
        contracts,
        nextOfferId: () => 1n,
      },
      body,
    ),
  )
  return results.some(isWrongInItself) ? results : undefined
}

const refusal = (
  ground: LedgerView,
  submission: Submission,
  moment: LedgerMoment,
  contracts: AssetContracts,
): TransactionOutcome | undefined => {
  const { transaction, feeBump } = submission
  const verdict = checkTransaction(ground, transaction, moment, feeBump === undefined)
  if (!verdict.runs) return verdict.outcome
  if (feeBump === undefined && !canPayFee(ground, transaction))
    return { kind: 'fault', fault: 'txInsufficientBalance' }
  const results = malformedOperations(ground, transaction, moment, contracts)
  return results === undefined ? undefined : { kind: 'failed', results }
}

/** The result with which the network rejects a submission at the current ledger; undefined when it accepts it. */
export const admissionFault = (
  ground: LedgerView,
  submission: Submission,
  moment: LedgerMoment,
  contracts: AssetContracts,
): xdr.TransactionResult | undefined => {
  const fee = feeOf(submission)
  const outer =
    submission.feeBump === undefined ? undefined : feeBumpFault(ground, submission.feeBump, submission)
  if (outer !== undefined) return outerFault(outer, fee)
  const outcome = refusal(ground, submission, moment, contracts)
  return outcome === undefined ? undefined : resultOf(submission, outcome, fee)
}
