import { isTerminal } from '@openrfq/sdk'
import type { Backend, Located, Lookup } from '../backends/backend.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import type { Details, Transfer } from '../core/transfer.ts'
import type { Log } from '../lib/log.ts'
import type { Store } from '../store/store.ts'
import { allWithin, TIMED_OUT } from './deadline.ts'
import type { LookupBudget } from './lookup-budget.ts'

/** The transfer that a status request is about: one to follow, none known yet, or a message of another transfer. */
export type Whereabouts =
  | { readonly known: 'transfer'; readonly lookup: Lookup }
  | { readonly known: 'nothing'; readonly details: Details }
  | { readonly known: 'other_transfer' }

export type LocateDeps = {
  readonly store: Pick<Store, 'findTransfer' | 'listTransfers'>
  readonly backends: ReadonlyMap<string, Backend>
  readonly mayLookUp: LookupBudget
  readonly log: Log
  /** Deadline of the chain reads. */
  readonly trackDeadlineMs: number
}

const UNREADABLE: Located = { located: 'unreadable' }
/** What identifies a transfer that the quote alone does not. */
const NEEDS = ['messageId', 'sourceChain']

const lookupOf = (quote: QuoteRecord, messageId: string): Whereabouts => ({
  known: 'transfer',
  lookup: { messageId, sourceChain: quote.fromChain },
})

/** Asks the backend within the deadline. */
const locate = async (
  { backends, log, trackDeadlineMs }: LocateDeps,
  quote: QuoteRecord,
  name: string | undefined,
  client: string,
): Promise<Located> => {
  const located = backends.get(quote.backend)?.locate?.(quote, name, client)
  if (located === undefined)
    return name === undefined ? { located: 'nothing', candidates: [] } : { located: 'found', messageId: name }
  const [inTime = TIMED_OUT] = await allWithin([located], trackDeadlineMs)
  if (inTime !== TIMED_OUT) return inTime
  log('warn', 'source_message_search_timed_out', { quoteId: quote.quoteId })
  return UNREADABLE
}

const whereaboutsOf = (quote: QuoteRecord, located: Located): Whereabouts => {
  switch (located.located) {
    case 'found':
      return lookupOf(quote, located.messageId)
    case 'mismatched':
      return { known: 'other_transfer' }
    case 'unreadable':
      return { known: 'nothing', details: { needs: NEEDS, stale: true } }
    case 'nothing': {
      const { candidates } = located
      return {
        known: 'nothing',
        details: { needs: NEEDS, ...(candidates.length === 0 ? {} : { candidates }) },
      }
    }
  }
}

/** Whether funds moved: a transaction that reverted, or left the chain, may be followed by another of the same quote. */
const hasStarted = ({ state }: Transfer): boolean => state !== 'AWAITING_DEPOSIT' && state !== 'FAILED'

const byStart = (one: Transfer, other: Transfer): number =>
  (one.source?.timestamp ?? '') < (other.source?.timestamp ?? '') ? -1 : 1

/** The transfer of a quote that counts: the first that started, else one that failed. */
export const startedTransferOf = (transfers: readonly Transfer[]): Transfer | undefined =>
  transfers.filter(hasStarted).sort(byStart)[0] ?? transfers.find(({ state }) => isTerminal(state))

const locateNamed = async (
  deps: LocateDeps,
  quote: QuoteRecord,
  name: string,
  client: string,
): Promise<Whereabouts> => {
  const stored = await deps.store.findTransfer(quote.quoteId, name)
  if (stored !== undefined) return lookupOf(quote, name)
  if (!deps.mayLookUp(quote.quoteId, name, client)) return { known: 'nothing', details: { stale: true } }
  return whereaboutsOf(quote, await locate(deps, quote, name, client))
}

const locateByQuote = async (deps: LocateDeps, quote: QuoteRecord, client: string): Promise<Whereabouts> => {
  const stored = await deps.store.listTransfers(quote.quoteId)
  const [started] = stored.filter(hasStarted).sort(byStart)
  if (started !== undefined) return lookupOf(quote, started.messageId)
  const located = await locate(deps, quote, undefined, client)
  const failed = stored.find(({ state }) => isTerminal(state))
  return located.located === 'nothing' && failed !== undefined
    ? lookupOf(quote, failed.messageId)
    : whereaboutsOf(quote, located)
}

/**
 * Finds the transfer of a quote whose backend needs a message: the named one, or without a name the quote's first that
 * is stored, else the one that the source chain shows. Look-ups of unknown messages are limited to eight at once and one
 * a second from then on for a quote, forty and ten for a client, and 200 in four seconds for all clients. A message
 * beyond these limits counts as not seen (`stale`).
 */
export const locateTransfer = (
  deps: LocateDeps,
  quote: QuoteRecord,
  name: string | undefined,
  client: string,
): Promise<Whereabouts> =>
  name === undefined ? locateByQuote(deps, quote, client) : locateNamed(deps, quote, name, client)
