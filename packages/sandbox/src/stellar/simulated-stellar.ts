import { createHash } from 'node:crypto'
import type { xdr } from '@stellar/stellar-sdk/base'
import { admissionFault } from './admission.ts'
import { applyTransaction, chargeFee, type LedgerView } from './apply-transaction.ts'
import { type AssetContracts, createAssetContracts } from './asset-contracts.ts'
import { type ClosedLedger, sealLedger } from './closed-ledger.ts'
import type { Entry } from './entries.ts'
import { createEntryStore, createEntryView, type StoredEntry } from './entry-view.ts'
import { readEnvelope, type Submission } from './envelope.ts'
import { createLedgerHistory, type LedgerHistory } from './history.ts'
import type { LedgerMoment } from './operation-context.ts'
import { createPendingQueue, type PendingQueue } from './pending-queue.ts'
import { createSubmissionFaults } from './submission-faults.ts'

/** The result of a submission: accepted for the next ledger, a duplicate, to be retried later, or rejected. */
type SubmitAnswer =
  | { readonly status: 'PENDING' | 'DUPLICATE' | 'TRY_AGAIN_LATER'; readonly id: string }
  | { readonly status: 'ERROR'; readonly id: string; readonly result: xdr.TransactionResult }

/** A single-node Stellar network in memory; it closes ledgers when asked to. */
export type SimulatedStellar = {
  /** Submits a base64 envelope; undefined when it is malformed. */
  readonly submit: (envelope: string) => SubmitAnswer | undefined
  /** Like `submit`, but ignores injected faults. */
  readonly submitSurely: (envelope: string) => SubmitAnswer | undefined
  /** Applies the pending transactions and closes the ledger. */
  readonly close: () => void
  readonly find: (key: string) => StoredEntry | undefined
  readonly keys: () => Iterable<string>
  readonly history: LedgerHistory
  readonly contracts: AssetContracts
  /** Answers the next submissions PENDING and holds them until their time bounds pass. */
  readonly holdNext: (count: number) => void
  /** Answers the next submissions PENDING and loses them. */
  readonly dropNext: (count: number) => void
  /** Includes held transactions in the next ledger. */
  readonly releaseHeld: () => void
}

type LedgerOptions = {
  readonly networkPassphrase: string
  readonly genesis: readonly Entry[]
  readonly retainedLedgers: number
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

const MS_PER_SECOND = 1000
/** Factor by which a fee bump must exceed the fee of the pending transaction it replaces. Source: CAP-15. */
const REPLACING_FEE = 10n

/** Decides about a submission whose source already has a pending transaction. */
const meetWaiting = (
  queue: PendingQueue,
  submission: Submission,
): 'DUPLICATE' | 'TRY_AGAIN_LATER' | undefined => {
  const waiting = queue.find(submission.transaction.source)
  if (waiting === undefined) return queue.isFull() ? 'TRY_AGAIN_LATER' : undefined
  if (waiting.id === submission.id) return 'DUPLICATE'
  const replaces =
    submission.feeBump !== undefined &&
    waiting.transaction.seqNum === submission.transaction.seqNum &&
    submission.maxFee >= waiting.maxFee * REPLACING_FEE
  return replaces ? undefined : 'TRY_AGAIN_LATER'
}

const hasLapsed =
  ({ closeTime }: LedgerMoment) =>
  ({ transaction: { conditions } }: Submission): boolean => {
    const maxTime = conditions.timeBounds?.maxTime ?? 0n
    return maxTime !== 0n && closeTime > maxTime
  }

/** Writes the genesis entries as the first ledger. */
const sealFirst = (
  store: ReturnType<typeof createEntryStore>,
  genesis: readonly Entry[],
  closeTime: bigint,
): ClosedLedger => {
  const moment = { sequence: 1, closeTime }
  const view = createEntryView(store, moment.sequence)
  for (const entry of genesis) view.put(entry)
  view.commit()
  return sealLedger({ previous: undefined, moment, transactions: [], lastOfferId: 0n })
}

/** Creates a network with the passphrase whose first ledger holds the genesis entries. */
export const createSimulatedStellar = (options: LedgerOptions): SimulatedStellar => {
  const { networkPassphrase, genesis, retainedLedgers, now } = options
  const networkId = createHash('sha256').update(networkPassphrase).digest()
  const store = createEntryStore()
  const queue = createPendingQueue()
  const faults = createSubmissionFaults()
  const contracts = createAssetContracts(networkPassphrase, genesis)
  const seconds = (): bigint => BigInt(Math.floor(now() / MS_PER_SECOND))
  const history = createLedgerHistory(sealFirst(store, genesis, seconds()), retainedLedgers)
  let lastOfferId = 0n
  const nextOfferId = (): bigint => {
    lastOfferId += 1n
    return lastOfferId
  }
  const nextMoment = (): LedgerMoment => {
    const { sequence, closeTime } = history.latest()
    const time = seconds()
    return { sequence: sequence + 1, closeTime: time > closeTime ? time : closeTime }
  }
  const viewAt = ({ sequence }: LedgerMoment): LedgerView => createEntryView(store, sequence)

  const admit = (envelope: string, faultOf: () => 'hold' | 'drop' | undefined): SubmitAnswer | undefined => {
    const submission = readEnvelope(envelope, networkId)
    if (submission === undefined) return undefined
    const { id } = submission
    const met = meetWaiting(queue, submission)
    if (met !== undefined) return { status: met, id }
    const moment = nextMoment()
    const result = admissionFault(viewAt(moment), submission, moment, contracts)
    if (result !== undefined) return { status: 'ERROR', id, result }
    const fault = faultOf()
    if (fault !== 'drop') queue.add(submission, fault === 'hold')
    return { status: 'PENDING', id }
  }

  const close = (): void => {
    const moment = nextMoment()
    const view = viewAt(moment)
    const submissions = queue
      .take(hasLapsed(moment))
      .filter((submission) => admissionFault(view, submission, moment, contracts) === undefined)
    const fees = submissions.map((submission) => ({
      submission,
      fee: chargeFee(view, submission, moment),
    }))
    const transactions = fees.map(({ submission, fee }) =>
      applyTransaction(view, submission, fee, { moment, contracts, nextOfferId }),
    )
    view.commit()
    history.add(sealLedger({ previous: history.latest(), moment, transactions, lastOfferId }))
  }

  return {
    submit: (envelope) => admit(envelope, faults.next),
    submitSurely: (envelope) => admit(envelope, () => undefined),
    close,
    find: store.find,
    keys: store.keys,
    history,
    contracts,
    holdNext: faults.holdNext,
    dropNext: faults.dropNext,
    releaseHeld: queue.releaseHeld,
  }
}
