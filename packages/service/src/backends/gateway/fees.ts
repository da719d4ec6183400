import type { Instant } from '../../core/instant.ts'
import type { Lifecycle } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import { createPoller } from '../../lib/poller.ts'
import { createTtlCache } from '../../lib/ttl-cache.ts'
import type { Lcd } from '../../protocols/axelar/lcd.ts'
import { refreshAll } from '../../protocols/axelar/refresh-all.ts'
import { type FeeInfo, sumFeeInfo } from '../../protocols/axelar/transfer-fee.ts'
import type { GatewayRoute, GatewaySide } from './routes.ts'

const PERIOD_MS = 30_000
const RETRY_MS = 1_000
const MAX_AGE_MS = 300_000

/** The transfer fees of all routes, refreshed in the background. */
export type TransferFees = Lifecycle & {
  /** The combined fee of both chains of a route, read at most five minutes ago, or undefined. No network. */
  readonly of: (route: GatewayRoute) => FeeInfo | undefined
}

/** Reads the fees of the given sides from Axelar's nexus module. */
export const createTransferFees = (
  deps: { readonly lcd: Lcd; readonly now: () => Instant; readonly log: Log },
  sides: readonly GatewaySide[],
): TransferFees => {
  const fees = createTtlCache<GatewaySide, FeeInfo>({ now: deps.now, maxAgeMs: MAX_AGE_MS })
  const refreshSide = async (side: GatewaySide): Promise<void> => {
    fees.set(side, await deps.lcd.transferFeeInfo(side.axelarName, side.denom))
  }
  return {
    ...createPoller({
      name: 'gateway_fee_read',
      periodMs: PERIOD_MS,
      retryMs: () => RETRY_MS,
      failureLevel: 'warn',
      run: () => refreshAll(sides, refreshSide),
      log: deps.log,
    }),
    of: ({ from, to }) => {
      const source = fees.get(from)
      const destination = fees.get(to)
      return source === undefined || destination === undefined ? undefined : sumFeeInfo(source, destination)
    },
  }
}
