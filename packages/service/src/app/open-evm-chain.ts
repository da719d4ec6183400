import { createEvmChain } from '../chains/evm/index.ts'
import type { NetworkChain } from '../core/network.ts'
import type { Clock } from '../lib/clock.ts'

const READ_MS = 10_000

/** A client of an EVM chain for a command, not started, with time for slow endpoints. The caller stops it. */
export const openEvmChain = (chain: NetworkChain, clock: Clock): ReturnType<typeof createEvmChain> =>
  createEvmChain({
    ...chain,
    now: clock.steady,
    wallTime: clock.now,
    log: () => undefined,
    timing: { readMs: READ_MS, observeMs: READ_MS },
  })
