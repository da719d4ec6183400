import { RfqError } from '@openrfq/sdk'
import { createMutex } from 'openrfq/lib/mutex'
import type { RunningChains } from '../chains.ts'
import type { SandboxRpc } from '../rpc/sandbox-rpc.ts'
import type { SimulatedChain } from '../simulated/simulated-chain.ts'
import type { ClockServer } from './clock-server.ts'

type Deps = {
  readonly clock: Pick<ClockServer, 'offsetMs' | 'move'>
  readonly chains: Pick<RunningChains, 'catchUp'>
  readonly simulatedChains: readonly Pick<SimulatedChain, 'includePending' | 'catchUp'>[]
  readonly rpc: Pick<SandboxRpc, 'settle'>
}

/** The clock's largest lead over the machine: 90 days, three times the longest escrow. */
export const MOST_AHEAD_SECONDS = 90 * 86_400

/**
 * Moves the sandbox ahead by whole seconds. Transactions that wait for a block are mined first; then processes get the
 * new time, because they doubt blocks ahead of their clock, and each chain finalises a block at that time. Throws RfqError INVALID_REQUEST
 * beyond a total of 90 days.
 */
export const createMoveClock = ({ clock, chains, simulatedChains, rpc }: Deps) => {
  const oneAtATime = createMutex()
  return (seconds: number): Promise<void> =>
    oneAtATime(async () => {
      const offsetMs = clock.offsetMs() + seconds * 1000
      if (offsetMs > MOST_AHEAD_SECONDS * 1000) {
        const left = MOST_AHEAD_SECONDS - clock.offsetMs() / 1000
        const message = `seconds: the clock can be moved ${left} seconds further, got ${seconds}`
        throw new RfqError('INVALID_REQUEST', message, { field: 'seconds' })
      }
      for (const chain of simulatedChains) chain.includePending()
      await clock.move(offsetMs)
      for (const chain of simulatedChains) chain.catchUp()
      await chains.catchUp()
      await rpc.settle()
    })
}
