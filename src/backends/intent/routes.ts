import type { Catalog } from '../../chains/catalog.ts'
import type { EvmChain } from '../../chains/evm/evm-chain.ts'
import type { ChainId } from '../../core/chain.ts'
import type { NetworkChain, NetworkToken } from '../../core/network.ts'
import type { AssetPair } from '../../core/order.ts'
import { type Token, tokenKey } from '../../core/token.ts'

/** One chain's end of an intent: a token that solvers may quote, and the settler that moves it there. */
type IntentSide = {
  readonly chain: NetworkChain
  readonly token: NetworkToken
  readonly evm: EvmChain
  readonly settler: string
  /** Whole seconds until a solver may rely on a deposit here. */
  readonly finalitySeconds: number
}

/** A direction between two tokens on different chains. */
export type IntentRoute = { readonly from: IntentSide; readonly to: IntentSide }

/** Which tokens solvers may quote, and between which. */
export type IntentRoutes = {
  /** Whether some token on another chain can be reached from the token. */
  readonly serves: (token: Token) => boolean
  readonly between: (pair: AssetPair) => IntentRoute | undefined
}

type Deps = {
  readonly catalog: Catalog
  readonly evmChains: ReadonlyMap<ChainId, EvmChain>
}

const sideOf = ({ catalog, evmChains }: Deps, token: NetworkToken): IntentSide | undefined => {
  const chain = catalog.chain(token.chainId)
  const evm = evmChains.get(token.chainId)
  if (!token.intent || chain?.axelar === undefined || chain.intent === undefined || evm === undefined)
    return undefined
  return {
    chain,
    token,
    evm,
    settler: chain.intent.settler,
    finalitySeconds: chain.axelar.finalitySeconds,
  }
}

/**
 * Every two tokens on different chains that solvers may quote, where both chains have a settler, and Axelar to carry the
 * proofs between them.
 */
export const intentRoutes = (deps: Deps): IntentRoutes => {
  const sides = deps.catalog.tokens.map((token) => sideOf(deps, token)).filter((side) => side !== undefined)
  const byToken = new Map(sides.map((side) => [tokenKey(side.token), side]))
  const chains = new Set(sides.map(({ chain }) => chain))
  return {
    serves: (token) => chains.size > 1 && byToken.has(tokenKey(token)),
    between: ({ from, to }) => {
      const source = byToken.get(tokenKey(from.token))
      const destination = byToken.get(tokenKey(to.token))
      return source === undefined || destination === undefined || source.chain === destination.chain
        ? undefined
        : { from: source, to: destination }
    },
  }
}
