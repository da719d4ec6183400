import { createConditions } from '../../lib/conditions.ts'
import type { Log } from '../../lib/log.ts'
import type { SolverAsset } from './assets.ts'
import type { PendingOrders } from './attested/pending-orders.ts'
import type { AssetHolding, Inventory } from './inventory.ts'
import type { ModeSwitch, SolverMode } from './modes.ts'
import type { OrderEnd, OrderTracker } from './order-tracker.ts'

type Line = {
  readonly chainId: string
  readonly token: string
  readonly symbol: string
  readonly spendable: string
}

/** A solver's status; amounts are base units as decimal text, counts are since its start. */
export type SolverStatus = {
  readonly mode: SolverMode
  readonly isConnected: boolean
  readonly orders: {
    /** Deposited and not filled. */
    readonly open: number
    /** Filled and not repaid; those repaid by a vault are counted for a minute only. */
    readonly unpaid: number
    /** Excludes those repaid by a vault or through an attester. */
    readonly repaid: number
    readonly returned: number
    readonly declined: number
  }
  readonly inventory: readonly Line[]
  /** Assets that are low and need a refill. */
  readonly rebalance: readonly Line[]
}

type Source = {
  readonly modes: Pick<ModeSwitch, 'mode'>
  readonly tracker: Pick<OrderTracker, 'orders'>
  readonly pendingOrders: Pick<PendingOrders, 'orders'>
  readonly inventory: Pick<Inventory, 'holding' | 'low'>
  readonly assets: readonly SolverAsset[]
  readonly isConnected: boolean
}

const lineOf = ({ asset, spendable }: AssetHolding): Line => ({
  chainId: asset.chainId,
  token: asset.address,
  symbol: asset.symbol,
  spendable: spendable.toString(),
})

const keyOf = ({ chainId, token }: Line): string => `${chainId} ${token}`

/** Counts ended orders and logs them. */
export const createReport = (log: Log) => {
  let repaid = 0
  let returned = 0
  let declined = 0
  const low = createConditions<string>()
  return {
    onEnd: ({ event, order, wasFilled, wasTakenOver }: OrderEnd): void => {
      const { orderId, kind } = event
      const isRepaid = kind === 'released' && !wasTakenOver
      if (isRepaid) repaid += 1
      else returned += 1
      const fields = { orderId, chainId: order?.originChain, amount: order?.inputAmount }
      if (isRepaid) log('info', 'order_repaid', fields)
      else if (wasTakenOver) log('info', 'order_taken_over', fields)
      else if (wasFilled) log('error', 'filled_order_refunded', fields)
      else log('info', 'order_refunded', fields)
    },
    onDeclined: (): void => {
      declined += 1
    },
    status: ({ modes, tracker, pendingOrders, inventory, assets, isConnected }: Source): SolverStatus => {
      const areFilled = [
        ...tracker.orders().map(({ filled }) => filled !== undefined),
        ...pendingOrders.orders().map(({ paidAt }) => paidAt !== undefined),
      ]
      const unpaid = areFilled.filter((isFilled) => isFilled).length
      const holdings = assets.map((asset) => inventory.holding(asset))
      return {
        mode: modes.mode(),
        isConnected,
        orders: { open: areFilled.length - unpaid, unpaid, repaid, returned, declined },
        inventory: holdings.flatMap((holding) => (holding === undefined ? [] : [lineOf(holding)])),
        rebalance: inventory.low().map(lineOf),
      }
    },
    /** Logs the status, and each asset once when it gets low and once when it is refilled. */
    logStatus: ({ inventory, rebalance, ...status }: SolverStatus): void => {
      log('info', 'solver_status', status)
      const isLow = new Set(rebalance.map(keyOf))
      // An asset whose balance cannot be read stays as it was.
      for (const line of inventory) {
        const key = keyOf(line)
        if (isLow.has(key)) {
          if (low.begin(key)) log('warn', 'low_inventory', line)
        } else if (low.end(key)) log('info', 'inventory_refilled', line)
      }
    },
  }
}
