import type { SettlerKind, SolverAsset } from './assets.ts'

/** Two assets that are quoted, and the kind of settler that such orders go through. */
export type Pair = { readonly from: SolverAsset; readonly to: SolverAsset; readonly settler: SettlerKind }

/** Whether two assets are the same thing to people: one symbol, or one price, as dollars have. */
const isAlike = (one: SolverAsset, other: SolverAsset): boolean =>
  one.symbol === other.symbol || (one.price !== undefined && one.price.usdPrice === other.price?.usdPrice)

/**
 * With a ledger only what people ask for is quoted, because every pair costs the service a part of its attention: both
 * ends alike, or one of them native; and of an EVM chain only its native asset and what the ledger has alike.
 */
const isWanted = (from: SolverAsset, to: SolverAsset, paymentAssets: readonly SolverAsset[]): boolean =>
  [from, to].every(
    (end) => end.isOnPaymentChain || end.isNative || paymentAssets.some((one) => isAlike(one, end)),
  ) &&
  (from.isNative || to.isNative || isAlike(from, to))

/** The pairs to be quoted: all between EVM chains, and those with a ledger where both chains take attested orders. */
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
  // What needs no ledger is told first.
  return pairs.toSorted(
    (one, other) => Number(one.settler === 'attested') - Number(other.settler === 'attested'),
  )
}
