import { isSettled, type Recovery, RfqError } from '@openrfq/sdk'
import type { Backend, Lookup, RecoveryCall } from '../backends/backend.ts'
import type { Catalog } from '../chains/catalog.ts'
import { isSameAddress } from '../core/comparable-address.ts'
import { isQuoteId } from '../core/quote-id.ts'
import type { QuoteRecord } from '../core/quote-record.ts'
import type { StatusAnswer, StatusQuery } from '../core/status.ts'
import type { Closed } from '../core/written.ts'
import type { Log } from '../lib/log.ts'
import { createSharedReads } from '../lib/shared-reads.ts'
import type { Store } from '../store/store.ts'
import { allWithin, TIMED_OUT } from './deadline.ts'
import type { RecoveryBudget } from './recovery-budget.ts'

/** Which transfer, as for its status, and the account that would sign. */
export type RecoveryQuery = StatusQuery & { readonly account?: string | undefined }

/** What moves a late transfer on; clients parse it as the SDK's `RecoveryAnswer`. */
export type RecoveryAnswer = {
  readonly quoteId: string
  readonly state: StatusAnswer['state']
  readonly recoveries: readonly Closed<Recovery>[]
}

export type GetRecoveryDeps = {
  readonly catalog: Pick<Catalog, 'chains' | 'chain' | 'rules'>
  readonly store: Pick<Store, 'findQuote'>
  readonly backends: ReadonlyMap<string, Pick<Backend, 'recoveries'>>
  readonly getStatus: (query: StatusQuery, client: string) => Promise<StatusAnswer>
  readonly mayRead: RecoveryBudget
  /** Milliseconds that never go back. */
  readonly steady: () => number
  /** Deadline of the chain reads. */
  readonly trackDeadlineMs: number
  readonly log: Log
}

/** Requests within this time share what was read about a transfer. */
const SHARED_MS = 1_000
const MAX_SHARED = 1_000

/** The account in the form of each family that has it. Throws INVALID_REQUEST for no address of a served family. */
const accountsOf = (
  { catalog }: GetRecoveryDeps,
  account: string | undefined,
): ReadonlyMap<string, string> => {
  if (account === undefined) return new Map()
  const families = [...new Set(catalog.chains.map(({ chainType }) => chainType))]
  const accounts = families.flatMap((family) => {
    const address = catalog.rules(family).parseSender(account)
    return address === undefined ? [] : [[family, address] as const]
  })
  if (accounts.length > 0) return new Map(accounts)
  const expected = families.map((family) => catalog.rules(family).expected.sender).join(', or ')
  throw new RfqError('INVALID_REQUEST', `account is no address that can sign: expected ${expected}`, {
    field: 'account',
  })
}

const presentCall = (
  { kind, label, chainId: chain, leadsTo, value = 0n, payloadBy }: RecoveryCall,
  account: string | undefined,
): Closed<Recovery> => ({
  kind,
  label,
  chain,
  leadsTo,
  ...(value === 0n ? {} : { value: value.toString() }),
  actions:
    account === undefined
      ? []
      : [{ id: kind, label, type: 'transaction', chain, payload: payloadBy(account) }],
})

const tooManyReads = (): RfqError =>
  new RfqError('RATE_LIMITED', 'too many recoveries are asked for: try again in a second', {
    retryAfterSeconds: 1,
  })

/** Whether an account can make a call. Without a named account every call counts. */
const isFor = ({ by }: RecoveryCall, account: string | undefined): boolean =>
  by === undefined || account === undefined || by.some((other) => isSameAddress(other, account))

/** Whether a transfer is on its way: also one whose delivery its chain took back, which stays DONE until it ends. */
const mayNeedHelp = ({ state, details }: StatusAnswer): boolean =>
  state !== 'NOT_FOUND' &&
  !isSettled({ state, details }) &&
  (state !== 'DONE' || details['deliveryReverted'] === true)

/** Creates the use case, whose reads are shared between requests about one transfer. */
export const createGetRecovery = (deps: GetRecoveryDeps) => {
  const { catalog, store, backends, log } = deps
  const share = createSharedReads<string, readonly RecoveryCall[]>({
    now: deps.steady,
    maxAgeMs: SHARED_MS,
    limit: MAX_SHARED,
  })

  const read = async (quote: QuoteRecord, lookup: Lookup): Promise<readonly RecoveryCall[]> => {
    const reading = backends.get(quote.backend)?.recoveries?.(quote, lookup)
    if (reading === undefined) return []
    try {
      const [calls = TIMED_OUT] = await allWithin([reading], deps.trackDeadlineMs)
      if (calls !== TIMED_OUT) return calls
      log('warn', 'recovery_read_timed_out', { quoteId: quote.quoteId })
    } catch (error) {
      log('warn', 'recovery_read_failed', { quoteId: quote.quoteId, error })
    }
    return []
  }

  const callsOf = async (
    status: StatusAnswer,
    quoteId: string,
    client: string,
  ): Promise<readonly RecoveryCall[]> => {
    const { source } = status
    if (source === null || !mayNeedHelp(status) || !isQuoteId(quoteId)) return []
    const quote = await store.findQuote(quoteId)
    if (quote === undefined) return []
    const { messageId, chain: sourceChain } = source
    const lookup = messageId === null ? null : { messageId, sourceChain }
    return share(`${quoteId} ${messageId ?? ''}`, () => {
      // Thrown before the read begins, so that no other client shares the error.
      if (!deps.mayRead(client)) throw tooManyReads()
      return read(quote, lookup)
    })
  }

  /**
   * What moves a transfer on that is late, as actions of `account`; nothing while a chain or indexer cannot be read. Rejects
   * as the status does, with INVALID_REQUEST for an account that is no address, and with RATE_LIMITED for a client beyond its
   * budget of reads.
   */
  return async ({ account, ...query }: RecoveryQuery, client: string): Promise<RecoveryAnswer> => {
    const accounts = accountsOf(deps, account)
    const status = await deps.getStatus(query, client)
    const calls = await callsOf(status, query.quoteId, client)
    return {
      quoteId: query.quoteId,
      state: status.state,
      recoveries: calls.flatMap((call) => {
        const signer = accounts.get(catalog.chain(call.chainId)?.chainType ?? '')
        return isFor(call, signer) ? [presentCall(call, signer)] : []
      }),
    }
  }
}
