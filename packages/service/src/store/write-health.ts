import type { Log } from '../lib/log.ts'
import type { Store } from './store.ts'

/** Whether a store takes writes, as its last write showed. */
export type WriteHealth = {
  /** Passes a write on, and remembers whether it failed. */
  readonly note: <Value>(write: Promise<Value>) => Promise<Value>
  /** As `check`, or while the last write failed as `tryWrite`, which must change what a quote changes. */
  readonly ping: Store['ping']
}

type Deps = {
  readonly check: () => Promise<void>
  readonly tryWrite: () => Promise<void>
  /** Whether an error is the row's fault and says nothing about the store. */
  readonly blamesRow: (error: unknown) => boolean
  readonly log: Log
}

/**
 * Remembers, and logs, whether the last write failed: a full disk or a locked table lets a database answer reads, and writes that fit
 * into used pages.
 */
export const createWriteHealth = ({ check, tryWrite, blamesRow, log }: Deps): WriteHealth => {
  let lastFailed = false
  let trying: Promise<void> | undefined
  const note: WriteHealth['note'] = async (write) => {
    try {
      const value = await write
      if (lastFailed) log('info', 'store_write_recovered')
      lastFailed = false
      return value
    } catch (error) {
      if (!lastFailed && !blamesRow(error)) {
        log('error', 'store_write_failed', { error })
        lastFailed = true
      }
      throw error
    }
  }
  const tryOnce = (): Promise<void> => {
    trying ??= note(tryWrite()).finally(() => {
      trying = undefined
    })
    return trying
  }
  return { note, ping: () => (lastFailed ? tryOnce() : check()) }
}
