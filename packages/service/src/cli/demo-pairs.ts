import type { ChainType, ListedToken } from '@openrfq/sdk'
import type { BackendDefinition } from '../backends/backend-definition.ts'
import type { Catalogue } from './catalogue.ts'

/** A backend that the service lists, and which transfers of it the demo executes. */
export type DemoBackend = Pick<BackendDefinition, 'type' | 'demo'>

/** Two tokens that one backend may transfer between. */
export type DemoPair = { readonly from: ListedToken; readonly to: ListedToken }

/** The source and destination family. */
export type Families = { readonly from: ChainType; readonly to: ChainType }

const MAX_PAIRS = 12
const PLAIN = { assets: 'same', crossesFamilies: false, refunds: false } as const

/** Whether two symbols may name the same asset: a gateway adds a prefix to the symbol. */
const isOneAsset = (one: string, other: string): boolean => one.endsWith(other) || other.endsWith(one)

/** Whether a backend may be asked to move one into the other; between families an asset has another name. */
const isPair = (
  { demo }: DemoBackend,
  from: ListedToken,
  to: ListedToken,
  { from: one, to: other }: Families,
) => {
  if (from.chainId === to.chainId) return false
  if (demo.assets === 'other') return !isOneAsset(to.symbol, from.symbol)
  return one === other ? to.symbol === from.symbol : isOneAsset(to.symbol, from.symbol)
}

/** The tokens for the demo: verified, and not a chain's native asset, whose balance fees would change. */
const movable = ({ chains, tokens }: Catalogue, { type }: DemoBackend, family: ChainType) => {
  const gasTokens = new Map(
    chains.flatMap(({ chainId, chainType, nativeToken }) =>
      chainType === family ? [[chainId, nativeToken.symbol] as const] : [],
    ),
  )
  return tokens.filter(
    ({ chainId, symbol, backends, verified }) =>
      verified &&
      gasTokens.has(chainId) &&
      gasTokens.get(chainId) !== symbol &&
      backends.some((listed) => listed === type),
  )
}

/**
 * At most 12 pairs of verified tokens between the two families that the backend serves: of one asset, or of two if the
 * backend swaps.
 */
export const demoPairs = (
  catalogue: Catalogue,
  backend: DemoBackend,
  families: Families,
): readonly DemoPair[] => {
  const targets = movable(catalogue, backend, families.to)
  return movable(catalogue, backend, families.from)
    .flatMap((from) =>
      targets.filter((to) => isPair(backend, from, to, families)).map((to) => ({ from, to })),
    )
    .slice(0, MAX_PAIRS)
}

/** The backends that at least one listed token names; one that this program does not know moves a token to its like. */
export const listedBackends = (
  { tokens }: Catalogue,
  known: readonly DemoBackend[],
): readonly DemoBackend[] => {
  const listed = new Set<string>(tokens.flatMap(({ backends }) => backends))
  const unknown = listed.difference(new Set(known.map(({ type }) => type)))
  return [
    ...known.filter(({ type }) => listed.has(type)),
    ...[...unknown].map((type) => ({ type, demo: PLAIN })),
  ]
}
