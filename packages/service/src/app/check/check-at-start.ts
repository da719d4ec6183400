import { createCatalog } from '../../chains/catalog.ts'
import type { Network } from '../../core/network.ts'
import type { Clock } from '../../lib/clock.ts'
import { inTime } from '../../lib/in-time.ts'
import type { Lifecycle } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import { mapAtMost } from '../../lib/map-at-most.ts'
import { checkChain } from './check-chain.ts'
import type { Keys } from './check-keys.ts'

/** A chain is asked one call after the other. */
const CHAINS_AT_ONCE = 6
/** The longest that one chain is looked at. */
const CHAIN_MS = 120_000

type Deps = {
  readonly network: Network
  readonly keys: Keys
  readonly clock: Clock
  readonly log: Log
}

/**
 * Compares the endpoints, contracts, keys and vault of each chain with the network file once, as `rfq check` does, in the
 * background. Logs each error; never rejects. Few chains are read at once, and tokens of EVM chains are left out, so that
 * endpoints with limits keep calls for quotes: the service compares a token when it is first asked for. A sandbox is not
 * checked.
 */
export const createStartCheck = ({ network, keys, clock, log }: Deps): Lifecycle => {
  let isStopped = false
  const run = async (): Promise<void> => {
    const { tokens } = createCatalog(network)
    const compared = { network: { ...network, tokens: [...tokens] }, tokens: [], keys, clock }
    await mapAtMost(CHAINS_AT_ONCE, network.chains, async (chain) => {
      if (isStopped) return
      const findings = await inTime(checkChain(chain, compared), CHAIN_MS)
      for (const { level, subject, says } of findings ?? [])
        if (level === 'error' && !isStopped) log('warn', 'check_found', { subject, says })
    })
  }
  return {
    start: async () => {
      if (network.sandboxClock !== undefined) return
      run().catch((error: unknown) => log('error', 'check_failed', { error }))
    },
    stop: async () => {
      isStopped = true
    },
  }
}
