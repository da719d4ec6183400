import type { ChainId } from '../core/chain.ts'
import type { Instant } from '../core/instant.ts'
import type { Log } from '../core/log.ts'
import type { SolverAsset, SolverChain } from './assets.ts'
import type { Strategy } from './config.ts'
import { unitsOfUsd, unitsOfWhole } from './pricing.ts'

/** What the account holds of an asset, less the gas reserve where it is the native one. */
export type Holding = {
  readonly asset: SolverAsset
  /** Base units. */
  readonly spendable: bigint
  /** The holding is at least as new as this block of its chain. */
  readonly blockNumber: bigint
}

/** The account's balances, refreshed with every head. */
export type Inventory = {
  /** Undefined before the first reading and while the chain cannot be read. */
  readonly holding: (asset: SolverAsset) => Holding | undefined
  /** Whether the settler may take `amount`; false while that is not known. */
  readonly isAllowed: (asset: SolverAsset, amount: bigint) => boolean
  /** The assets worth less than the strategy's lower bound, to be refilled. */
  readonly low: () => readonly Holding[]
  readonly onChange: (listener: () => void) => void
  /** Starts reading; resolves after the first attempt. */
  readonly start: () => Promise<void>
  readonly stop: () => void
}

type Deps = {
  readonly chains: ReadonlyMap<ChainId, SolverChain>
  readonly assets: readonly SolverAsset[]
  readonly account: string
  readonly strategy: Strategy
  readonly now: () => Instant
  readonly log: Log
}

type Reading = { readonly holding: Holding; readonly allowance: bigint; readonly readAt: Instant }

/** Older readings say nothing: the chain cannot be read. */
const STALE_MS = 15_000

/** Reads the balances and allowances of one chain at a time, once per head and never twice at once. */
export const createInventory = (deps: Deps): Inventory => {
  const { chains, assets, strategy, now } = deps
  const readings = new Map<string, Reading>()
  const listeners: (() => void)[] = []
  const unsubscribers: (() => void)[] = []
  const fresh = (asset: SolverAsset): Reading | undefined => {
    const reading = readings.get(asset.key)
    return reading !== undefined && now() - reading.readAt < STALE_MS ? reading : undefined
  }

  const readChain = async (chain: SolverChain, own: readonly SolverAsset[]): Promise<void> => {
    const tokens = own.map(({ address }) => address)
    const [{ blockNumber, amounts }, allowances] = await Promise.all([
      chain.evm.balances(deps.account, tokens),
      readAllowances(chain, own, deps.account),
    ])
    const reserve = unitsOfWhole(strategy.gasReserve, chain.nativeDecimals)
    for (const [position, asset] of own.entries()) {
      const balance = amounts[position]
      if (balance === undefined) continue
      const free = asset.isNative ? balance - reserve : balance
      const holding: Holding = { asset, spendable: free > 0n ? free : 0n, blockNumber }
      readings.set(asset.key, { holding, allowance: allowances[position] ?? 0n, readAt: now() })
    }
    for (const listener of listeners) listener()
  }

  const startChain = async (chain: SolverChain): Promise<void> => {
    const own = assets.filter(({ chainId }) => chainId === chain.chainId)
    const read = coalesced(() => readChain(chain, own), deps.log, chain.chainId)
    unsubscribers.push(chain.evm.onHead(() => void read()))
    await read()
  }

  return {
    holding: (asset) => fresh(asset)?.holding,
    isAllowed: (asset, amount) => {
      const reading = fresh(asset)
      return reading !== undefined && (asset.isNative || reading.allowance >= amount)
    },
    low: () =>
      assets.flatMap((asset) => {
        const holding = fresh(asset)?.holding
        if (holding === undefined || asset.price === undefined) return []
        return holding.spendable < unitsOfUsd(strategy.lowInventoryUsd, asset.price) ? [holding] : []
      }),
    onChange: (listener) => void listeners.push(listener),
    start: async () => {
      await Promise.all([...chains.values()].map(startChain))
    },
    stop: () => {
      for (const unsubscribe of unsubscribers.splice(0)) unsubscribe()
    },
  }
}

const readAllowances = (
  { evm, settler }: SolverChain,
  assets: readonly SolverAsset[],
  account: string,
): Promise<readonly (bigint | undefined)[]> =>
  Promise.all(
    assets.map(async ({ isNative, address }) =>
      isNative ? undefined : evm.allowance(address, account, settler),
    ),
  )

/** Runs `work` at once, or once more after the run under way; failures are logged when they begin. */
const coalesced = (work: () => Promise<void>, log: Log, chainId: ChainId): (() => Promise<void>) => {
  let running: Promise<void> | undefined
  let isAskedAgain = false
  let isFailing = false
  const attempt = async (): Promise<void> => {
    try {
      await work()
      isFailing = false
    } catch (error) {
      if (!isFailing) log('warn', 'balances cannot be read', { chainId, error })
      isFailing = true
    }
  }
  const run = async (): Promise<void> => {
    do {
      isAskedAgain = false
      await attempt()
    } while (isAskedAgain)
    running = undefined
  }
  return () => {
    if (running === undefined) running = run()
    else isAskedAgain = true
    return running
  }
}
