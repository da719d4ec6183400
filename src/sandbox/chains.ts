import { type Anvil, startAnvil } from './anvil.ts'
import { CHAIN_PLANS } from './deploy/plan.ts'
import { postRpc } from './rpc-call.ts'
import { buildSnapshot, readSnapshot } from './snapshot.ts'
import type { World } from './world.ts'
import type { SandboxChain } from './world-types.ts'

/** The running chains with the world on them. */
export type RunningChains = {
  readonly world: World
  readonly chains: readonly SandboxChain[]
  readonly stop: () => Promise<void>
}

/** Blocks mined on top of a loaded snapshot, which itself has no past that a reorg could return to. */
const BUFFER_BLOCKS = 80

/** A block a second and one at once for each transaction; states of 160 blocks and two hours of transactions are kept. */
const RUN_ARGUMENTS = [
  ...['--slots-in-an-epoch', '1'],
  ...['--block-time', '1', '--mixed-mining'],
  ...['--prune-history', '160'],
  ...['--transaction-block-keeper', '20000'],
]

const hex = (value: number): string => `0x${value.toString(16)}`

const startChain = async (chainNumber: number, state: Buffer, nowSeconds: number): Promise<Anvil> => {
  const anvil = await startAnvil(chainNumber, RUN_ARGUMENTS)
  try {
    await postRpc(anvil.rpcUrl, 'anvil_loadState', [`0x${state.toString('hex')}`])
    await postRpc(anvil.rpcUrl, 'evm_setNextBlockTimestamp', [hex(nowSeconds)])
    await postRpc(anvil.rpcUrl, 'anvil_mine', [hex(BUFFER_BLOCKS)])
    return anvil
  } catch (cause) {
    await anvil.stop()
    throw cause
  }
}

const fulfilled = <Value>(results: readonly PromiseSettledResult<Value>[]): readonly Value[] =>
  results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))

/**
 * Starts the three chains with the committed snapshot, or with a fresh build where that is absent or outdated.
 * Throws when anvil is missing or a chain does not start; nothing is left running then.
 */
export const startChains = async (now: () => number): Promise<RunningChains> => {
  const { world, states } = readSnapshot() ?? (await buildSnapshot())
  const nowSeconds = Math.floor(now() / 1000)
  const results = await Promise.allSettled(
    states.map((state, index) => startChain(CHAIN_PLANS[index]?.chainNumber ?? 0, state, nowSeconds)),
  )
  const anvils = fulfilled(results)
  const stop = async (): Promise<void> => {
    await Promise.all(anvils.map((anvil) => anvil.stop()))
  }
  const failure = results.find((result) => result.status === 'rejected')
  if (failure !== undefined) {
    await stop()
    throw failure.reason
  }
  const chains = world.chains.map((chain, index) => ({ ...chain, rpcUrl: anvils[index]?.rpcUrl ?? '' }))
  return { world, chains, stop }
}
