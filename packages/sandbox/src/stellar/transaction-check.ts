import { xdr } from '@stellar/stellar-sdk/base'
import { accountNameOf } from './address.ts'
import { thresholdOf } from './apply-operation.ts'
import type { AccountEntry } from './entries.ts'
import { type EntryLookup, findAccount } from './entry-view.ts'
import type { FeeBump, SignedTransaction, Submission } from './envelope.ts'
import type { LedgerMoment } from './operation-context.ts'
import { availableBalance } from './reserves.ts'
import { createSignatureCounter, type SignatureCounter } from './signatures.ts'
import type { TransactionFault, TransactionOutcome } from './transaction-result.ts'

/** The fee of one operation in stroops; ledgers are never full. */
export const BASE_FEE = 100n

/** The fee of a submission in stroops: the base fee per operation, one more for a fee bump, and the resource fee. */
export const feeOf = ({ transaction, feeBump }: Submission): bigint =>
  BASE_FEE * BigInt(transaction.operations.length + (feeBump === undefined ? 0 : 1)) + transaction.resourceFee

const timeFault = (
  { timeBounds, ledgerBounds }: xdr.PreconditionsV2,
  { sequence, closeTime }: LedgerMoment,
): TransactionFault | undefined => {
  if (timeBounds !== null) {
    if (closeTime < timeBounds.minTime) return 'txTooEarly'
    if (timeBounds.maxTime !== 0n && closeTime > timeBounds.maxTime) return 'txTooLate'
  }
  if (ledgerBounds !== null) {
    if (sequence < ledgerBounds.minLedger) return 'txTooEarly'
    if (ledgerBounds.maxLedger !== 0 && sequence >= ledgerBounds.maxLedger) return 'txTooLate'
  }
  return undefined
}

const sequenceFault = (
  account: AccountEntry,
  { seqNum, conditions: { minSeqNum, minSeqAge, minSeqLedgerGap } }: SignedTransaction,
  { sequence, closeTime }: LedgerMoment,
): TransactionFault | undefined => {
  const follows =
    minSeqNum === null
      ? account.seqNum + 1n === seqNum
      : account.seqNum >= minSeqNum && account.seqNum < seqNum
  if (!follows) return 'txBadSeq'
  const tooYoung = closeTime - account.seqTime < minSeqAge
  const tooNear = sequence - account.seqLedger < minSeqLedgerGap
  return tooYoung || tooNear ? 'txBadMinSeqAgeOrGap' : undefined
}

/** Operation results when the signature of at least one operation's source is missing. */
const missingAuthority = (
  view: EntryLookup,
  { operations, source }: SignedTransaction,
  counter: SignatureCounter,
): readonly xdr.OperationResult[] | undefined => {
  const authorized = operations.map(({ sourceAccount, body }) => {
    const address = sourceAccount === null ? source : accountNameOf(sourceAccount).address
    const account = findAccount(view, address)
    return account === undefined ? counter.hasKeyOf(address) : counter.authorizes(account, thresholdOf(body))
  })
  if (authorized.every(Boolean)) return undefined
  return operations.map(() => xdr.OperationResult.opBadAuth())
}

/** Whether a contract call has company, lacks declared resources, or another operation declares them. */
const isMisshapenCall = ({ operations, declaresResources }: SignedTransaction): boolean => {
  const calls = operations.filter(({ body }) => body.type === 'invokeHostFunction').length
  return declaresResources ? calls !== 1 || operations.length !== 1 : calls > 0
}

/** Whether the transaction may run, and whether it uses its sequence number. */
export type Verdict =
  | { readonly runs: true }
  | { readonly runs: false; readonly usesSequence: boolean; readonly outcome: TransactionOutcome }

const refuse = (fault: TransactionFault, usesSequence: boolean): Verdict => ({
  runs: false,
  usesSequence,
  outcome: { kind: 'fault', fault },
})

/**
 * The network's checks before the operations, in its order: form, time, fee, account, sequence, signatures. Inside a
 * fee bump the transaction's own fee is ignored. Source: CAP-19, CAP-21, CAP-15.
 */
export const checkTransaction = (
  view: EntryLookup,
  transaction: SignedTransaction,
  moment: LedgerMoment,
  paysItself: boolean,
): Verdict => {
  const { operations, conditions, fee, resourceFee, source } = transaction
  if (operations.length === 0) return refuse('txMissingOperation', false)
  if (isMisshapenCall(transaction)) return refuse('txSorobanInvalid', false)
  const late = timeFault(conditions, moment)
  if (late !== undefined) return refuse(late, false)
  if (paysItself && fee < BASE_FEE * BigInt(operations.length) + resourceFee)
    return refuse('txInsufficientFee', false)
  const account = findAccount(view, source)
  if (account === undefined) return refuse('txNoAccount', false)
  const badSequence = sequenceFault(account, transaction, moment)
  if (badSequence !== undefined) return refuse(badSequence, badSequence !== 'txBadSeq')
  const counter = createSignatureCounter(transaction.hash, transaction.signatures)
  const extraMissing = conditions.extraSigners.some((signer) => !counter.hasSigner(signer))
  if (!counter.authorizes(account, 'low') || extraMissing) return refuse('txBadAuth', true)
  const results = missingAuthority(view, transaction, counter)
  if (results !== undefined) return { runs: false, usesSequence: true, outcome: { kind: 'failed', results } }
  return counter.areAllUsed() ? { runs: true } : refuse('txBadAuthExtra', true)
}

/** Why a fee bump cannot pay for its transaction, in the network's order. Source: CAP-15. */
export const feeBumpFault = (
  view: EntryLookup,
  feeBump: FeeBump,
  submission: Submission,
): TransactionFault | undefined => {
  const { operations, fee } = submission.transaction
  const least = feeOf(submission)
  const innerOperations = BigInt(operations.length)
  const outerOperations = innerOperations + 1n
  if (feeBump.fee < least || feeBump.fee * innerOperations < fee * outerOperations) return 'txInsufficientFee'
  const account = findAccount(view, feeBump.source)
  if (account === undefined) return 'txNoAccount'
  const counter = createSignatureCounter(feeBump.hash, feeBump.signatures)
  if (!counter.authorizes(account, 'low')) return 'txBadAuth'
  if (availableBalance(account) < feeBump.fee) return 'txInsufficientBalance'
  return counter.areAllUsed() ? undefined : 'txBadAuthExtra'
}

/** Whether the source can pay the transaction's own fee. */
export const canPayFee = (view: EntryLookup, { source, fee }: SignedTransaction): boolean => {
  const account = findAccount(view, source)
  return account !== undefined && availableBalance(account) >= fee
}
