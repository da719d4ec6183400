import type { Log } from 'openrfq/lib/log'
import { z } from 'zod'
import { postRpc } from './rpc-call.ts'

/** Mines the empty blocks that confirm transactions on an automining chain. */
export type Miner = {
  /** Mines as fast as for recent transactions for a while. */
  readonly hurry: () => void
  /** Mines nothing while the work runs. */
  readonly pausedFor: (work: () => Promise<void>) => Promise<void>
  readonly stop: () => Promise<void>
}

/** Blocks that make a transaction final and visible to every component. */
const CONFIRMING_BLOCKS = 6n
/** Idle chains mine slowly: anvil 1.7.1 copies every block hash into each state it keeps. */
const IDLE_MS = 5000

const Block = z.object({ number: z.string().transform(BigInt), transactions: z.array(z.unknown()) })

type MinerOptions = {
  readonly rpcUrl: string
  /** Between two blocks while recent transactions need confirmations, in milliseconds. */
  readonly blockMs: number
  readonly log: Log
}

/**
 * Mines one block every `blockMs` while recent transactions need confirmations, and one every five seconds otherwise.
 * anvil's interval mining would keep 1500 states in memory regardless of its limit. A caller that disables automining,
 * to put two transactions into one block, mines itself until it enables automining again.
 */
export const startMiner = ({ rpcUrl, blockMs, log }: MinerOptions): Miner => {
  let busyUntil = 0n
  let idleMs = 0
  let hurried = true
  let running: Promise<void> = Promise.resolve()

  const tick = async (): Promise<void> => {
    const block = Block.parse(await postRpc(rpcUrl, 'eth_getBlockByNumber', ['latest', false]))
    if (hurried || block.transactions.length > 0) busyUntil = block.number + CONFIRMING_BLOCKS
    hurried = false
    idleMs += blockMs
    if (block.number >= busyUntil && idleMs < IDLE_MS) return
    if ((await postRpc(rpcUrl, 'anvil_getAutomine', [])) === false) return
    idleMs = 0
    await postRpc(rpcUrl, 'evm_mine', [])
  }

  let pending = false
  let pauses = 0
  const timer = setInterval(() => {
    if (pending || pauses > 0) return
    pending = true
    running = tick()
      .catch((error) => log('warn', 'mining_failed', { rpcUrl, error: String(error) }))
      .finally(() => {
        pending = false
      })
  }, blockMs)
  return {
    hurry: () => {
      hurried = true
    },
    pausedFor: async (work) => {
      pauses += 1
      try {
        await running
        await work()
      } finally {
        pauses -= 1
      }
    },
    stop: () => {
      clearInterval(timer)
      return running
    },
  }
}
