import type { ChainId } from '@openrfq/sdk'
import type { Log } from 'openrfq/lib/log'
import { startAnvil } from './anvil.ts'
import { CHAIN_PLANS } from './deploy/plan.ts'
import type { Deployment } from './deployment.ts'
import type { BuiltChain } from './deployment-types.ts'
import { startMiner } from './miner.ts'
import { FINALITY_BLOCKS } from './network.ts'
import { reorganise, setClock } from './reorganise.ts'
import { postRpc } from './rpc-call.ts'
import { buildSnapshot, readSnapshot } from './snapshot.ts'

/** One chain's node with its miner and controls. */
type RunningChain = {
  readonly rpcUrl: string
  readonly reorganise: (depth: number) => Promise<void>
  readonly catchUp: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** All running chains with their deployment. */
export type RunningChains = {
  readonly deployment: Deployment
  readonly chains: readonly BuiltChain[]
  /** Drops the last `depth` blocks of a chain, at most 64, with their transactions. */
  readonly reorganise: ReadonlyMap<ChainId, (depth: number) => Promise<void>>
  /** After a clock move: sets every chain to the new time and finalises a block at that time. */
  readonly catchUp: () => Promise<void>
  readonly stop: () => Promise<void>
}

type Deps = {
  readonly log: Log
  readonly now: () => number
  /** Between two blocks while recent transactions need confirmations, in milliseconds; a second by default. */
  readonly blockMs?: number | undefined
  /** Chains whose transactions have one gas price, by Axelar name. */
  readonly legacyGas?: readonly string[] | undefined
}

const BLOCK_MS = 1_000

/** The last fork before EIP-1559. */
const LEGACY_GAS = ['--hardfork', 'berlin']

/** Blocks mined on top of a loaded snapshot, whose own blocks a reorg cannot replace. */
const BUFFER_BLOCKS = 80

const toHex = (count: number): string => `0x${count.toString(16)}`

const startChain = async (
  chainNumber: number,
  hardfork: readonly string[],
  state: Buffer,
  { log, now, blockMs = BLOCK_MS }: Deps,
): Promise<RunningChain> => {
  const anvil = await startAnvil(chainNumber, ['--slots-in-an-epoch', '1', ...hardfork])
  const { rpcUrl } = anvil
  try {
    await postRpc(rpcUrl, 'anvil_loadState', [`0x${state.toString('hex')}`])
    await setClock(rpcUrl, now)
    await postRpc(rpcUrl, 'anvil_mine', [toHex(BUFFER_BLOCKS)])
  } catch (cause) {
    await anvil.stop()
    throw cause
  }
  const miner = startMiner({ rpcUrl, blockMs, log })
  return {
    rpcUrl,
    reorganise: async (depth) => {
      await miner.pausedFor(() => reorganise(rpcUrl, depth, now))
      miner.hurry()
    },
    catchUp: async () => {
      await setClock(rpcUrl, now)
      await postRpc(rpcUrl, 'anvil_mine', [toHex(FINALITY_BLOCKS + 1)])
      miner.hurry()
    },
    stop: async () => {
      await miner.stop()
      await anvil.stop()
    },
  }
}

const fulfilled = <Value>(results: readonly PromiseSettledResult<Value>[]): readonly Value[] =>
  results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))

/**
 * Starts the three chains from the committed snapshot, or builds a fresh deployment when the snapshot is absent or
 * outdated. Throws when anvil is missing or a chain does not start, and leaves nothing running.
 */
export const startChains = async (deps: Deps): Promise<RunningChains> => {
  const { deployment, states } = readSnapshot() ?? (await buildSnapshot())
  const results = await Promise.allSettled(
    states.map((state, index) => {
      const isLegacy = deps.legacyGas?.includes(deployment.chains[index]?.axelarName ?? '') === true
      return startChain(CHAIN_PLANS[index]?.chainNumber ?? 0, isLegacy ? LEGACY_GAS : [], state, deps)
    }),
  )
  const running = fulfilled(results)
  const stop = async (): Promise<void> => {
    await Promise.all(running.map((chain) => chain.stop()))
  }
  const failure = results.find((result) => result.status === 'rejected')
  if (failure !== undefined) {
    await stop()
    throw failure.reason
  }
  return {
    deployment,
    chains: deployment.chains.map((chain, index) => ({ ...chain, rpcUrl: running[index]?.rpcUrl ?? '' })),
    reorganise: new Map(
      running.map((chain, index) => [deployment.chains[index]?.chainId ?? '', chain.reorganise]),
    ),
    catchUp: async () => {
      await Promise.all(running.map((chain) => chain.catchUp()))
    },
    stop,
  }
}
