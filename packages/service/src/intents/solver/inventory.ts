import type { Instant } from '../../core/instant.ts'
import { createEmitter, type Emitter } from '../../lib/emitter.ts'
import { type Lifecycle, together } from '../../lib/lifecycle.ts'
import type { Log } from '../../lib/log.ts'
import { createPoller } from '../../lib/poller.ts'
import type { SettlerKind } from '../settlers/order-status.ts'
import type { SolverAsset } from './assets.ts'
import type { Allowances, BalanceSource } from './balance-source.ts'
import type { Strategy } from './config.ts'
import { unitsOfUsd, unitsOfWhole } from './pricing.ts'

/** The solver's balance of an asset, minus the gas reserve for a native one. */
export type AssetHolding = {
  readonly asset: SolverAsset
  /** Base units. */
  readonly spendable: bigint
  /** The balance is at least as new as this block of its chain. */
  readonly blockNumber: bigint
  /** When the read began. */
  readonly readAt: Instant
}

/** The solver's balances on all chains, refreshed whenever they may have changed. */
export type Inventory = Lifecycle & {
  /** Undefined before the first read and while the chain cannot be read. */
  readonly holding: (asset: SolverAsset) => AssetHolding | undefined
  /** Whether the settler's allowance, as it was read last, covers `amount`; false if unknown. Payment chains need no allowance. */
  readonly isAllowed: (asset: SolverAsset, amount: bigint, settler: SettlerKind) => boolean
  /** The assets worth less than the strategy's lower bound. */
  readonly low: () => readonly AssetHolding[]
  /** Adds a listener for changed balances. Returns the function that removes it. */
  readonly onChange: Emitter<void>['on']
}

type Deps = {
  readonly sources: readonly BalanceSource[]
  readonly assets: readonly SolverAsset[]
  readonly strategy: Strategy
  readonly now: () => Instant
  readonly log: Log
}

type Reading = { readonly holding: AssetHolding; readonly allowances: Allowances; readonly readAt: Instant }

/** Age at which a read becomes stale. */
const STALE_MS = 15_000

/** Reads the balances and allowances of every chain, at most one read per chain at a time. */
export const createInventory = (deps: Deps): Inventory => {
  const { sources, assets, strategy, now } = deps
  const readings = new Map<string, Reading>()
  const changes = createEmitter<void>((error) =>
    deps.log('error', 'listener_failed', { listener: 'balances', error }),
  )
  const unsubscribers: (() => void)[] = []
  const fresh = (asset: SolverAsset): Reading | undefined => {
    const reading = readings.get(asset.key)
    return reading !== undefined && now() - reading.readAt < STALE_MS ? reading : undefined
  }

  const readChain = async (source: BalanceSource, own: readonly SolverAsset[]): Promise<void> => {
    const beganAt = now()
    const { blockNumber, amounts, allowances } = await source.read(own)
    const reserve = unitsOfWhole(strategy.gasReserve, source.nativeDecimals)
    for (const [position, asset] of own.entries()) {
      const balance = amounts[position]
      const allowed = allowances[position] ?? readings.get(asset.key)?.allowances
      if (balance === undefined || allowed === undefined) continue
      const free = asset.isNative ? balance - reserve : balance
      const holding: AssetHolding = { asset, spendable: free > 0n ? free : 0n, blockNumber, readAt: beganAt }
      readings.set(asset.key, { holding, allowances: allowed, readAt: now() })
    }
    changes.emit()
  }

  const pollers = sources.flatMap((source) => {
    const own = assets.filter(({ chainId }) => chainId === source.chainId)
    if (own.length === 0) return []
    const poller = createPoller({
      name: 'balance_read',
      periodMs: source.periodMs,
      run: () => readChain(source, own),
      log: deps.log,
      failureLevel: 'warn',
      fields: { chainId: source.chainId },
    })
    return [{ source, poller }]
  })
  const reading = together(pollers.map(({ poller }) => poller))

  return {
    holding: (asset) => fresh(asset)?.holding,
    isAllowed: (asset, amount, settler) => {
      const reading = fresh(asset)
      return reading !== undefined && reading.allowances[settler] >= amount
    },
    low: () =>
      assets.flatMap((asset) => {
        const holding = fresh(asset)?.holding
        if (holding === undefined || asset.price === undefined) return []
        return holding.spendable < unitsOfUsd(strategy.lowInventoryUsd, asset.price) ? [holding] : []
      }),
    onChange: changes.on,
    start: async () => {
      for (const { source, poller } of pollers)
        unsubscribers.push(source.onChange?.(poller.wake) ?? (() => undefined))
      await reading.start()
    },
    stop: async () => {
      for (const unsubscribe of unsubscribers.splice(0)) unsubscribe()
      await reading.stop()
    },
  }
}
