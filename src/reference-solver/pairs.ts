import type { SettlerKind, SolverAsset } from './assets.ts'

/** Two assets that are quoted, and the kind of settler that such orders go through. */
export type Pair = { readonly from: SolverAsset; readonly to: SolverAsset; readonly settler: SettlerKind }

/**
 * With a ledger only what people ask for is quoted, because every pair costs the service a part of its attention: both
 * ends of one symbol, or one of them native; and of an EVM chain only its native asset and what the ledger has as well.
 */
const isWanted = (from: SolverAsset, to: SolverAsset, isOnLedger: (symbol: string) => boolean): boolean =>
  [from, to].every((end) => end.isOnLedger || end.isNative || isOnLedger(end.symbol)) &&
  (from.symbol === to.symbol || from.isNative || to.isNative)

/** The pairs to be quoted: all between EVM chains, and those with a ledger where both chains take attested orders. */
export const pairsOf = (
  assets: readonly SolverAsset[],
  takesAttested: { readonly has: (chainId: string) => boolean },
): readonly Pair[] => {
  const symbolsOf = (chainId: string): ReadonlySet<string> =>
    new Set(assets.filter((asset) => asset.chainId === chainId).map(({ symbol }) => symbol))
  const symbols = new Map(assets.map(({ chainId }) => [chainId, symbolsOf(chainId)]))
  const pairOf = (from: SolverAsset, to: SolverAsset): readonly Pair[] => {
    if (from.chainId === to.chainId) return []
    if (!from.isOnLedger && !to.isOnLedger) return [{ from, to, settler: 'intent' }]
    if (!takesAttested.has(from.chainId) || !takesAttested.has(to.chainId)) return []
    const ledger = from.isOnLedger ? from.chainId : to.chainId
    return isWanted(from, to, (symbol) => symbols.get(ledger)?.has(symbol) === true)
      ? [{ from, to, settler: 'attested' }]
      : []
  }
  const pairs = assets.flatMap((from) => assets.flatMap((to) => pairOf(from, to)))
  // What needs no ledger is told first.
  return pairs.toSorted(
    (one, other) => Number(one.settler === 'attested') - Number(other.settler === 'attested'),
  )
}
