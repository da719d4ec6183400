import type { BackendType } from '../core/backend-type.ts'
import type { ListedToken } from '../core/token.ts'
import type { Catalogue } from './catalogue.ts'

/** Two tokens that one backend may move between. */
export type DemoPair = { readonly from: ListedToken; readonly to: ListedToken }

const NATIVE = /^0x0{40}$/
const MAX_PAIRS = 12

/**
 * Pairs of verified contract tokens of one symbol on two EVM chains that the backend serves, at most 12. Native assets are left out because gas
 * would blur their balances.
 */
export const demoPairs = ({ chains, tokens }: Catalogue, backend: BackendType): readonly DemoPair[] => {
  const evm = new Set(chains.filter(({ chainType }) => chainType === 'evm').map(({ chainId }) => chainId))
  const movable = tokens.filter(
    ({ chainId, address, backends, verified }) =>
      verified && evm.has(chainId) && !NATIVE.test(address) && backends.includes(backend),
  )
  return movable
    .flatMap((from) =>
      movable
        .filter(({ chainId, symbol }) => chainId !== from.chainId && symbol === from.symbol)
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
