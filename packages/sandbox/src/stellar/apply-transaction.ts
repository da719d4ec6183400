import { xdr } from '@stellar/stellar-sdk/base'
import { accountNameOf } from './address.ts'
import { applyOperation, hasSucceeded } from './apply-operation.ts'
import type { AssetContracts } from './asset-contracts.ts'
import type { AssetFact, ContractFact } from './asset-events.ts'
import { createEntryView, type EntryView, findAccount } from './entry-view.ts'
import { changesOf } from './entry-xdr.ts'
import type { SignedTransaction, Submission } from './envelope.ts'
import type { LedgerMoment } from './operation-context.ts'
import { checkTransaction, feeOf } from './transaction-check.ts'
import { resultOf, type TransactionOutcome } from './transaction-result.ts'

/** A view that other views can be built on. */
export type LedgerView = ReturnType<typeof createEntryView>

/** Dependencies beside the entries. */
export type ApplyDeps = {
  readonly moment: LedgerMoment
  readonly contracts: AssetContracts
  readonly nextOfferId: () => bigint
}

/** A fee charged before the ledger's transactions run, in stroops. */
export type ChargedFee = { readonly amount: bigint; readonly changes: readonly xdr.LedgerEntryChange[] }

/** A transaction in a closed ledger. */
export type AppliedTransaction = {
  readonly submission: Submission
  readonly succeeded: boolean
  readonly result: xdr.TransactionResult
  readonly meta: xdr.TransactionMeta
  readonly feeChanges: readonly xdr.LedgerEntryChange[]
  readonly feeEvent: xdr.ContractEvent
  /** Events of each operation, in order; empty for a failed transaction. */
  readonly operationEvents: readonly (readonly xdr.ContractEvent[])[]
}

const changesIn = (view: EntryView): xdr.LedgerEntryChange[] => view.deltas().flatMap(changesOf)

/** Charges the fee to its payer, at most the balance. */
export const chargeFee = (ledger: LedgerView, submission: Submission, moment: LedgerMoment): ChargedFee => {
  const view = createEntryView(ledger, moment.sequence)
  const account = findAccount(view, submission.feeSource)
  const due = feeOf(submission)
  const amount = account === undefined ? 0n : account.balance < due ? account.balance : due
  if (account !== undefined) view.put({ ...account, balance: account.balance - amount })
  const changes = changesIn(view)
  view.commit()
  return { amount, changes }
}

const useSequence = (
  ledger: LedgerView,
  { source, seqNum }: SignedTransaction,
  { sequence, closeTime }: LedgerMoment,
): xdr.LedgerEntryChange[] => {
  const view = createEntryView(ledger, sequence)
  const account = findAccount(view, source)
  if (account !== undefined) view.put({ ...account, seqNum, seqLedger: sequence, seqTime: closeTime })
  const changes = changesIn(view)
  view.commit()
  return changes
}

type OperationRun = {
  readonly result: xdr.OperationResult
  readonly changes: xdr.LedgerEntryChange[]
  readonly events: xdr.ContractEvent[]
}

/** Runs every operation, even after one failed, as the network does; only successful transactions keep changes. */
const runOperations = (
  view: LedgerView,
  transaction: SignedTransaction,
  { moment, contracts, nextOfferId }: ApplyDeps,
): { readonly runs: readonly OperationRun[]; readonly isSponsorshipOpen: boolean } => {
  const sponsorships = new Map<string, string>()
  const runs = transaction.operations.map(({ sourceAccount, body }, position) => {
    const step = createEntryView(view, moment.sequence)
    const facts: (AssetFact | ContractFact)[] = []
    const result = applyOperation(
      {
        view: step,
        moment,
        source: sourceAccount === null ? transaction.source : accountNameOf(sourceAccount).address,
        transaction,
        position,
        sponsorships,
        tell: (fact) => facts.push(fact),
        contracts,
        nextOfferId,
      },
      body,
    )
    if (!hasSucceeded(result)) return { result, changes: [], events: [] }
    const changes = changesIn(step)
    step.commit()
    return { result, changes, events: facts.map(contracts.writeEvent) }
  })
  return { runs, isSponsorshipOpen: sponsorships.size > 0 }
}

const isContractCall = (result: xdr.OperationResult): boolean =>
  result.type === 'opInner' && result.tr.type === 'invokeHostFunction'

const metaOf = (
  before: xdr.LedgerEntryChange[],
  runs: readonly OperationRun[],
  feeEvent: xdr.ContractEvent,
): xdr.TransactionMeta =>
  xdr.TransactionMeta.v4(
    new xdr.TransactionMetaV4({
      ext: xdr.ExtensionPoint.v0(),
      txChangesBefore: before,
      operations: runs.map(
        ({ changes, events }) => new xdr.OperationMetaV2({ ext: xdr.ExtensionPoint.v0(), changes, events }),
      ),
      txChangesAfter: [],
      sorobanMeta: runs.some(({ result }) => isContractCall(result))
        ? new xdr.SorobanTransactionMetaV2({
            ext: xdr.SorobanTransactionMetaExt.v0(),
            returnValue: xdr.ScVal.scvVoid(),
          })
        : null,
      events: [
        new xdr.TransactionEvent({
          stage: xdr.TransactionEventStage.transactionEventStageBeforeAllTxs,
          event: feeEvent,
        }),
      ],
      diagnosticEvents: [],
    }),
  )

/**
 * Applies a transaction whose fee was charged: all of its operations or none. Its sequence number is used in both
 * cases.
 */
export const applyTransaction = (
  ledger: LedgerView,
  submission: Submission,
  fee: ChargedFee,
  deps: ApplyDeps,
): AppliedTransaction => {
  const { transaction, feeBump, feeSource } = submission
  const { moment } = deps
  const feeEvent = deps.contracts.writeEvent({ kind: 'fee', from: feeSource, amount: fee.amount })
  const finish = (
    outcome: TransactionOutcome,
    before: xdr.LedgerEntryChange[],
    runs: readonly OperationRun[],
  ): AppliedTransaction => ({
    submission,
    succeeded: outcome.kind === 'success',
    result: resultOf(submission, outcome, fee.amount),
    meta: metaOf(before, runs, feeEvent),
    feeChanges: fee.changes,
    feeEvent,
    operationEvents: runs.map(({ events }) => events),
  })
  const verdict = checkTransaction(ledger, transaction, moment, feeBump === undefined)
  if (!verdict.runs) {
    const before = verdict.usesSequence ? useSequence(ledger, transaction, moment) : []
    return finish(verdict.outcome, before, [])
  }
  const before = useSequence(ledger, transaction, moment)
  const view = createEntryView(ledger, moment.sequence)
  const { runs, isSponsorshipOpen } = runOperations(view, transaction, deps)
  const results = runs.map(({ result }) => result)
  if (!results.every(hasSucceeded)) return finish({ kind: 'failed', results }, before, [])
  if (isSponsorshipOpen) return finish({ kind: 'fault', fault: 'txBadSponsorship' }, before, [])
  view.commit()
  return finish({ kind: 'success', results }, before, runs)
}
