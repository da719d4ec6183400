import { askFor } from '../rpc/ask-for.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcAsk } from '../rpc/rpc-members.ts'
import { EventPage, type LedgerEvent, LedgerPage } from './rpc-answers.ts'
import type { StellarSdk } from './sdk.ts'

/** Events after a ledger, in order, complete up to and including the ledger `upTo`. */
export type EventsRead = {
  readonly upTo: number
  /** The close time of `upTo`, or an earlier one if the read was truncated; undefined where it was not told. */
  readonly upToTimestampSeconds: number | undefined
  readonly events: readonly LedgerEvent[]
}

/** Where to read on: at a ledger, or after the events of a page. */
export type EventsPlace = { readonly startLedger: number } | { readonly cursor: string }

/** The ledgers that a read asks for, and how much of them it reads. */
export type EventsRange = {
  readonly after: number
  /** Where the endpoint begins to search. */
  readonly first: number
  /** The last ledger that is wanted; later ones need not be read. */
  readonly upTo?: number | undefined
  /** After so long a read ends with what it has, once that is a whole ledger. */
  readonly budgetMs?: number
}

const MAX_FILTERS = 5
const MAX_TOPICS = 5
const TOPICS_OF_ACCOUNT = 4
/** Accounts whose events one request asks for. */
export const ACCOUNTS_OF_QUERY = Math.floor((MAX_FILTERS * MAX_TOPICS) / TOPICS_OF_ACCOUNT)
const PAGE_EVENTS = 200
/** Twelve empty pages cover the week that nodes retain. */
const MAX_PAGES = 64
/** Contracts of others can emit as many events that name an account as fit into a ledger. */
const MAX_PAGES_OF_LEDGER = 512
const ANY = '*'
const LEDGER_SHIFT = 32n

/** The ledger up to which a page searched. */
export const ledgerOfCursor = (cursor: string): number =>
  Number(BigInt(cursor.split('-')[0] ?? '') >> LEDGER_SHIFT)

const secondsOf = (event: LedgerEvent): number => Math.floor(Date.parse(event.ledgerClosedAt) / 1000)

/**
 * The close time of a ledger in seconds since the Unix epoch. Read from any of its events, because a ledger with its
 * transactions is megabytes on the public network.
 */
export const readCloseTime = async (ask: RpcAsk, ledger: number): Promise<number> => {
  const range = { startLedger: ledger, endLedger: ledger + 1 }
  const page = { filters: [{ type: 'contract' }], pagination: { limit: 1 } }
  const { events } = await askFor(ask, { method: 'getEvents', params: { ...range, ...page } }, EventPage)
  const [event] = events
  if (event?.ledger === ledger) return secondsOf(event)
  const params = { startLedger: ledger, pagination: { limit: 1 } }
  const { ledgers } = await askFor(ask, { method: 'getLedgers', params }, LedgerPage)
  const found = ledgers.find(({ sequence }) => sequence === ledger)
  if (found === undefined) throw new RpcError('NODE_BEHIND', `node does not know ledger ${ledger}`)
  return found.ledgerCloseTime
}

/** A page of events after a ledger, or after an earlier page. Source: Stellar RPC getEvents. */
export const readEventPage = (
  ask: RpcAsk,
  filters: readonly object[],
  from: EventsPlace,
): Promise<EventPage> => {
  const { cursor, ...range } = { cursor: undefined, ...from }
  const pagination = { limit: PAGE_EVENTS, ...(cursor === undefined ? {} : { cursor }) }
  return askFor(ask, { method: 'getEvents', params: { ...range, filters, pagination } }, EventPage)
}

/** Whether a page searched up to the node's newest ledger. */
export const isNewest = ({ events, cursor, latestLedger }: EventPage): boolean =>
  events.length < PAGE_EVENTS && ledgerOfCursor(cursor) >= latestLedger

/** The cursor of the next page; throws for a node that does not get on. */
export const expectProgress = ({ cursor }: EventPage, from: EventsPlace): string => {
  if ('cursor' in from && from.cursor === cursor)
    throw new RpcError('NODE_BEHIND', `node stays at ledger ${ledgerOfCursor(cursor)}`)
  return cursor
}

type Party = string | undefined

/** Event filters of payments from one account to another, or to any. Source: CAP-67. */
export const filtersBetween = ({ xdr, Address }: StellarSdk, from: string, to: Party): readonly object[] => {
  const symbol = (name: string): string => xdr.ScVal.scvSymbol(name).toXdr('base64')
  const topic = (account: Party): string =>
    account === undefined ? ANY : new Address(account).toScVal().toXdr('base64')
  const topics = [
    [symbol('transfer'), topic(from), topic(to), ANY],
    [symbol('burn'), topic(from), ANY],
    ...(to === undefined ? [] : [[symbol('mint'), topic(to), ANY]]),
  ]
  return [{ type: 'contract', topics }]
}

/** Event filters of at most six accounts: payments to them, by them, and both with an issuer. Source: CAP-67. */
const filtersOf = ({ xdr, Address }: StellarSdk, accounts: readonly string[]): readonly object[] => {
  const symbol = (name: string): string => xdr.ScVal.scvSymbol(name).toXdr('base64')
  const [transfer, mint, burn] = [symbol('transfer'), symbol('mint'), symbol('burn')]
  const topics = accounts.flatMap((account) => {
    const address = new Address(account).toScVal().toXdr('base64')
    return [
      [transfer, address, ANY, ANY],
      [transfer, ANY, address, ANY],
      [mint, address, ANY],
      [burn, address, ANY],
    ]
  })
  return Array.from({ length: Math.ceil(topics.length / MAX_TOPICS) }, (_, position) => ({
    type: 'contract',
    topics: topics.slice(position * MAX_TOPICS, (position + 1) * MAX_TOPICS),
  }))
}

/** The complete part of a truncated read: everything before the ledger of the last event. */
const cutShort = ({ after, upTo: wanted }: EventsRange, events: readonly LedgerEvent[]): EventsRead => {
  const upTo = (events.at(-1)?.ledger ?? 0) - 1
  const complete = events.filter((event) => event.ledger <= upTo)
  const last = complete.at(-1)
  if (last === undefined || upTo <= after)
    throw new RpcError('TOO_MUCH', `too many events after ledger ${after} to read any of them whole`)
  // Endpoints that are compared must not date the same ledger by different events.
  const upToTimestampSeconds = wanted === undefined ? secondsOf(last) : undefined
  return { upTo, upToTimestampSeconds, events: complete }
}

const readAll = async (ask: RpcAsk, filters: readonly object[], range: EventsRange): Promise<EventsRead> => {
  const { after, first, upTo, budgetMs = Number.POSITIVE_INFINITY } = range
  const started = performance.now()
  const events: LedgerEvent[] = []
  let from: EventsPlace = { startLedger: first }
  const isUncut = (): boolean => events[0]?.ledger === events.at(-1)?.ledger
  const goesOn = (page: number): boolean => page < MAX_PAGES && performance.now() - started < budgetMs
  for (let page = 0; page === 0 || goesOn(page) || (page < MAX_PAGES_OF_LEDGER && isUncut()); page += 1) {
    const answer = await readEventPage(ask, filters, from)
    events.push(...answer.events.filter((event) => event.ledger > after))
    if (upTo !== undefined && ledgerOfCursor(answer.cursor) > upTo)
      return { upTo, upToTimestampSeconds: undefined, events: events.filter(({ ledger }) => ledger <= upTo) }
    if (isNewest(answer))
      return { upTo: answer.latestLedger, upToTimestampSeconds: answer.latestLedgerCloseTime, events }
    from = { cursor: expectProgress(answer, from) }
  }
  return cutShort(range, events)
}

const earlier = (one: EventsRead, other: EventsRead): EventsRead => (other.upTo < one.upTo ? other : one)

/**
 * All asset events that name one of the accounts after a ledger that the node retains. Source: Stellar RPC getEvents,
 * whose pages are bounded by events and by ledgers searched.
 */
export const readAssetEvents = async (
  sdk: StellarSdk,
  ask: RpcAsk,
  accounts: readonly string[],
  range: EventsRange,
): Promise<EventsRead> => {
  const reads: EventsRead[] = []
  for (let start = 0; start < accounts.length; start += ACCOUNTS_OF_QUERY)
    reads.push(await readAll(ask, filtersOf(sdk, accounts.slice(start, start + ACCOUNTS_OF_QUERY)), range))
  const { upTo, upToTimestampSeconds } = reads.reduce(earlier)
  const byId = new Map(reads.flatMap(({ events }) => events).map((event) => [event.id, event]))
  const events = [...byId.values()]
    .filter((event) => event.ledger <= upTo)
    .sort((one, other) => (one.id < other.id ? -1 : 1))
  return { upTo, upToTimestampSeconds, events }
}
