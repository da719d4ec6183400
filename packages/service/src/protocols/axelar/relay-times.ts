import type { Instant } from '../../core/instant.ts'
import type { Lifecycle } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import { createPoller } from '../../lib/poller.ts'
import { createTtlCache } from '../../lib/ttl-cache.ts'
import type { Axelarscan } from './gmp.ts'
import { refreshAll } from './refresh-all.ts'

const PERIOD_MS = 120_000
const RETRY_MS = 10_000
const MAX_AGE_MS = 900_000

export type RelayTimesDeps = {
  readonly axelarscan: Pick<Axelarscan, 'hopSeconds'>
  /** The chains' Axelar names. */
  readonly chains: readonly string[]
  readonly hubChain: string
  readonly now: () => Instant
  readonly log: Log
}

/** Axelar's recent relay times. */
export type RelayTimes = Lifecycle & {
  /**
   * Whole seconds from a message on the source until its execution on the destination, through the hub; undefined if
   * nothing was measured. No network.
   */
  readonly seconds: (source: string, destination: string) => number | undefined
}

/** Refreshes relay times from Axelarscan: for every chain the hop to the hub and the hop from it. */
export const createRelayTimes = ({ axelarscan, chains, hubChain, now, log }: RelayTimesDeps): RelayTimes => {
  const toHub = createTtlCache<string, number | undefined>({ now, maxAgeMs: MAX_AGE_MS })
  const fromHub = createTtlCache<string, number | undefined>({ now, maxAgeMs: MAX_AGE_MS })
  const hops = chains.flatMap((chain) => [
    { chain, known: toHub, from: chain, to: hubChain },
    { chain, known: fromHub, from: hubChain, to: chain },
  ])
  const loop = createPoller({
    name: 'axelar_relay_time_read',
    periodMs: PERIOD_MS,
    retryMs: () => RETRY_MS,
    failureLevel: 'warn',
    run: () =>
      refreshAll(hops, async ({ chain, known, from, to }) =>
        known.set(chain, await axelarscan.hopSeconds(from, to)),
      ),
    log,
  })
  return {
    ...loop,
    seconds: (source, destination) => {
      const first = toHub.get(source)
      const second = fromHub.get(destination)
      return first === undefined || second === undefined ? undefined : Math.max(1, Math.ceil(first + second))
    },
  }
}
