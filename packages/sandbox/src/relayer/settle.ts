import { setTimeout as delay } from 'node:timers/promises'
import type { Watcher } from './watcher.ts'

type SettleDeps = {
  readonly watchers: readonly Watcher[]
  readonly isBusy: () => boolean
  readonly deadlineMs: number
}

const POLL_MS = 100

/**
 * Resolves when all earlier messages are carried as far as possible; those short of gas, rejected or too small need
 * outside action. The last steps need new blocks for confirmation. Rejects at the deadline.
 */
export const settle = async ({ watchers, isBusy, deadlineMs }: SettleDeps): Promise<void> => {
  const isSettled = async (): Promise<boolean> => {
    if (isBusy()) return false
    const unread = await Promise.all(watchers.map((watcher) => watcher.hasUnread().catch(() => true)))
    return !unread.includes(true) && !isBusy()
  }
  for (let waitedMs = 0; waitedMs < deadlineMs; waitedMs += POLL_MS) {
    if (await isSettled()) return
    await delay(POLL_MS)
  }
  throw new Error(`the relayer did not settle within ${deadlineMs} ms`)
}
