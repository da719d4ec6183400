import type { Instant } from '../../core/instant.ts'
import { inTime } from '../../lib/in-time.ts'
import { createKeptWarm } from '../../lib/kept-warm.ts'
import type { Lifecycle } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import { eachRead } from '../../protocols/axelar/each-read.ts'
import type { Axelarscan } from '../../protocols/axelar/gmp.ts'
import { countStuck, type RecentTransfer } from '../../protocols/axelar/recent-transfers.ts'
import type { Warning } from '../terms.ts'
import type { GatewaySide } from './routes.ts'

/** The asset and the destination of transfers. */
type HealthRoute = {
  readonly from: Pick<GatewaySide, 'denom' | 'symbol'>
  readonly to: Pick<GatewaySide, 'axelarName'>
}

/** How other people's transfers of a route's asset fare: read when the route is asked for. */
export type TransferHealth = Lifecycle & {
  /** The warning, if the last transfers are known. No network. */
  readonly of: (route: HealthRoute) => readonly Warning[] | undefined
  /** The warning; none where Axelarscan does not answer in time. */
  readonly read: (route: HealthRoute) => Promise<readonly Warning[]>
}

const MAX_AGE_MS = 3_600_000
const REFRESH_MS = 900_000
const WANTED_MS = 900_000
const MOST_KEPT = 5_000
const TOGETHER = 50
/** A quote does without the warning rather than wait for longer. */
const WAIT_MS = 500

/** The asset and the destination, by Axelar's names, which hold no space. */
const keyOf = ({ from, to }: HealthRoute): string => `${from.denom} ${to.axelarName}`

/** Reads recent transfers from Axelarscan, by asset and destination. `now` is the wall clock. */
export const createTransferHealth = (deps: {
  readonly axelarscan: Pick<Axelarscan, 'recentTransfers'>
  readonly now: () => Instant
  readonly log: Log
}): TransferHealth => {
  const { axelarscan, now, log } = deps
  const { get, peek, start, stop } = createKeptWarm<string, readonly RecentTransfer[]>({
    name: 'gateway_transfers_read',
    read: eachRead((key) => {
      const [denom = '', chain = ''] = key.split(' ')
      return axelarscan.recentTransfers(denom, chain)
    }),
    maxAgeMs: MAX_AGE_MS,
    refreshMs: REFRESH_MS,
    wantedMs: WANTED_MS,
    limit: MOST_KEPT,
    together: TOGETHER,
    now,
    log,
  })
  const warningsOf = (
    transfers: readonly RecentTransfer[],
    { from, to }: HealthRoute,
  ): readonly Warning[] => {
    const { looked, stuck, belowFee } = countStuck(transfers, now())
    if (stuck === 0 || stuck * 2 < looked) return []
    const why = belowFee === 0 ? '' : `, ${belowFee} of them because they were smaller than Axelar's fee`
    const message = `${stuck} of the last ${looked} transfers of ${from.symbol} to ${to.axelarName} by Axelar's gateways have not arrived after an hour${why}`
    return [{ code: 'transfers_stuck', message }]
  }
  return {
    start,
    stop,
    of: (route) => {
      const transfers = peek(keyOf(route))
      return transfers === undefined ? undefined : warningsOf(transfers, route)
    },
    read: async (route) => {
      const transfers = await inTime(get(keyOf(route)), WAIT_MS)
      return transfers === undefined ? [] : warningsOf(transfers, route)
    },
  }
}
