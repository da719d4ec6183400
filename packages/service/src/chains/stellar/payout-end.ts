import type { OutcomeVote } from '../agreed-outcome.ts'
import { askFor } from '../rpc/ask-for.ts'
import type { RpcAsk } from '../rpc/rpc-members.ts'
import { readAccount, type StellarAccount } from './account-reader.ts'
import { sourceOf, transactionIn } from './envelope.ts'
import { FoundTransaction } from './rpc-answers.ts'
import type { StellarSdk } from './sdk.ts'
import type { SignedPayment } from './signed-text.ts'

/** A signed payment with the account whose sequence number it uses. */
export type SequencedPayment = SignedPayment & {
  readonly txHash: string
  readonly source: string
  readonly sequence: bigint
}

/** Reads the payment's source and sequence number from its envelope; throws RangeError for another envelope. */
export const sequencedOf = (sdk: StellarSdk, txHash: string, signed: SignedPayment): SequencedPayment => {
  const transaction = transactionIn(sdk, signed.envelopeXdr)
  if (transaction === undefined) throw new RangeError(`payment ${txHash} is no transaction of today`)
  return { ...signed, txHash, source: sourceOf(transaction.sourceAccount), sequence: transaction.seqNum }
}

const settledBy = ({ status }: FoundTransaction): 'succeeded' | 'failed' | undefined => {
  if (status === 'NOT_FOUND') return undefined
  return status === 'SUCCESS' ? 'succeeded' : 'failed'
}

/** Whether the endpoint retains every ledger that may have included the payment, or the one that used its number. */
const retains = (
  { oldestLedger, oldestLedgerCloseTime }: FoundTransaction,
  { sequence, signedAfterSeconds }: SequencedPayment,
  account: StellarAccount | undefined,
): boolean =>
  oldestLedgerCloseTime <= signedAfterSeconds ||
  (account?.sequence === sequence &&
    account.sequenceLedger !== undefined &&
    oldestLedger <= account.sequenceLedger)

/**
 * Whether the endpoint's history reaches the ledger in which the account's number was last used. An endpoint whose state of
 * accounts is ahead of its transactions would else seem to show that another transaction used it.
 */
const reachesUse = (
  { latestLedger, latestLedgerCloseTime }: FoundTransaction,
  { maxTimeSeconds }: SequencedPayment,
  account: StellarAccount | undefined,
): boolean =>
  account?.sequenceLedger === undefined
    ? latestLedgerCloseTime > maxTimeSeconds
    : latestLedger >= account.sequenceLedger

/**
 * What one endpoint proves about a signed payment. Each transaction takes the number that follows its account's, and the
 * number never falls: while it is lower, no ledger includes the payment, and none will after its last second. Once it
 * is used, only an endpoint that retains the ledger can tell by which transaction.
 */
export const endAt = async (
  sdk: StellarSdk,
  ask: RpcAsk,
  payment: SequencedPayment,
): Promise<OutcomeVote> => {
  const { txHash, source, sequence, maxTimeSeconds } = payment
  const look = async (): Promise<FoundTransaction> => {
    const found = await askFor(ask, { method: 'getTransaction', params: { hash: txHash } }, FoundTransaction)
    ask.checkTime(found.latestLedgerCloseTime)
    return found
  }
  const first = await look()
  const known = settledBy(first)
  if (known !== undefined) return known
  const { ledger, account } = await readAccount(sdk, ask, source, [])
  if (account !== undefined && account.sequence < sequence)
    return first.latestLedgerCloseTime > maxTimeSeconds && ledger >= first.latestLedger
      ? 'expired'
      : 'unknown'
  // A node looks up the transaction before it reads its latest ledger: only the second lookup is surely late enough.
  const reached = await look()
  if (reached.status !== 'NOT_FOUND' || reached.latestLedger < ledger) return settledBy(reached) ?? 'unknown'
  const last = await look()
  const isExpired =
    last.latestLedger >= ledger && reachesUse(reached, payment, account) && retains(last, payment, account)
  return settledBy(last) ?? (isExpired ? 'expired' : 'unknown')
}
