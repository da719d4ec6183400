import { z } from 'zod'
import { createHeadReader } from '../head-reader.ts'
import type { NodeClient } from '../node-client.ts'
import type { AnswerCall } from '../rpc-message.ts'

/** A ledger's node as all its endpoints see it. */
export type StellarSource = {
  readonly ask: AnswerCall
  /** The newest ledger, at most 25 ms old; listeners hear of each one first. */
  readonly head: () => Promise<number>
  /** Reads the newest block now. */
  readonly refresh: () => Promise<void>
  readonly onHead: (listener: (ledger: number) => void) => void
  /** When a ledger closed: seconds as text. */
  readonly closeTimeOf: (ledger: number) => Promise<string>
}

const REUSE_MS = 25
const MOST_KEPT = 64
const NO_TRANSACTION = '0'.repeat(64)

const Window = z.object({ latestLedger: z.number(), latestLedgerCloseTime: z.string() })
const Ledgers = z.object({ ledgers: z.array(z.object({ ledgerCloseTime: z.string() })).min(1) })

/** Reads a node for several endpoints. */
export const createStellarSource = ({ ask }: NodeClient, now: () => number): StellarSource => {
  const listeners: ((ledger: number) => void)[] = []
  const closeTimes = new Map<number, string>()
  let newest = 0

  const resultOf = async (method: string, params: object): Promise<unknown> => {
    const answer = await ask({ method, params })
    if ('error' in answer) throw new Error(answer.error.message)
    return answer.result
  }
  const keep = (ledger: number, closeTime: string): void => {
    closeTimes.set(ledger, closeTime)
    const [oldest] = closeTimes.keys()
    if (closeTimes.size > MOST_KEPT && oldest !== undefined) closeTimes.delete(oldest)
  }
  const read = async (): Promise<number> => {
    const { latestLedger, latestLedgerCloseTime } = Window.parse(
      await resultOf('getTransaction', { hash: NO_TRANSACTION }),
    )
    keep(latestLedger, latestLedgerCloseTime)
    if (latestLedger !== newest) for (const listener of listeners) listener(latestLedger)
    newest = latestLedger
    return latestLedger
  }
  return {
    ask,
    ...createHeadReader({ read, reuseMs: REUSE_MS, now }),
    onHead: (listener) => listeners.push(listener),
    closeTimeOf: async (ledger) => {
      const known = closeTimes.get(ledger)
      if (known !== undefined) return known
      const params = { startLedger: ledger, pagination: { limit: 1 } }
      const closeTime = Ledgers.parse(await resultOf('getLedgers', params)).ledgers[0]?.ledgerCloseTime ?? '0'
      keep(ledger, closeTime)
      return closeTime
    },
  }
}
