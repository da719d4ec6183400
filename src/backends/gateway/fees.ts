import { createFreshMap } from '../../axelar/fresh-map.ts'
import type { Lcd } from '../../axelar/lcd.ts'
import { type Periodic, periodic } from '../../axelar/periodic.ts'
import { type FeeInfo, sumFeeInfo } from '../../axelar/transfer-fee.ts'
import type { Instant } from '../../core/instant.ts'
import type { Log } from '../../core/log.ts'
import type { GatewayRoute, GatewaySide } from './routes.ts'

const PERIOD_MS = 30_000
const RETRY_MS = 1_000
const MAX_AGE_MS = 300_000
/** Requests under way at the same time. */
const PARALLEL = 4

/** The transfer fees of all routes, kept fresh in the background. */
export type TransferFees = Periodic & {
  /** What both chains of a route ask, read at most five minutes ago, or undefined. No network. */
  readonly of: (route: GatewayRoute) => FeeInfo | undefined
}

const keyOf = ({ axelarName, denom }: GatewaySide): string => `${axelarName} ${denom}`

/** The fees of the given sides, from Axelar's nexus module. */
export const createTransferFees = (
  deps: { readonly lcd: Lcd; readonly now: () => Instant; readonly log: Log },
  sides: readonly GatewaySide[],
): TransferFees => {
  const fees = createFreshMap<FeeInfo>(deps.now, MAX_AGE_MS)
  const refreshSide = async (side: GatewaySide): Promise<void> => {
    fees.set(keyOf(side), await deps.lcd.transferFeeInfo(side.axelarName, side.denom))
  }
  /** Reads every side even when some fail, then reports the first failure. */
  const refresh = async (): Promise<void> => {
    const failures: unknown[] = []
    for (let first = 0; first < sides.length; first += PARALLEL) {
      const results = await Promise.allSettled(sides.slice(first, first + PARALLEL).map(refreshSide))
      for (const result of results) if (result.status === 'rejected') failures.push(result.reason)
    }
    if (failures.length > 0)
      throw new Error(`${failures.length} of ${sides.length} assets have no transfer fee`, {
        cause: failures[0],
      })
  }
  return {
    ...periodic({
      name: 'gateway transfer fees',
      periodMs: PERIOD_MS,
      retryMs: RETRY_MS,
      run: refresh,
      log: deps.log,
    }),
    of: ({ from, to }) => {
      const source = fees.get(keyOf(from))
      const destination = fees.get(keyOf(to))
      return source === undefined || destination === undefined ? undefined : sumFeeInfo(source, destination)
    },
  }
}
