import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { toEventSelector } from 'viem'
import type { WatchedLog } from '../src/chains/evm/evm-chain.ts'
import { createEvmChain } from '../src/chains/evm/index.ts'
import type { LogCursor, LogProgress } from '../src/chains/evm/log-progress.ts'
import { createLogWatcher, type LogWatcher } from '../src/chains/evm/log-watcher.ts'
import { startTokenChain } from './anvil-token.ts'
import { eventually } from './eventually.ts'

/** Topic 0 of ERC-20 transfers. */
export const TRANSFER = toEventSelector('Transfer(address,address,uint256)')
/** Confirmations of a final block. */
export const FINALITY = 40

const PATIENCE_MS = 120_000

const keyOf = ({ txHash, blockHash, position }: WatchedLog): string => `${blockHash} ${txHash} ${position}`

/** A listener that checks every event of a watcher for contradictions. */
const createListener = () => {
  const tentative = new Map<string, WatchedLog>()
  const removed = new Set<string>()
  const final: WatchedLog[] = []
  const cursors: LogCursor[] = []
  const contradictions: string[] = []
  let refusals = 0
  const expect = (isTrue: boolean, message: string): void => {
    if (!isTrue) contradictions.push(message)
  }
  const acceptFinal = (cursor: LogCursor, logs: readonly WatchedLog[]): void => {
    const before = cursors.at(-1)?.blockNumber ?? -1n
    expect(cursor.blockNumber > before, 'cursors must ascend')
    for (const log of logs) {
      const isBetween = log.blockNumber > before && log.blockNumber <= cursor.blockNumber
      expect(isBetween, 'final logs must lie between the cursors')
      tentative.delete(keyOf(log))
    }
    cursors.push(cursor)
    final.push(...logs)
  }
  const accept = (log: WatchedLog, kind: 'seen' | 'removed'): void => {
    const key = keyOf(log)
    expect(tentative.has(key) === (kind === 'removed'), `${kind} was reported twice`)
    expect(!removed.has(key), 'a log was reported as removed and is still on the chain')
    if (kind === 'seen') tentative.set(key, log)
    else {
      tentative.delete(key)
      removed.add(key)
    }
  }
  const onProgress = async (progress: LogProgress): Promise<void> => {
    if (refusals > 0) {
      refusals -= 1
      throw new Error("the listener's store is unavailable")
    }
    if (progress.kind === 'final') acceptFinal(progress.cursor, progress.logs)
    else for (const log of progress.logs) accept(log, progress.kind)
  }
  return {
    onProgress,
    tentative,
    final,
    cursors,
    contradictions,
    /** Rejects the given number of next events. */
    refuse: (times: number): void => {
      refusals = times
    },
  }
}

/** A running watcher with its listener and log. */
export type Watched = {
  readonly watcher: LogWatcher
  readonly listener: ReturnType<typeof createListener>
  readonly lines: readonly string[]
}

/** The URL a watcher reads from and its first block; by default the chain itself and its newest final block. */
type Settings = { readonly rpcUrls?: readonly string[]; readonly from?: LogCursor }

/** The watcher's first block; its first final one by default. */
export const startOf = async ({ listener }: Watched): Promise<bigint> => {
  const first = await eventually('the watcher starts', () => listener.cursors[0])
  return first.blockNumber
}

/** A private chain with a token whose transfers are watched. The caller stops it. */
export const startWatchedToken = async (chainId: number) => {
  const world = await startTokenChain(chainId)
  await world.client.mine({ blocks: FINALITY })

  /** Watches the token's transfers while `work` runs. */
  const watching = async (
    work: (watched: Watched) => Promise<void>,
    { rpcUrls = [world.anvil.rpcUrl], from }: Settings = {},
  ): Promise<void> => {
    const lines: string[] = []
    const log = (level: string, message: string): void => void lines.push(`${level} ${message}`)
    const chain = createEvmChain({
      chainId: `eip155:${chainId}`,
      rpcUrls: [...rpcUrls],
      finality: FINALITY,
      now: Date.now,
      log,
      timing: { pollMs: 15, observeMs: 60_000, asideMs: 10 },
    })
    const listener = createListener()
    const { onProgress } = listener
    const [addresses, topics0] = [[world.token], [TRANSFER]]
    const watcher = createLogWatcher({ chain, addresses, topics0, from, now: Date.now, log, onProgress })
    try {
      await chain.start()
      await watcher.start()
      await work({ watcher, listener, lines })
    } finally {
      await watcher.stop()
      await chain.stop()
    }
  }

  /** The token's transfers after a block, read from the chain itself. */
  const truth = async (after: bigint) => {
    const { number: head } = await world.client.getBlock()
    const logs = await world.client.getLogs({ address: world.token, fromBlock: after + 1n, toBlock: head })
    const keysWhere = (isWanted: (blockNumber: bigint) => boolean): readonly string[] =>
      logs
        .filter(({ blockNumber }) => isWanted(blockNumber))
        .map(({ blockHash, transactionHash, logIndex }) => `${blockHash} ${transactionHash} ${logIndex}`)
    const finalNumber = head - BigInt(FINALITY)
    return {
      final: keysWhere((number) => number <= finalNumber),
      tentative: keysWhere((number) => number > finalNumber),
      finalNumber,
    }
  }

  /** Waits until the listener's transfers equal the chain's; throws with the difference at the deadline. */
  const agreement = async ({ listener, watcher }: Watched, after: bigint): Promise<void> => {
    const deadline = performance.now() + PATIENCE_MS
    for (;;) {
      const expected = await truth(after)
      const known = {
        final: listener.final.map(keyOf),
        tentative: [...listener.tentative.keys()],
        finalNumber: watcher.finalBlock()?.number,
      }
      try {
        assert.deepEqual(known, expected)
        assert.deepEqual(listener.contradictions, [])
        return
      } catch (error) {
        if (performance.now() > deadline || listener.contradictions.length > 0) throw error
        await sleep(10)
      }
    }
  }

  return { ...world, watching, agreement }
}
