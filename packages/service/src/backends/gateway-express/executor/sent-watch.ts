import type { ChainId } from '@openrfq/sdk'
import type { EvmChain } from '../../../chains/evm/evm-chain.ts'
import type { LogCursor } from '../../../chains/evm/log-progress.ts'
import { createLogWatcher, type LogWatcher } from '../../../chains/evm/log-watcher.ts'
import type { Instant } from '../../../core/instant.ts'
import type { Log } from '../../../lib/log.ts'
import type { Store } from '../../../store/store.ts'
import { SENT_TOPIC } from '../../router/express-contract.ts'
import { readSent, type SentTransfer } from './sent-message.ts'

type Deps = {
  readonly chainId: ChainId
  readonly evm: EvmChain
  readonly router: string
  readonly store: Pick<Store, 'findCursor' | 'saveChainEvents'>
  readonly onSent: (sent: SentTransfer, isFinal: boolean) => void
  readonly onRemoved: (sent: SentTransfer) => void
  /** Dates reads; and the time of day, which says how old a cursor is. */
  readonly steady: () => Instant
  readonly now: () => Instant
  readonly log: Log
}

const SAVE_EVERY_MS = 5_000
/** Transfers that were sent before a longer pause have been delivered without us. */
const OLDEST_CURSOR_MS = 3_600_000

const isYoung = ({ timestampSeconds }: LogCursor, now: Instant): boolean =>
  timestampSeconds !== undefined && now - timestampSeconds * 1000 < OLDEST_CURSOR_MS

/**
 * Creates a watcher of what a router sends. A restart begins where the last process stopped, unless that was an hour ago.
 */
export const createSentWatch = async (deps: Deps): Promise<LogWatcher> => {
  const { chainId, evm, router, store, onSent, onRemoved, now, steady, log } = deps
  const stored = await store.findCursor(chainId)
  let savedAt = Number.NEGATIVE_INFINITY
  const save = async (cursor: LogCursor): Promise<void> => {
    if (steady() - savedAt < SAVE_EVERY_MS) return
    await store.saveChainEvents(chainId, cursor, [])
    savedAt = steady()
  }
  return createLogWatcher({
    chain: evm,
    addresses: [router],
    topics0: [SENT_TOPIC],
    from: stored !== undefined && isYoung(stored, now()) ? stored : undefined,
    now: steady,
    log,
    onProgress: async (progress) => {
      for (const found of progress.logs) {
        const sent = readSent(chainId, found)
        if (sent === undefined) continue
        if (progress.kind === 'removed') onRemoved(sent)
        else onSent(sent, progress.kind === 'final')
      }
      if (progress.kind === 'final') await save(progress.cursor)
    },
  })
}
