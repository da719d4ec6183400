import type { Instant } from '../../core/instant.ts'
import { createKeptWarm } from '../../lib/kept-warm.ts'
import type { Lifecycle } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import { eachRead } from '../../protocols/axelar/each-read.ts'
import type { Lcd } from '../../protocols/axelar/lcd.ts'
import { type FeeInfo, sumFeeInfo } from '../../protocols/axelar/transfer-fee.ts'
import type { GatewayRoute, GatewaySide } from './routes.ts'

/** Fees change by governance. */
const MAX_AGE_MS = 1_200_000
const REFRESH_MS = 600_000
const WANTED_MS = 1_200_000
const MOST_KEPT = 5_000
const TOGETHER = 50

/** The transfer fees of routes: read when a route is asked for. */
export type TransferFees = Lifecycle & {
  /** The combined fee, if it is fresh. No network. */
  readonly of: (route: GatewayRoute) => FeeInfo | undefined
  /** The combined fee of both chains of a route, read at most 20 minutes ago; undefined if it cannot be read. */
  readonly read: (route: GatewayRoute) => Promise<FeeInfo | undefined>
}

/** Reads the fees from Axelar's nexus module. */
export const createTransferFees = (deps: {
  readonly lcd: Lcd
  readonly now: () => Instant
  readonly log: Log
}): TransferFees => {
  const { get, peek, start, stop } = createKeptWarm<GatewaySide, FeeInfo>({
    name: 'gateway_fee_read',
    read: eachRead(({ axelarName, denom }) => deps.lcd.transferFeeInfo(axelarName, denom)),
    maxAgeMs: MAX_AGE_MS,
    refreshMs: REFRESH_MS,
    wantedMs: WANTED_MS,
    limit: MOST_KEPT,
    together: TOGETHER,
    now: deps.now,
    log: deps.log,
  })
  return {
    start,
    stop,
    of: ({ from, to }) => sumOf(peek(from), peek(to)),
    read: async ({ from, to }) => {
      const [source, destination] = await Promise.all([get(from), get(to)])
      return sumOf(source, destination)
    },
  }
}

const sumOf = (source: FeeInfo | undefined, destination: FeeInfo | undefined): FeeInfo | undefined =>
  source === undefined || destination === undefined ? undefined : sumFeeInfo(source, destination)
