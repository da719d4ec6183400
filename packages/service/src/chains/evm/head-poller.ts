import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import type { NetworkChain } from '../../core/network.ts'
import { createEmitter } from '../../lib/emitter.ts'
import type { Log } from '../../lib/log.ts'
import { createPoller } from '../../lib/poller.ts'
import { askFor } from '../rpc/ask-for.ts'
import type { RpcCall } from '../rpc/json-rpc.ts'
import { RpcError, rpcErrorCode } from '../rpc/rpc-error.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import type { EvmHead } from './evm-chain.ts'
import { createFeeCeiling } from './fee-ceiling.ts'
import { createHeadHistory } from './head-history.ts'
import {
  type FeeSuggestion,
  type HeadSnapshot,
  headSnapshotCalls,
  parseHeadSnapshot,
  suggestedFees,
} from './head-snapshot.ts'
import { Quantity } from './rpc-answers.ts'
import type { EvmTiming } from './timing.ts'

type Deps = {
  readonly chainId: ChainId
  readonly pool: RpcPool
  readonly finality: 'finalized' | number
  readonly l1Fee: NetworkChain['l1Fee']
  readonly gasScale: NetworkChain['gasScale']
  readonly timing: EvmTiming
  readonly now: () => Instant
  readonly log: Log
}

/** Keeps the newest block in memory. */
export type HeadPoller = {
  /** The newest block, or undefined before the first read and when it was not confirmed for too long. */
  readonly head: () => EvmHead | undefined
  readonly onHead: (listener: (head: EvmHead) => void) => () => void
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** How far ahead of the last one a head may be without being compared with other endpoints. */
const PLAUSIBLE_BLOCKS = 64n
/** How far endpoints may be apart in a chain that stands still. */
const ORDINARY_LAG_BLOCKS = 2n

const HEAD_CALL: RpcCall = { method: 'eth_blockNumber', params: [] }

type DatedSuggestion = FeeSuggestion & { readonly readAt: Instant }

/** The newest final block; with the node's tag it never decreases and never exceeds the newest block. */
const finalNumber = (snapshot: HeadSnapshot, finality: 'finalized' | number, known: bigint): bigint => {
  const { number } = snapshot.block
  if (finality !== 'finalized') return number < BigInt(finality) ? 0n : number - BigInt(finality)
  const latest = snapshot.finalized !== undefined && snapshot.finalized > known ? snapshot.finalized : known
  return latest > number ? number : latest
}

/**
 * Whether a quorum of endpoints is past a block; one that says otherwise has contradicted them. Undefined without a
 * quorum: a head may come from one endpoint, while others fail too.
 */
const createPastCheck =
  ({ pool, timing }: Pick<Deps, 'pool' | 'timing'>) =>
  async (number: bigint): Promise<boolean | undefined> => {
    try {
      return await pool.agree({
        work: async (ask) => (await askFor(ask, HEAD_CALL, Quantity)) > number,
        deadlineMs: timing.observeMs,
      })
    } catch (error) {
      if (rpcErrorCode(error) === undefined) throw error
      return undefined
    }
  }

type ReaderDeps = Deps & {
  /** The pause until the next read, in milliseconds. */
  readonly pauseMs: () => number
}

/** Reads the head once per call and reports whether it is new. */
const createHeadReader = ({ pool, finality, l1Fee, gasScale, timing, now, pauseMs }: ReaderDeps) => {
  const history = createHeadHistory()
  const isPast = createPastCheck({ pool, timing })
  const ceiling = createFeeCeiling({ pool, deadlineMs: timing.observeMs, now })
  let newest: EvmHead | undefined
  /** When the head becomes too old to use. Includes the pause before the next read, so that a long pause leaves that read as much time. */
  let freshUntil = 0
  let suggestion: DatedSuggestion | undefined
  /** When the head last moved, or was last compared with other endpoints. */
  let comparedAt = now()

  const head = (): EvmHead | undefined => (now() > freshUntil ? undefined : newest)

  const snapshot = (): Promise<HeadSnapshot> => {
    const fees = suggestion === undefined || now() - suggestion.readAt >= timing.tipMs
    const wanted = { finalized: finality === 'finalized', fees, l1Fee }
    return pool.read({
      calls: headSnapshotCalls(wanted),
      parse: (answers, checkTime) => {
        const seen = parseHeadSnapshot(answers, wanted)
        checkTime(seen.block.timestamp)
        if (head() !== undefined && history.judge(seen.block) === 'lagging')
          throw new RpcError('NODE_BEHIND', `node is behind, at block ${seen.block.number}`)
        return seen
      },
      ...{ deadlineMs: timing.observeMs, hurryMs: timing.patienceMs },
    })
  }

  /** Throws RpcError for a head far ahead of the chain, and for one that stands still while the chain goes on. */
  const expectPlausible = async ({ block: { number, hash } }: HeadSnapshot): Promise<void> => {
    if (newest === undefined || number > newest.number + PLAUSIBLE_BLOCKS) {
      if ((await isPast(number - PLAUSIBLE_BLOCKS)) !== false) return
      throw new RpcError('MALFORMED', `head ${number} is ahead of most endpoints`)
    }
    if (hash !== newest.hash) comparedAt = now()
    if (now() - comparedAt <= timing.standstillMs) return
    comparedAt = now()
    if ((await isPast(number + ORDINARY_LAG_BLOCKS)) === true)
      throw new RpcError('NODE_BEHIND', `head ${number} is behind most endpoints`)
  }

  /** The new head, or undefined if it is unchanged. */
  const refresh = async (): Promise<EvmHead | undefined> => {
    const seen = await snapshot()
    await expectPlausible(seen)
    if (seen.suggestion)
      suggestion = { ...(await ceiling.suggestion(seen.suggestion, seen.block)), readAt: now() }
    const baseFee = ceiling.baseFee(seen.block)
    const prices = { tip: suggestion?.tip, gasPrice: suggestion?.gasPrice, baseFee }
    const isNew = newest?.hash !== seen.block.hash
    const l1Cost = seen.l1Cost ?? newest?.l1Cost
    newest = {
      number: seen.block.number,
      hash: seen.block.hash,
      timestampSeconds: seen.block.timestamp,
      finalNumber: finalNumber(seen, finality, newest?.finalNumber ?? 0n),
      ...suggestedFees(prices),
      ...(l1Cost === undefined ? {} : { l1Cost }),
      ...(gasScale === undefined ? {} : { gasScale: BigInt(gasScale) }),
      readAt: now(),
    }
    freshUntil = newest.readAt + timing.staleMs + pauseMs() - timing.pollMs
    if (isNew) history.accept(seen.block)
    return isNew ? newest : undefined
  }

  return { head, refresh }
}

/** Without listeners the head is polled so many times less often. */
const QUIET_FACTOR = 5
/** How many failed reads are repeated after the short pause. */
const QUICK_RETRIES = 3

/**
 * Polls the chain's newest block, one read at a time: less often while nothing listens, since quotes need no
 * newer head than one that is not stale.
 */
export const createHeadPoller = (deps: Deps): HeadPoller => {
  const { chainId, timing, log } = deps
  const heads = createEmitter<EvmHead>((error) =>
    log('error', 'listener_failed', { listener: 'head', chainId, error }),
  )
  const pauseMs = (): number => (heads.hasListeners() ? timing.pollMs : timing.pollMs * QUIET_FACTOR)
  const { head, refresh } = createHeadReader({ ...deps, pauseMs })
  // The pool logs why the head cannot be read; without a head the chain is not quoted.
  const poller = createPoller({
    name: 'head_read',
    periodMs: pauseMs,
    retryMs: (failures) => (failures <= QUICK_RETRIES ? timing.pollMs : pauseMs()),
    run: async () => {
      const newHead = await refresh()
      if (newHead !== undefined) heads.emit(newHead)
    },
  })

  return {
    head,
    onHead: (listener) => {
      if (!heads.hasListeners()) poller.wake()
      return heads.on(listener)
    },
    start: poller.start,
    stop: poller.stop,
  }
}
