import type { ChainId } from '@openrfq/sdk'
import { EVM_NATIVE_TOKEN } from '../../../chains/evm/address.ts'
import type { EvmHead } from '../../../chains/evm/evm-chain.ts'
import { expectedPrice } from '../../../chains/evm/gas.ts'
import { l1Gas, l1Wei } from '../../../chains/evm/l1-fee.ts'
import { baseUnits } from '../../../core/amount.ts'
import type { Instant } from '../../../core/instant.ts'
import type { IntentOrder, OrderId } from '../../../core/intent-order.ts'
import type { Log } from '../../../lib/log.ts'
import { fillCall } from '../../settlers/settler-contract.ts'
import { assetKey, type SolverAsset, type SolverChain } from '../assets.ts'
import type { SeenOrder } from '../commitments.ts'
import type { Strategy } from '../config.ts'
import { createFairPrice } from '../fair-price.ts'
import { type PricedToken, unitsOfWorth, usdOfUnits } from '../pricing.ts'
import { type RelayFeeDeps, relayFee } from '../prover.ts'

type Deps = RelayFeeDeps & {
  readonly chains: ReadonlyMap<ChainId, SolverChain>
  /** By `assetKey`. */
  readonly assets: ReadonlyMap<string, SolverAsset>
  /** Base units of an asset that are not in signed fills; undefined if unknown. */
  readonly freeOf: (asset: SolverAsset) => bigint | undefined
  readonly account: string
  readonly strategy: Strategy
  readonly steady: () => Instant
  readonly log: Log
}

type Seen = SeenOrder & { readonly order: IntentOrder }

/** Judges the prices of orders that name other solvers. */
export type TakeoverPrice = {
  /** Reads what proofs of the orders cost to relay, where that is not known. Never rejects. */
  readonly look: (orders: readonly Seen[]) => Promise<void>
  /**
   * Whether an order leaves the solver its margin for takeovers after what fill, proof and claim cost now, by all other rules
   * of its quotes. Undefined while that is not known, and in the first seconds in which it is false.
   */
  readonly isFair: (seen: Seen) => boolean | undefined
  /** Drops what is remembered of other orders. */
  readonly keep: (isKept: (orderId: OrderId) => boolean) => void
}

/** What a fill, a proof and a claim of one order use at most. Source: docs/decisions/0040. */
const FILL_GAS = 150_000n
const PROOF_GAS = 90_000n
const CLAIM_GAS = 60_000n
const RELAY_FEE_MS = 30_000
const RELAY_FEE_STALE_MS = 300_000

type RelayFee = { readonly wei: bigint; readonly readAt: Instant }

const directionOf = ({ originChain, destinationChain }: IntentOrder): string =>
  `${destinationChain} ${originChain}`

/** Wei for so much gas, and for as many transactions with this calldata on the chain below a rollup. */
const costOf = (head: EvmHead, gas: bigint, data: string, transactions: bigint): bigint =>
  (gas + transactions * l1Gas(head.l1Cost, data)) * expectedPrice(head) +
  transactions * l1Wei(head.l1Cost, data)

/** Creates the judge. An order is taken over at once, so that no quote's lifetime adds to its risk. */
export const createTakeoverPrice = (deps: Deps): TakeoverPrice => {
  const { chains, assets, account, strategy, steady, log } = deps
  const fees = new Map<string, RelayFee>()
  const price = createFairPrice({
    ...deps,
    commitments: { wasQuoted: () => false },
    strategy: { ...strategy, spreadBps: strategy.takeoverSpreadBps, volatilityBps: 0, fixedCostUsd: '0' },
  })
  const nativeOf = (chainId: ChainId): PricedToken | undefined =>
    assets.get(assetKey(chainId, EVM_NATIVE_TOKEN))?.price

  /** In base units of the output, rounded up; undefined while it is not known. */
  const costInOutput = (order: IntentOrder): bigint | undefined => {
    const relay = fees.get(directionOf(order))
    const heads = [order.destinationChain, order.originChain].map((chainId) =>
      chains.get(chainId)?.evm.head(),
    )
    const [there, back] = heads
    const [paid, native, origin] = [
      assets.get(assetKey(order.destinationChain, order.outputToken))?.price,
      nativeOf(order.destinationChain),
      nativeOf(order.originChain),
    ]
    if (relay === undefined || steady() - relay.readAt > RELAY_FEE_STALE_MS) return undefined
    if (there === undefined || back === undefined) return undefined
    if (paid === undefined || native === undefined || origin === undefined) return undefined
    const { data } = fillCall(order, account)
    const usd =
      usdOfUnits(costOf(there, FILL_GAS + PROOF_GAS, data, 2n) + relay.wei, native) +
      usdOfUnits(costOf(back, CLAIM_GAS, data, 1n), origin)
    return unitsOfWorth(usd, paid)
  }

  const lookAt = async (order: IntentOrder): Promise<void> => {
    const [from, to] = [chains.get(order.destinationChain), chains.get(order.originChain)]
    if (from === undefined || to === undefined) return
    try {
      const wei = await relayFee(deps, from, to, 1)
      fees.set(directionOf(order), { wei, readAt: steady() })
    } catch (error) {
      const { originChain, destinationChain } = order
      log('warn', 'takeover_cost_unknown', { originChain, destinationChain, error })
    }
  }

  return {
    look: async (orders) => {
      const directions = new Map(orders.map(({ order }) => [directionOf(order), order]))
      const due = [...directions].filter(
        ([direction]) => steady() - (fees.get(direction)?.readAt ?? Number.NEGATIVE_INFINITY) > RELAY_FEE_MS,
      )
      await Promise.all(due.map(([, order]) => lookAt(order)))
    },
    isFair: (seen) => {
      const cost = costInOutput(seen.order)
      if (cost === undefined) return undefined
      const outputAmount = baseUnits(seen.order.outputAmount + cost)
      return price.isFair({ ...seen, order: { ...seen.order, outputAmount } })
    },
    keep: price.keep,
  }
}
