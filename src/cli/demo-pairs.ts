import type { BackendType } from '../core/backend-type.ts'
import type { ListedToken } from '../core/token.ts'
import type { Catalogue } from './catalogue.ts'

/** Two tokens that one backend may move between. */
export type DemoPair = { readonly from: ListedToken; readonly to: ListedToken }

const NATIVE = /^0x0{40}$/
const MAX_PAIRS = 12

/** Whether two symbols may be of one asset: a gateway puts its own letters before the symbol. */
const isOneAsset = (one: string, other: string): boolean => one.endsWith(other) || other.endsWith(one)

/**
 * Pairs of verified contract tokens on two EVM chains that the backend serves, at most 12: of one symbol, or of two where
 * the backend is the one that swaps. Native assets are left out because gas would blur their balances.
 */
export const demoPairs = ({ chains, tokens }: Catalogue, backend: BackendType): readonly DemoPair[] => {
  const evm = new Set(chains.filter(({ chainType }) => chainType === 'evm').map(({ chainId }) => chainId))
  const swaps = backend === 'gateway-express'
  const movable = tokens.filter(
    ({ chainId, address, backends, verified }) =>
      verified && evm.has(chainId) && !NATIVE.test(address) && backends.includes(backend),
  )
  return movable
    .flatMap((from) =>
      movable
        .filter(
          ({ chainId, symbol }) =>
            chainId !== from.chainId && (swaps ? !isOneAsset(symbol, from.symbol) : symbol === from.symbol),
        )
        .map((to) => ({ from, to })),
    )
    .slice(0, MAX_PAIRS)
}

/** The backends that at least one listed token names, in their usual order. */
export const listedBackends = (
  { tokens }: Catalogue,
  order: readonly BackendType[],
): readonly BackendType[] =>
  order.filter((backend) => tokens.some(({ backends }) => backends.includes(backend)))
