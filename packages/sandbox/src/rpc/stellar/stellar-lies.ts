import { FUTURE_SECONDS, type Lie } from '../lie.ts'
import { type AnswerCall, itemsOf, mapResult, membersOf } from '../rpc-message.ts'
import { createEventRepeater, type EventForger, inflateValue } from './forged-events.ts'
import { richerEntry } from './richer-entry.ts'

type Deps = {
  readonly honest: AnswerCall
  /** The newest ledger when the lie began. */
  readonly since: number
}

const OTHER_PASSPHRASE = 'Public Global Stellar Network ; September 2015'
const REPETITIONS = 4
const MS_PER_SECOND = 1000
/** Members that are times of the newest ledger, in seconds. */
const NEWEST_TIMES = ['latestLedgerCloseTime', 'latestLedgerCloseTimestamp']
const OUTCOME = [
  'envelopeXdr',
  'resultXdr',
  'resultMetaXdr',
  'events',
  'ledger',
  'createdAt',
  'applicationOrder',
]

const later = (seconds: unknown): unknown =>
  typeof seconds === 'number' ? seconds + FUTURE_SECONDS : `${Number(seconds) + FUTURE_SECONDS}`

const onTransactions =
  ({ honest }: Deps, change: (found: Readonly<Record<string, unknown>>) => object): AnswerCall =>
  async (call) => {
    const answer = await honest(call)
    return call.method === 'getTransaction' ? mapResult(answer, (found) => change(membersOf(found))) : answer
  }

const isFound = ({ status }: Readonly<Record<string, unknown>>): boolean => status !== 'NOT_FOUND'

const notFound = (found: Readonly<Record<string, unknown>>): object => ({
  ...Object.fromEntries(Object.entries(found).filter(([name]) => !OUTCOME.includes(name))),
  status: 'NOT_FOUND',
})

/** The envelope and result of an unknown transaction cannot be told; everything else can. */
const succeeded = (found: Readonly<Record<string, unknown>>): object =>
  isFound(found)
    ? found
    : {
        ...found,
        status: 'SUCCESS',
        ledger: found['latestLedger'],
        createdAt: found['latestLedgerCloseTime'],
      }

const futureTime =
  ({ honest, since }: Deps): AnswerCall =>
  async (call) => {
    const inFuture = (value: unknown): unknown => {
      const item = membersOf(value)
      const changed: Record<string, unknown> = {}
      const { ledgerClosedAt, createdAt, ledger } = item
      for (const name of NEWEST_TIMES) if (name in item) changed[name] = later(item[name])
      if (Number(ledger) >= since && typeof ledgerClosedAt === 'string')
        changed['ledgerClosedAt'] = new Date(
          Date.parse(ledgerClosedAt) + FUTURE_SECONDS * MS_PER_SECOND,
        ).toISOString()
      if (Number(ledger) >= since && createdAt !== undefined) changed['createdAt'] = later(createdAt)
      for (const name of ['events', 'transactions'])
        if (Array.isArray(item[name])) changed[name] = item[name].map(inFuture)
      return { ...item, ...changed }
    }
    return mapResult(await honest(call), inFuture)
  }

const hiddenPayments =
  ({ honest }: Deps): AnswerCall =>
  async (call) => {
    const answer = await honest(call)
    switch (call.method) {
      case 'getEvents':
        return mapResult(answer, (page) => ({ ...membersOf(page), events: [] }))
      case 'getTransactions':
        return mapResult(answer, (page) => ({ ...membersOf(page), transactions: [] }))
      case 'getTransaction':
        return mapResult(answer, (found) => notFound(membersOf(found)))
      default:
        return answer
    }
  }

/** A node whose stellar-core does not emit events of classic operations, which are nearly all of the sandbox's. */
const withoutClassicEvents =
  ({ honest }: Deps): AnswerCall =>
  async (call) => {
    const silent = (found: unknown): object => {
      const item = membersOf(found)
      if (item['events'] === undefined) return item
      const operations = itemsOf(membersOf(item['events'])['contractEventsXdr']).map(() => [])
      return { ...item, events: { transactionEventsXdr: [], contractEventsXdr: operations } }
    }
    const answer = await honest(call)
    switch (call.method) {
      case 'getEvents':
        return mapResult(answer, (page) => ({ ...membersOf(page), events: [] }))
      case 'getTransactions':
        return mapResult(answer, (page) => ({
          ...membersOf(page),
          transactions: itemsOf(membersOf(page)['transactions']).map(silent),
        }))
      case 'getTransaction':
        return mapResult(answer, silent)
      default:
        return answer
    }
  }

const withForgeries =
  ({ honest }: Deps, forger: EventForger): AnswerCall =>
  async (call) => {
    const { hash } = membersOf(call.params)
    const original = forger.originalOf(hash)
    if (call.method === 'getTransaction' && original !== undefined)
      return mapResult(await honest({ ...call, params: { hash: original } }), (found) => ({
        ...forger.copyOf(membersOf(found)),
        txHash: hash,
      }))
    const answer = await honest(call)
    if (call.method !== 'getEvents') return answer
    return mapResult(answer, (page) => {
      const events = itemsOf(membersOf(page)['events'])
      return { ...membersOf(page), events: events.flatMap((event) => [event, ...forger.copiesOf(event)]) }
    })
  }

const fakeCalls =
  ({ honest }: Deps): AnswerCall =>
  async (call) => {
    const answer = await honest(call)
    if (call.method !== 'getLedgerEntries') return answer
    return mapResult(answer, (found) => ({
      ...membersOf(found),
      entries: itemsOf(membersOf(found)['entries']).map((entry) => ({
        ...membersOf(entry),
        xdr: richerEntry(String(membersOf(entry)['xdr'])),
      })),
    }))
  }

/** The answers of an endpoint that tells the lie; honest ones for what lies below JSON-RPC. */
export const tellStellarLie = (lie: Lie, deps: Deps): AnswerCall => {
  switch (lie) {
    case 'failed_receipts':
      return onTransactions(deps, (found) => (isFound(found) ? { ...found, status: 'FAILED' } : found))
    case 'null_receipts':
      return onTransactions(deps, notFound)
    case 'fake_receipts':
      return onTransactions(deps, succeeded)
    case 'fake_calls':
      return fakeCalls(deps)
    case 'future_time':
      return futureTime(deps)
    case 'hidden_payments':
      return hiddenPayments(deps)
    case 'no_classic_events':
      return withoutClassicEvents(deps)
    case 'repeated_payments':
      return withForgeries(
        deps,
        createEventRepeater(REPETITIONS, (value) => value),
      )
    case 'fake_payments':
      return withForgeries(deps, createEventRepeater(1, inflateValue))
    case 'wrong_chain':
      return async (call) => {
        const answer = await deps.honest(call)
        if (call.method !== 'getNetwork') return answer
        return mapResult(answer, (found) => ({ ...membersOf(found), passphrase: OTHER_PASSPHRASE }))
      }
    default:
      return deps.honest
  }
}
