import type { BackendType, ChainType, ListedToken } from '@openrfq/sdk'
import type { Catalogue } from './catalogue.ts'

/** Two tokens that one backend may move between. */
export type DemoPair = { readonly from: ListedToken; readonly to: ListedToken }

/** From the chains of which family to those of which. */
export type Families = { readonly from: ChainType; readonly to: ChainType }

const MAX_PAIRS = 12

/** Whether two symbols may be of one asset: a gateway puts its own letters before the symbol. */
const isOneAsset = (one: string, other: string): boolean => one.endsWith(other) || other.endsWith(one)

/** Whether a backend may be asked to move one into the other: intents cross families to the same asset by another name. */
const isPair = (
  backend: BackendType,
  from: ListedToken,
  to: ListedToken,
  { from: one, to: other }: Families,
) => {
  if (from.chainId === to.chainId) return false
  if (backend === 'gateway-express') return !isOneAsset(to.symbol, from.symbol)
  return one === other ? to.symbol === from.symbol : isOneAsset(to.symbol, from.symbol)
}

/** The tokens that the demo may move: reviewed, and not what a chain takes gas in, which would blur their balances. */
const movable = ({ chains, tokens }: Catalogue, backend: BackendType, family: ChainType) => {
  const gasTokens = new Map(
    chains.flatMap(({ chainId, chainType, nativeToken }) =>
      chainType === family ? [[chainId, nativeToken.symbol] as const] : [],
    ),
  )
  return tokens.filter(
    ({ chainId, symbol, backends, verified }) =>
      verified && gasTokens.has(chainId) && gasTokens.get(chainId) !== symbol && backends.includes(backend),
  )
}

/**
 * Pairs of verified tokens on chains of the two families that the backend serves, at most 12: of one asset, or of two
 * where the backend is the one that swaps.
 */
export const demoPairs = (
  catalogue: Catalogue,
  backend: BackendType,
  families: Families,
): readonly DemoPair[] => {
  const targets = movable(catalogue, backend, families.to)
  return movable(catalogue, backend, families.from)
    .flatMap((from) =>
      targets.filter((to) => isPair(backend, from, to, families)).map((to) => ({ from, to })),
    )
    .slice(0, MAX_PAIRS)
}

/** The backends that at least one listed token names, in their usual order. */
export const listedBackends = (
  { tokens }: Catalogue,
  order: readonly BackendType[],
): readonly BackendType[] =>
  order.filter((backend) => tokens.some(({ backends }) => backends.includes(backend)))
