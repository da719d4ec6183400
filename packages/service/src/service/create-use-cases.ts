import { BackendType } from '@openrfq/sdk'
import { createHttpClient } from '../lib/http-client.ts'
import { createPublicLookup } from '../lib/public-lookup.ts'
import type { Store } from '../store/store.ts'
import { createGetRecovery } from './get-recovery.ts'
import { getStatus, toldByOneEndpoint } from './get-status.ts'
import { getTransfer } from './get-transfer.ts'
import { listTokens } from './list-tokens.ts'
import { listTransfers } from './list-transfers.ts'
import type { LocateDeps } from './locate-transfer.ts'
import { createLogos } from './logos.ts'
import { createLookupBudget } from './lookup-budget.ts'
import { openOrder, opensOrders } from './open-order.ts'
import { createRecoveryBudget } from './recovery-budget.ts'
import type { TransferRefresher } from './refresh-transfer.ts'
import { type RequestQuotesDeps, requestQuotes } from './request-quotes.ts'
import { searchTransfers } from './search-transfers.ts'
import { createStatusFeed, type ReadStatus, type StatusFeed } from './status-feed.ts'
import type { UseCases } from './use-cases.ts'

export type UseCasesDeps = Omit<RequestQuotesDeps, 'store'> & {
  readonly store: Store
  readonly refresher: TransferRefresher
  /** Milliseconds that never go back. */
  readonly steady: () => number
  readonly trackDeadlineMs: LocateDeps['trackDeadlineMs']
  readonly listSolvers: UseCases['listSolvers']
  readonly readiness: UseCases['readiness']
}

/** The backends whose status needs a message id. */
export const backendsNeedingMessage = (backends: UseCasesDeps['backends']): ReadonlySet<string> =>
  new Set(backends.filter(({ messageEvent }) => messageEvent !== null).map(({ type }) => type))

/** Assembles the use cases from their parts; the feed reads statuses once it is started. */
export const createUseCases = (
  deps: UseCasesDeps,
): { readonly useCases: UseCases; readonly statusFeed: StatusFeed } => {
  const { catalog, listing, store, refresher, now } = deps
  const statusDeps = {
    catalog,
    store,
    refresher,
    backends: new Map(deps.backends.map((backend) => [backend.type, backend])),
    needsMessage: backendsNeedingMessage(deps.backends),
    toldByOne: toldByOneEndpoint(catalog),
    mayLookUp: createLookupBudget(deps.steady),
    trackDeadlineMs: deps.trackDeadlineMs,
    now,
    log: deps.log,
  }
  const readStatus: ReadStatus = (query, client) => getStatus(statusDeps, query, client)
  const readPlain: UseCases['getStatus'] = async (query, client) => (await readStatus(query, client)).status
  const statusFeed = createStatusFeed({ readStatus, log: deps.log })
  const useCases: UseCases = {
    backendTypes: [...new Set([...BackendType.options, ...deps.backends.map(({ type }) => type)])],
    listChains: () => listing.chains,
    listTokens: (filter) => listTokens(listing, filter),
    requestQuotes: (request, client) => requestQuotes(deps, request, client),
    getStatus: readPlain,
    getTransfer: (query, client) => getTransfer({ ...statusDeps, getStatus: readPlain }, query, client),
    searchTransfers: (text) => searchTransfers(statusDeps, text),
    getRecovery: createGetRecovery({
      ...statusDeps,
      getStatus: readPlain,
      mayRead: createRecoveryBudget(deps.steady),
      steady: deps.steady,
    }),
    listTransfers: (query) => listTransfers(statusDeps, query),
    followStatus: statusFeed.follow,
    openOrder: opensOrders(deps.backends)
      ? (request, client) => openOrder(statusDeps, request, client)
      : undefined,
    getLogo: createLogos({ ...deps, http: createHttpClient(createPublicLookup()) }),
    listSolvers: deps.listSolvers,
    readiness: deps.readiness,
  }
  return { useCases, statusFeed }
}
