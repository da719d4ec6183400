import type { Instant } from '../core/instant.ts'
import type { Transfer } from '../core/transfer.ts'
import { type Lifecycle, together } from '../lib/lifecycle.ts'
import type { Log } from '../lib/log.ts'
import { createPoller } from '../lib/poller.ts'
import type { Store } from '../store/store.ts'
import type { TransferRefresher } from './refresh-transfer.ts'
import type { Keeper } from './refund.ts'

export type WatchDeps = {
  readonly store: Pick<Store, 'listOpen' | 'findQuote' | 'purgeQuotes'>
  readonly refresher: TransferRefresher
  readonly keeper: Keeper
  readonly needsMessage: ReadonlySet<string>
  readonly now: () => Instant
  /** The time of the newest block of any chain; undefined while no chain is known. */
  readonly chainTime: () => Instant | undefined
  readonly log: Log
}

const ROUND_MS = 2_000
const PAGE = 32
const DAY_MS = 86_400_000
/** Afterwards answers are compacted. */
const UNCOMPACTED_MS = DAY_MS
/** Retention of unused quotes. */
const RETENTION_MS = 30 * DAY_MS
const PURGE_EVERY_MS = 60_000

const refreshOne = async (deps: WatchDeps, transfer: Transfer): Promise<void> => {
  const quote = await deps.store.findQuote(transfer.quoteId)
  if (quote === undefined) return
  const lookup = deps.needsMessage.has(quote.backend)
    ? { messageId: transfer.messageId, sourceChain: quote.fromChain }
    : null
  const refreshed = await deps.refresher(quote, lookup)
  if (refreshed !== 'mismatched') await deps.keeper(quote, refreshed.transfer)
}

/** Refreshes one page of open transfers in parallel; returns where the next page starts, or undefined at the end. */
const refreshPage = async (deps: WatchDeps, after: Transfer | undefined): Promise<Transfer | undefined> => {
  const page = await deps.store.listOpen(PAGE, after)
  await Promise.all(page.map((transfer) => refreshOne(deps, transfer)))
  return page.length < PAGE ? undefined : page.at(-1)
}

/**
 * Compacts quotes after a day and deletes unused ones after 30 days, by the earlier of the
 * clock and the chains' blocks, so that a wrong clock deletes nothing.
 */
const purge = async ({ store, now, chainTime }: WatchDeps): Promise<void> => {
  const time = chainTime()
  if (time === undefined) return
  const sure = Math.min(now(), time)
  await store.purgeQuotes({ compactBefore: sure - UNCOMPACTED_MS, dropBefore: sure - RETENTION_MS })
}

/**
 * Refreshes open transfers, a page of 32 every two seconds, submits due refunds, and purges quotes every minute. The status
 * endpoint is correct without it. A failed round is logged and the next one retries. `stop` resolves when the running
 * rounds have ended.
 */
export const createWatch = (deps: WatchDeps): Lifecycle => {
  let after: Transfer | undefined
  const { log } = deps
  const transfers = createPoller({
    name: 'open_transfer_watch',
    periodMs: ROUND_MS,
    run: async () => {
      after = await refreshPage(deps, after)
    },
    log,
  })
  const purges = createPoller({
    name: 'quote_purge',
    periodMs: PURGE_EVERY_MS,
    run: () => purge(deps),
    log,
  })
  return together([transfers, purges])
}
