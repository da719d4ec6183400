import type { ChainId } from '@openrfq/sdk'
import type { Backend } from '../backends/backend.ts'
import type { Catalog } from '../chains/catalog.ts'
import { Chain } from '../core/chain.ts'
import type { NetworkToken } from '../core/network.ts'
import type { Token } from '../core/token.ts'

/** A token of the catalogue and the types of the backends that serve it; clients read it as the SDK's `ListedToken`. */
export type ServedToken = Token & { readonly backends: readonly string[] }

/** The served part of the catalogue: everything that a backend can use. Constant during the life of a process. */
export type Listing = {
  /** Chains with at least one served token. */
  readonly chains: readonly Chain[]
  readonly tokens: readonly ServedToken[]
  readonly chain: (chainId: ChainId) => Chain | undefined
  /** The served token under its canonical address. */
  readonly token: (chainId: ChainId, canonicalAddress: string) => NetworkToken | undefined
}

/** Asks every backend once which of the catalogue's tokens it serves. */
export const createListing = (catalog: Catalog, backends: readonly Backend[]): Listing => {
  const listedOf = (token: NetworkToken): ServedToken => ({
    chainId: token.chainId,
    address: token.address,
    symbol: token.symbol,
    name: token.name,
    decimals: token.decimals,
    verified: token.verified,
    backends: backends.filter((backend) => backend.serves(token)).map(({ type }) => type),
    ...(token.logoUrl === undefined ? {} : { logoUrl: token.logoUrl }),
    ...(token.coinGeckoId === undefined ? {} : { coinGeckoId: token.coinGeckoId }),
    ...(token.stellar === undefined ? {} : { stellar: token.stellar }),
  })
  const listed = catalog.tokens.map((token) => ({ token, shown: listedOf(token) }))
  const servedTokens = listed.filter(({ shown }) => shown.backends.length > 0)
  const tokens = servedTokens.map(({ shown }) => shown)
  const served = new Set(servedTokens.map(({ token }) => token))
  const chains = catalog.chains
    .filter((chain) => tokens.some((token) => token.chainId === chain.chainId))
    .map((chain) => Chain.parse(chain))
  const chainById = new Map(chains.map((chain) => [chain.chainId, chain]))
  return {
    chains,
    tokens,
    chain: (chainId) => chainById.get(chainId),
    token: (chainId, address) => {
      const token = catalog.token(chainId, address)
      return token !== undefined && served.has(token) ? token : undefined
    },
  }
}
