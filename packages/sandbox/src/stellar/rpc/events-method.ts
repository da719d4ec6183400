import { cursorOf, type LoggedEvent, lastPositionIn, ledgerOfCursor } from '../event-log.ts'
import type { LedgerHistory } from '../history.ts'
import { type EventFilter, EventsParameters, parseParameters } from './parameters.ts'
import { RPC_CODES, RpcFault } from './rpc-fault.ts'

const ANY_REST = '**'
const ANY = '*'
const MAX_LEDGERS_SCANNED = 10_000
const MS_PER_SECOND = 1000

const matchesTopics = (pattern: readonly string[], topics: readonly string[]): boolean => {
  const open = pattern.at(-1) === ANY_REST
  const segments = open ? pattern.slice(0, -1) : pattern
  if (open ? topics.length < segments.length : topics.length !== segments.length) return false
  return segments.every((segment, index) => segment === ANY || segment === topics[index])
}

const matches = ({ type, contractIds, topics }: EventFilter, event: LoggedEvent): boolean =>
  (type === undefined || type === '' || type.split(',').includes('contract')) &&
  (contractIds == null || contractIds.length === 0 || contractIds.includes(event.contractId)) &&
  (topics == null || topics.length === 0 || topics.some((pattern) => matchesTopics(pattern, event.topics)))

const rangeOf = (
  history: LedgerHistory,
  startLedger: number | undefined,
  endLedger: number | undefined,
  cursor: string | undefined,
): { readonly first: number; readonly end: number } => {
  if (cursor !== undefined && (startLedger !== undefined || endLedger !== undefined))
    throw new RpcFault(RPC_CODES.invalidParameters, 'ledger ranges and cursor cannot both be set')
  const first = cursor === undefined ? startLedger : ledgerOfCursor(cursor)
  if (first === undefined)
    throw new RpcFault(
      RPC_CODES.invalidParameters,
      'startLedger must be positive, or cursor one of an answer',
    )
  const [oldest, latest] = [history.oldest().sequence, history.latest().sequence]
  if (first < oldest || first > latest)
    throw new RpcFault(
      RPC_CODES.invalidRequest,
      `startLedger must be within the ledger range: ${oldest} - ${latest}`,
    )
  return { first, end: Math.min(endLedger ?? latest + 1, latest + 1, first + MAX_LEDGERS_SCANNED) }
}

const present = (event: LoggedEvent, closeTime: bigint) => ({
  type: 'contract',
  ledger: event.ledger,
  ledgerClosedAt: new Date(Number(closeTime) * MS_PER_SECOND).toISOString().replace('.000Z', 'Z'),
  contractId: event.contractId,
  id: cursorOf(event),
  operationIndex: event.operation,
  transactionIndex: event.transaction,
  txHash: event.transactionId,
  inSuccessfulContractCall: event.succeeded,
  topic: event.topics,
  value: event.value,
})

/** getEvents: events after a cursor, or from a ledger on, that match at least one filter, page by page. */
export const getEvents = (history: LedgerHistory, parameters: unknown) => {
  const { startLedger, endLedger, filters, pagination } = parseParameters(EventsParameters, parameters)
  const { cursor, limit } = pagination
  const { first, end } = rangeOf(history, startLedger, endLedger, cursor)
  const events: ReturnType<typeof present>[] = []
  for (let sequence = first; sequence < end && events.length < limit; sequence += 1) {
    const ledger = history.at(sequence)
    for (const event of ledger?.events ?? []) {
      if (events.length >= limit) break
      const isNew = cursor === undefined || cursorOf(event) > cursor
      const passes = filters.length === 0 || filters.some((filter) => matches(filter, event))
      if (isNew && passes) events.push(present(event, ledger?.closeTime ?? 0n))
    }
  }
  const full = events.length >= limit
  const [latest, oldest] = [history.latest(), history.oldest()]
  return {
    events,
    cursor: (full ? events.at(-1)?.id : undefined) ?? cursorOf(lastPositionIn(end - 1)),
    latestLedger: latest.sequence,
    oldestLedger: oldest.sequence,
    latestLedgerCloseTime: latest.closeTime.toString(),
    oldestLedgerCloseTime: oldest.closeTime.toString(),
  }
}
