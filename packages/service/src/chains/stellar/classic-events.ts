import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import type { Log } from '../../lib/log.ts'
import { askFor } from '../rpc/ask-for.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcAsk, RpcWork } from '../rpc/rpc-members.ts'
import { contractIdOf } from './asset-contract.ts'
import { readWindow } from './ledger-window.ts'
import { EventPage, TransactionPage } from './rpc-answers.ts'
import { loadStellarSdk } from './sdk.ts'

/**
 * What the newest ledgers of an endpoint show: events of classic operations, transactions without them, or no transaction
 * that could have any.
 */
export type ClassicEvents = 'shown' | 'hidden' | 'quiet'

type Deps = {
  readonly chainId: ChainId
  readonly passphrase: string
  readonly now: () => Instant
  readonly log: Log
}

const LEDGERS = 100
const TRANSACTIONS = 10
/** An operator may change a node's configuration at any time. */
const SHOWN_MS = 3_600_000
/** How soon an endpoint that hides them, or has nothing to show, is asked again. */
const UNSURE_MS = 10_000

/**
 * Reads whether an endpoint shows classic payments. Every transaction pays a fee; a node lists the fee's event only if it
 * emits events of classic operations; a contract's transfer proves nothing. Source: CAP-67, stellar-core's
 * EMIT_CLASSIC_EVENTS.
 */
export const readClassicEvents = async (ask: RpcAsk, passphrase: string): Promise<ClassicEvents> => {
  const { oldestLedger, latestLedger } = await readWindow(ask)
  const startLedger = Math.max(oldestLedger, latestLedger - LEDGERS + 1)
  const { xdr } = await loadStellarSdk()
  const fee = {
    type: 'contract',
    contractIds: [contractIdOf('native', passphrase)],
    topics: [[xdr.ScVal.scvSymbol('fee').toXdr('base64'), '*']],
  }
  const params = { startLedger, filters: [fee], pagination: { limit: 1 } }
  const told = await askFor(ask, { method: 'getEvents', params }, EventPage)
  if (told.events.length > 0) return 'shown'
  const page = { startLedger, pagination: { limit: TRANSACTIONS } }
  const { transactions } = await askFor(ask, { method: 'getTransactions', params: page }, TransactionPage)
  // Later ones may have events that were not asked for yet.
  const past = transactions.filter(({ ledger }) => ledger <= told.latestLedger)
  if (past.length === 0) return 'quiet'
  return past.some(({ events }) => events.transactionEventsXdr.length > 0) ? 'shown' : 'hidden'
}

type Known = { readonly shows: ClassicEvents; readonly readAt: Instant }

/** The proof by each endpoint that it shows events of classic operations. */
export type ClassicEventsProof = {
  /** Throws RpcError NO_CLASSIC_EVENTS while the endpoint does not show them. */
  readonly expectShown: (ask: RpcAsk, endpoint: number) => Promise<void>
  /** Work that depends on the events, after `expectShown`. */
  readonly needed: <Value>(work: RpcWork<Value>) => RpcWork<Value>
}

/**
 * Lets every endpoint prove that it shows events of classic operations, before its first use and then every hour. An
 * endpoint without any transaction to show is used.
 */
export const createClassicEvents = ({ chainId, passphrase, now, log }: Deps): ClassicEventsProof => {
  const known = new Map<number, Known>()

  const isCurrent = ({ shows, readAt }: Known): boolean =>
    now() - readAt < (shows === 'shown' ? SHOWN_MS : UNSURE_MS)

  const note = (endpoint: number, found: ClassicEvents): ClassicEvents => {
    const before = known.get(endpoint)?.shows
    // Nothing new was shown, so that what was hidden before still is.
    const shows = found === 'quiet' && before === 'hidden' ? 'hidden' : found
    known.set(endpoint, { shows, readAt: now() })
    if (shows === 'hidden' && before !== 'hidden')
      log('error', 'rpc_endpoint_hides_payments', { chainId, endpoint })
    if (shows !== 'hidden' && before === 'hidden')
      log('info', 'rpc_endpoint_shows_payments', { chainId, endpoint })
    return shows
  }

  const look = async (ask: RpcAsk, endpoint: number): Promise<ClassicEvents> => {
    const last = known.get(endpoint)
    return last !== undefined && isCurrent(last)
      ? last.shows
      : note(endpoint, await readClassicEvents(ask, passphrase))
  }

  const expectShown = async (ask: RpcAsk, endpoint: number): Promise<void> => {
    if ((await look(ask, endpoint)) === 'hidden')
      throw new RpcError('NO_CLASSIC_EVENTS', 'the node shows no events of classic operations')
  }
  return {
    expectShown,
    needed: (work) => async (ask, endpoint) => {
      await expectShown(ask, endpoint)
      return work(ask, endpoint)
    },
  }
}
