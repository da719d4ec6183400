import type { Token } from '../core/token.ts'
import { createTokenMap, type TokenMap } from '../core/token-map.ts'

type Pair = { readonly from: { readonly token: Token }; readonly to: { readonly token: Token } }

/** Routes by the direction between their tokens. */
export type PairMap<Route> = {
  readonly get: (pair: Pair) => Route | undefined
  readonly serves: (token: Token) => boolean
  readonly size: number
}

/** A map of the routes, at most one per direction. */
export const createPairMap = <Route extends Pair>(routes: readonly Route[]): PairMap<Route> => {
  const sources = createTokenMap<TokenMap<Route>>()
  const served = createTokenMap<true>()
  for (const route of routes) {
    const { from, to } = route
    const destinations = sources.get(from.token) ?? createTokenMap<Route>()
    destinations.set(to.token, route)
    sources.set(from.token, destinations)
    served.set(from.token, true)
    served.set(to.token, true)
  }
  return {
    get: ({ from, to }) => sources.get(from.token)?.get(to.token),
    serves: (token) => served.get(token) === true,
    size: routes.length,
  }
}
