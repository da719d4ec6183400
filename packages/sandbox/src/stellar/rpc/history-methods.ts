import { xdr } from '@stellar/stellar-sdk/base'
import { closeMetaOf, headerEntryOf } from '../closed-ledger.ts'
import { cursorOf, ledgerOfCursor } from '../event-log.ts'
import type { FoundTransaction, KeptLedger, LedgerHistory } from '../history.ts'
import { PageParameters, parseParameters, TransactionParameters } from './parameters.ts'
import { RPC_CODES, RpcFault } from './rpc-fault.ts'

const transactionInfo = ({ ledger, order, transaction }: FoundTransaction) => ({
  status: transaction.succeeded ? 'SUCCESS' : 'FAILED',
  ledger: ledger.sequence,
  applicationOrder: order,
  feeBump: transaction.submission.feeBump !== undefined,
  envelopeXdr: transaction.submission.envelope.toXdr('base64'),
  resultXdr: transaction.result.toXdr('base64'),
  resultMetaXdr: transaction.meta.toXdr('base64'),
  events: {
    transactionEventsXdr: [
      new xdr.TransactionEvent({
        stage: xdr.TransactionEventStage.transactionEventStageBeforeAllTxs,
        event: transaction.feeEvent,
      }).toXdr('base64'),
    ],
    contractEventsXdr: transaction.operationEvents.map((events) =>
      events.map((event) => event.toXdr('base64')),
    ),
  },
})

/** getTransaction: the status of a transaction, within the retention window. */
export const getTransaction = (history: LedgerHistory, parameters: unknown) => {
  const { hash } = parseParameters(TransactionParameters, parameters)
  const found = history.findTransaction(hash)
  const [latest, oldest] = [history.latest(), history.oldest()]
  const window = {
    txHash: hash,
    latestLedger: latest.sequence,
    latestLedgerCloseTime: latest.closeTime.toString(),
    oldestLedger: oldest.sequence,
    oldestLedgerCloseTime: oldest.closeTime.toString(),
  }
  if (found === undefined) return { status: 'NOT_FOUND', ...window }
  return { ...window, ...transactionInfo(found), createdAt: found.ledger.closeTime.toString() }
}

const startOf = (history: LedgerHistory, { startLedger, pagination }: PageParameters): number => {
  const { cursor } = pagination
  if (cursor !== undefined && startLedger !== undefined)
    throw new RpcFault(RPC_CODES.invalidParameters, 'startLedger and cursor cannot both be set')
  const [oldest, latest] = [history.oldest().sequence, history.latest().sequence]
  const first = cursor === undefined ? startLedger : ledgerOfCursor(`${cursor}-0`)
  if (first === undefined || first < oldest || first > latest)
    throw new RpcFault(
      RPC_CODES.invalidRequest,
      `start ledger must be between the oldest ledger: ${oldest} and the latest ledger: ${latest} for this rpc instance`,
    )
  return first
}

/** The ledger and transaction parts of a cursor. */
const orderOf = (ledger: number, transaction: number): string =>
  BigInt(cursorOf({ ledger, transaction, operation: 0, event: 0 }).split('-')[0] ?? 0).toString()

/** getTransactions: transactions from a ledger on, page by page. */
export const getTransactions = (history: LedgerHistory, parameters: unknown) => {
  const page = parseParameters(PageParameters, parameters)
  const { cursor, limit } = page.pagination
  const transactions: object[] = []
  let last = cursor ?? ''
  for (
    let sequence = startOf(history, page);
    sequence <= history.latest().sequence && transactions.length < limit;
    sequence += 1
  ) {
    const ledger = history.at(sequence)
    for (const [index, transaction] of (ledger?.transactions ?? []).entries()) {
      const order = orderOf(sequence, index + 1)
      if (ledger === undefined || transactions.length >= limit) break
      if (cursor !== undefined && BigInt(order) <= BigInt(cursor)) continue
      const info = transactionInfo({ ledger, order: index + 1, transaction })
      transactions.push({
        ...info,
        txHash: transaction.submission.id,
        createdAt: Number(ledger.closeTime),
      })
      last = order
    }
  }
  const [latest, oldest] = [history.latest(), history.oldest()]
  return {
    transactions,
    latestLedger: latest.sequence,
    latestLedgerCloseTimestamp: Number(latest.closeTime),
    oldestLedger: oldest.sequence,
    oldestLedgerCloseTimestamp: Number(oldest.closeTime),
    cursor: transactions.length < limit ? orderOf(latest.sequence, 0xf_ffff) : last,
  }
}

const ledgerInfo = (ledger: KeptLedger) => ({
  hash: ledger.hash,
  sequence: ledger.sequence,
  ledgerCloseTime: ledger.closeTime.toString(),
  headerXdr: headerEntryOf(ledger).toXdr('base64'),
  metadataXdr: closeMetaOf(ledger).toXdr('base64'),
})

/** getLedgers: ledgers with all their meta, page by page; the cursor is the last sequence. */
export const getLedgers = (history: LedgerHistory, parameters: unknown) => {
  const { startLedger, pagination } = parseParameters(PageParameters, parameters)
  const { cursor, limit } = pagination
  const after = cursor === undefined ? undefined : Number(cursor) + 1
  const [latest, oldest] = [history.latest(), history.oldest()]
  const first = after ?? startLedger
  if (first === undefined || first < oldest.sequence || (after ?? first - 1) > latest.sequence + 1)
    throw new RpcFault(
      RPC_CODES.invalidRequest,
      `start ledger must be between the oldest ledger: ${oldest.sequence} and the latest ledger: ${latest.sequence} for this rpc instance`,
    )
  const ledgers: ReturnType<typeof ledgerInfo>[] = []
  for (let sequence = first; ledgers.length < limit; sequence += 1) {
    const ledger = history.at(sequence)
    if (ledger === undefined) break
    ledgers.push(ledgerInfo(ledger))
  }
  return {
    ledgers,
    latestLedger: latest.sequence,
    latestLedgerCloseTime: Number(latest.closeTime),
    oldestLedger: oldest.sequence,
    oldestLedgerCloseTime: Number(oldest.closeTime),
    cursor: String(ledgers.at(-1)?.sequence ?? cursor ?? latest.sequence),
  }
}

/** getLatestLedger: the newest closed ledger, which is final. */
export const getLatestLedger = (history: LedgerHistory) => {
  const latest = history.latest()
  return {
    id: latest.hash,
    protocolVersion: latest.header.ledgerVersion,
    sequence: latest.sequence,
    closeTime: latest.closeTime.toString(),
    headerXdr: latest.header.toXdr('base64'),
    metadataXdr: closeMetaOf(latest).toXdr('base64'),
  }
}
