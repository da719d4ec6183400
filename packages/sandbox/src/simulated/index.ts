import type { Log } from 'openrfq/lib/log'
import type { SimulatedChain } from './simulated-chain.ts'

type Options = {
  readonly log: Log
  readonly now: () => number
  readonly solverCount: number
  /** The port of Solana's RPC where that is free; any free one by default. */
  readonly solanaPort?: number | undefined
}

/**
 * Starts the simulated Solana and Stellar chains in this process. Their libraries are loaded only here: a service with
 * a configured network never loads them.
 */
export const startSimulatedChains = async (options: Options): Promise<readonly SimulatedChain[]> => {
  const [{ startSandboxSolana }, { startSandboxStellar }] = await Promise.all([
    import('./solana.ts'),
    import('./stellar.ts'),
  ])
  const started = await Promise.allSettled([startSandboxSolana(options), startSandboxStellar(options)])
  const running = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = started.find((one) => one.status === 'rejected')
  if (failed === undefined) return running
  await Promise.all(running.map((simulatedChain) => simulatedChain.stop()))
  throw failed.reason
}
