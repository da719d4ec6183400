import type { Instant } from '../../core/instant.ts'
import { createKeptWarm } from '../../lib/kept-warm.ts'
import type { Lifecycle } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import { eachRead } from './each-read.ts'
import type { Axelarscan } from './gmp.ts'

const MAX_AGE_MS = 900_000
const REFRESH_MS = 120_000
/** How long after the last order for a pair its times are kept fresh. */
const WANTED_MS = 900_000
const MOST_KEPT = 5_000
const TOGETHER = 50

export type RelayTimesDeps = {
  readonly axelarscan: Pick<Axelarscan, 'hopSeconds'>
  readonly hubChain: string
  readonly now: () => Instant
  readonly log: Log
}

/** Axelar's recent relay times: read after a pair is asked for the first time, and kept for minutes after the last. */
export type RelayTimes = Lifecycle & {
  /**
   * Whole seconds from a message on the source until its execution on the destination, through the hub; undefined if
   * nothing is known yet or was measured. No network.
   */
  readonly seconds: (source: string, destination: string) => number | undefined
}

/** What Axelarscan measured of a hop. */
type Measured = { readonly seconds: number | undefined }

/** Reads relay times from Axelarscan: the hop to the hub and the hop from it. */
export const createRelayTimes = ({ axelarscan, hubChain, now, log }: RelayTimesDeps): RelayTimes => {
  const { peek, start, stop } = createKeptWarm<string, Measured>({
    name: 'axelar_relay_time_read',
    read: eachRead(async (hop) => {
      const [from = '', to = ''] = hop.split(' ')
      return { seconds: await axelarscan.hopSeconds(from, to) }
    }),
    maxAgeMs: MAX_AGE_MS,
    refreshMs: REFRESH_MS,
    wantedMs: WANTED_MS,
    limit: MOST_KEPT,
    together: TOGETHER,
    now,
    log,
  })
  return {
    start,
    stop,
    seconds: (source, destination) => {
      const [first, second] = [peek(`${source} ${hubChain}`), peek(`${hubChain} ${destination}`)]
      return first?.seconds === undefined || second?.seconds === undefined
        ? undefined
        : Math.max(1, Math.ceil(first.seconds + second.seconds))
    },
  }
}
