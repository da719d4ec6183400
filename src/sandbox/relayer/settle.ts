import { setTimeout as delay } from 'node:timers/promises'
import type { ChainReader } from './chain-reader.ts'
import type { Ledger } from './ledger.ts'
import type { Watcher } from './watcher.ts'

/** A chain with the one that follows it. */
export type Followed = { readonly reader: ChainReader; readonly watcher: Watcher }

type SettleDeps = {
  readonly followed: readonly Followed[]
  readonly ledger: Ledger
  readonly isBusy: () => boolean
  readonly deadlineMs: number
}

const POLL_MS = 50

/** The newest block in which an executed message may have sent further ones. */
const lastExecution = (ledger: Ledger, axelarName: string): bigint => {
  let last = 0n
  for (const { call, executed } of ledger.messages.all())
    if (call.destination === axelarName && executed !== null && executed.blockNumber > last)
      last = executed.blockNumber
  return last
}

/**
 * Resolves when everything sent before is carried as far as it goes: what is short of gas, refused or too small waits
 * for something outside. Needs blocks to confirm what was sent last; rejects when they do not come in time.
 */
export const settle = async ({ followed, ledger, isBusy, deadlineMs }: SettleDeps): Promise<void> => {
  const targets = await Promise.all(
    followed.map(async ({ reader, watcher }) => ({
      watcher,
      name: reader.chain.axelarName,
      head: await reader.client.getBlockNumber(),
    })),
  )
  const isSettled = (): boolean =>
    !isBusy() &&
    targets.every(({ watcher, name, head }) => {
      const scanned = watcher.scanned() ?? -1n
      return scanned >= head && scanned >= lastExecution(ledger, name)
    })
  for (let waitedMs = 0; waitedMs < deadlineMs; waitedMs += POLL_MS) {
    if (isSettled()) return
    await delay(POLL_MS)
  }
  throw new Error(`the relayer did not settle within ${deadlineMs} ms`)
}
