import type { SettlerKind } from '../settlers/order-status.ts'
import type { SolverAsset } from './assets.ts'
import type { Direction } from './order-costs.ts'

/** Two quoted assets, and the kind of settler for their orders. */
export type Pair = { readonly from: SolverAsset; readonly to: SolverAsset; readonly settler: SettlerKind }

/** The direction of a pair's orders. */
export const directionOf = ({ from, to, settler }: Pair): Direction => ({
  originChain: from.chainId,
  destinationChain: to.chainId,
  settler,
})

/** Whether two assets are equivalent to people: same symbol, or same price, like dollars. */
const isAlike = (one: SolverAsset, other: SolverAsset): boolean =>
  one.symbol === other.symbol || (one.price !== undefined && one.price.usdPrice === other.price?.usdPrice)

/**
 * Limits the pairs of payment chains to likely ones, because every pair costs the service work: equivalent assets, or
 * one of them native; and on an EVM chain only its native asset and equivalents of the payment chain's assets.
 */
const isWanted = (from: SolverAsset, to: SolverAsset, paymentAssets: readonly SolverAsset[]): boolean =>
  [from, to].every(
    (end) => end.isOnPaymentChain || end.isNative || paymentAssets.some((one) => isAlike(one, end)),
  ) &&
  (from.isNative || to.isNative || isAlike(from, to))

/** The pairs to quote: all between EVM chains, and those with a payment chain if both chains take attested orders. */
export const pairsOf = (
  assets: readonly SolverAsset[],
  takesAttested: { readonly has: (chainId: string) => boolean },
): readonly Pair[] => {
  const onChain = new Map(
    assets.map(({ chainId }) => [chainId, assets.filter((asset) => asset.chainId === chainId)]),
  )
  const pairOf = (from: SolverAsset, to: SolverAsset): readonly Pair[] => {
    if (from.chainId === to.chainId) return []
    if (!from.isOnPaymentChain && !to.isOnPaymentChain) return [{ from, to, settler: 'intent' }]
    if (!takesAttested.has(from.chainId) || !takesAttested.has(to.chainId)) return []
    const paymentAssets = onChain.get(from.isOnPaymentChain ? from.chainId : to.chainId) ?? []
    return isWanted(from, to, paymentAssets) ? [{ from, to, settler: 'attested' }] : []
  }
  const pairs = assets.flatMap((from) => assets.flatMap((to) => pairOf(from, to)))
  // Pairs without a payment chain come first.
  return pairs.toSorted(
    (one, other) => Number(one.settler === 'attested') - Number(other.settler === 'attested'),
  )
}
