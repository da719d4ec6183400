import type { ChainId } from '@openrfq/sdk'
import type { Instant } from '../../core/instant.ts'
import type { NetworkChain } from '../../core/network.ts'
import { unitsHeld } from '../../core/value-scale.ts'
import type { Log } from '../../lib/log.ts'
import type { RpcProof } from '../rpc/rpc-members.ts'
import { createRpcPool } from '../rpc/rpc-pool.ts'
import { createAllowanceReader } from './allowance-reader.ts'
import { createBalanceReader } from './balance-reader.ts'
import { createBatchedCalls } from './batched-calls.ts'
import { createBlockReader } from './block-reader.ts'
import { createAgreedCalls, createCallReader } from './call-reader.ts'
import { createCodeReader } from './code-reader.ts'
import type { EvmChain } from './evm-chain.ts'
import { createFinalReader } from './final-reader.ts'
import { createHeadPoller } from './head-poller.ts'
import { createHeldReader } from './held-reader.ts'
import { createLogFinder } from './log-finder.ts'
import { createMulticall } from './multicall.ts'
import { createReceiptReader } from './receipt-reader.ts'
import { createRecentLogs } from './recent-logs.ts'
import { DEFAULT_EVM_TIMING, type EvmTiming } from './timing.ts'
import { createTransactionSender } from './transaction-sender.ts'

/** Dependencies of a live chain: how the network configures it, clock and log. */
type EvmChainDeps = Pick<
  NetworkChain,
  | 'chainId'
  | 'rpcUrls'
  | 'rpcHeaders'
  | 'rpcCallsPerMinute'
  | 'finality'
  | 'l1Fee'
  | 'gasScale'
  | 'maximumClockLeadSeconds'
> & {
  /** The native asset, whose balances are told in base units; absent for one that nodes count so. */
  readonly nativeToken?: NetworkChain['nativeToken']
  readonly now: () => Instant
  readonly wallTime?: () => Instant
  readonly log: Log
  readonly timing?: Partial<EvmTiming>
}

const proofOf = (chainId: ChainId): RpcProof => ({
  call: { method: 'eth_chainId', params: [] },
  nameIn: (result) => (typeof result === 'string' ? `eip155:${Number(result)}` : undefined),
  expected: chainId,
})

/**
 * Creates a live EVM chain, read over JSON-RPC from the first endpoint that answers. `finality` is the number of blocks
 * on top of a final one, or the node's own tag. Source: Ethereum JSON-RPC.
 */
export const createEvmChain = (deps: EvmChainDeps): EvmChain => {
  const { chainId, finality, l1Fee, gasScale, now, log } = deps
  const unitsOf = (value: bigint): bigint =>
    deps.nativeToken === undefined ? value : unitsHeld({ nativeToken: deps.nativeToken }, value)
  const timing: EvmTiming = { ...DEFAULT_EVM_TIMING, ...deps.timing }
  const { asideMs, hurryMs } = timing
  const pool = createRpcPool({ ...deps, proof: proofOf(chainId), asideMs, hurryMs })
  const { head, onHead, start, stop } = createHeadPoller({
    ...{ chainId, pool, finality, l1Fee, gasScale, timing, now, log },
  })

  const askContracts = createMulticall(now)
  const batched = createBatchedCalls({ pool, askContracts, deadlineMs: timing.readMs })

  const findLogs = createLogFinder({ pool, deadlineMs: timing.observeMs, now })

  return {
    chainId,
    head,
    onHead,
    callMany: createCallReader({ pool, askContracts, deadlineMs: timing.readMs }),
    ...createAgreedCalls({ pool, deadlineMs: timing.observeMs }),
    ...createAllowanceReader({ head, batched, deadlineMs: timing.allowanceMs }),
    heldBy: createHeldReader({ head, batched, unitsOf }),
    ...createBalanceReader({ pool, deadlineMs: timing.readMs, unitsOf }),
    ...createCodeReader({ pool, deadlineMs: timing.readMs }),
    ...createReceiptReader({ pool, finality, head, deadlineMs: timing.observeMs }),
    ...createBlockReader({ pool, deadlineMs: timing.observeMs }),
    ...createFinalReader({ pool, finality, deadlineMs: timing.observeMs }),
    findLogs,
    recentLogs: createRecentLogs({ chainId, head, findLogs, now }),
    ...createTransactionSender({ pool, finality, deadlineMs: timing.observeMs }),
    counts: pool.counts,
    faults: pool.faults,
    isAheadOfClock: pool.isAheadOfClock,
    start: async () => {
      await start()
      // The start does not wait for it: a read that comes first looks by itself.
      pool.work(askContracts.prepare, timing.observeMs, timing.patienceMs).catch(() => undefined)
    },
    stop: async () => {
      const stopped = stop()
      pool.close()
      await stopped
    },
  }
}
