import { cursorOf, lastPositionIn, ledgerOfCursor } from '../../stellar/event-log.ts'
import type { HonestEndpoint } from '../rpc-family.ts'
import { itemsOf, mapResult, membersOf, type RpcAnswer, type RpcCall } from '../rpc-message.ts'
import { createSightings, type Lateness } from '../sightings.ts'
import type { StellarSource } from './stellar-source.ts'

type Deps = { readonly source: StellarSource; readonly lateness: Lateness; readonly now: () => number }
type Members = Readonly<Record<string, unknown>>

const UNKNOWN_START: RpcAnswer = {
  error: { code: -32600, message: 'startLedger must be within the ledger range' },
}

const numberIn = (value: unknown): number => Number(value ?? 0)

/** The numbers of the newest ledger that an answer names, as of an older one. */
const windowAt = (result: Members, ledger: number, closeTime: string): Members => {
  const older: Record<string, unknown> = {}
  for (const [name, value] of Object.entries({
    latestLedger: ledger,
    latestLedgerCloseTime:
      typeof result['latestLedgerCloseTime'] === 'number' ? Number(closeTime) : closeTime,
    latestLedgerCloseTimestamp: Number(closeTime),
  }))
    if (name in result) older[name] = value
  return { ...result, ...older }
}

const notFound = ({
  txHash,
  latestLedger,
  latestLedgerCloseTime,
  oldestLedger,
  oldestLedgerCloseTime,
}: Members) => ({
  status: 'NOT_FOUND',
  txHash,
  latestLedger,
  latestLedgerCloseTime,
  oldestLedger,
  oldestLedgerCloseTime,
})

const isKnown =
  (ledger: number, name: string) =>
  (item: unknown): boolean =>
    numberIn(membersOf(item)[name]) <= ledger

/** The cursor of transactions at the end of a ledger. */
const endOf = (ledger: number): string =>
  BigInt(cursorOf(lastPositionIn(ledger)).split('-')[0] ?? 0).toString()

/** An answer of the node without what happened after a ledger. */
const cutOff = (method: string, result: Members, ledger: number): Members => {
  switch (method) {
    case 'getTransaction':
      return numberIn(result['ledger']) > ledger ? notFound(result) : result
    case 'getEvents': {
      const { events, cursor } = result
      const isBeyond = (ledgerOfCursor(String(cursor)) ?? 0) > ledger
      return {
        ...result,
        events: itemsOf(events).filter(isKnown(ledger, 'ledger')),
        cursor: isBeyond ? cursorOf(lastPositionIn(ledger)) : cursor,
      }
    }
    case 'getTransactions': {
      const { transactions, cursor } = result
      const isBeyond = BigInt(String(cursor)) > BigInt(endOf(ledger))
      return {
        ...result,
        transactions: itemsOf(transactions).filter(isKnown(ledger, 'ledger')),
        cursor: isBeyond ? endOf(ledger) : cursor,
      }
    }
    case 'getLedgers': {
      const { ledgers, cursor } = result
      return {
        ...result,
        ledgers: itemsOf(ledgers).filter(isKnown(ledger, 'sequence')),
        cursor: `${Math.min(Number(cursor), ledger)}`,
      }
    }
    default:
      return result
  }
}

/** Answers as a node does that learned of the newest ledgers late. */
export const createStellarEndpoint = ({ source, lateness, now }: Deps): HonestEndpoint => {
  const sightings = createSightings(lateness, now)
  source.onHead((ledger) => sightings.saw(ledger, false))

  const answer = async ({ method, params }: RpcCall): Promise<RpcAnswer> => {
    const newest = await source.head()
    const ledger = sightings.view()
    if (ledger >= newest) return source.ask({ method, params })
    const { startLedger, pagination } = membersOf(params)
    const { cursor } = membersOf(pagination)
    const start = method === 'getEvents' ? (startLedger ?? ledgerOfCursor(String(cursor))) : startLedger
    if (numberIn(start) > ledger) return UNKNOWN_START
    const closeTime = await source.closeTimeOf(ledger)
    const found = await source.ask({ method, params })
    return mapResult(found, (result) => {
      const cut = windowAt(cutOff(method, membersOf(result), ledger), ledger, closeTime)
      return method === 'getLatestLedger' ? { ...cut, sequence: ledger, closeTime } : cut
    })
  }
  return { answer, sightings }
}
