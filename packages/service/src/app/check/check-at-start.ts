import { createCatalog } from '../../chains/catalog.ts'
import type { Network } from '../../core/network.ts'
import type { Clock } from '../../lib/clock.ts'
import { inTime } from '../../lib/in-time.ts'
import type { Lifecycle } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import { mapAtMost } from '../../lib/map-at-most.ts'
import { checkChain } from './check-chain.ts'
import type { Keys } from './check-keys.ts'
import type { Finding } from './finding.ts'

/** A chain is asked one call after the other. */
const CHAINS_AT_ONCE = 6
/** After this a chain's comparison is told to be slow, and the next chain is read beside it. */
const SLOW_MS = 120_000

type Deps = {
  readonly network: Network
  readonly keys: Keys
  readonly clock: Clock
  readonly log: Log
  readonly slowMs?: number
}

/**
 * Compares the endpoints, contracts, keys and vault of each chain with the network file once, as `rfq check` does, in the
 * background. Logs each error, and a chain whose comparison is slow, when that begins and ends; never rejects. Few chains are read at
 * once, and tokens of EVM chains are left out, so that endpoints with limits keep calls for quotes: the service compares a token when
 * it is first asked for. A sandbox is not checked.
 */
export const createStartCheck = ({ network, keys, clock, log, slowMs = SLOW_MS }: Deps): Lifecycle => {
  let isStopped = false
  const tell = (findings: readonly Finding[]): void => {
    for (const { level, subject, says } of findings)
      if (level === 'error' && !isStopped) log('warn', 'check_found', { subject, says })
  }

  /** Resolves with the comparison's end, or when it is slow: then its findings are told when it ends. */
  const compare = async (chainId: string, findings: Promise<readonly Finding[]>): Promise<void> => {
    const ended = findings.then(tell).then(() => true)
    if ((await inTime(ended, slowMs)) === true || isStopped) return
    log('warn', 'check_slow', { chainId, seconds: slowMs / 1_000 })
    ended
      .then(() => isStopped || log('info', 'check_slow_ended', { chainId }))
      .catch((error: unknown) => isStopped || log('error', 'check_failed', { chainId, error }))
  }

  const run = async (): Promise<void> => {
    const { tokens } = createCatalog(network)
    const compared = { network: { ...network, tokens: [...tokens] }, tokens: [], keys, clock }
    await mapAtMost(CHAINS_AT_ONCE, network.chains, async (chain) => {
      if (isStopped) return
      await compare(chain.chainId, checkChain(chain, compared))
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
