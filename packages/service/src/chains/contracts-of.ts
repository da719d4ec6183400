import type { ChainId } from '@openrfq/sdk'
import type { Catalog } from './catalog.ts'

/** Canonical addresses, by chain, that a transfer must not name as sender or recipient. */
export const contractsOf = (catalog: Catalog): ReadonlyMap<ChainId, ReadonlySet<string>> =>
  new Map(
    catalog.chains.map((chain) => {
      const rules = catalog.rules(chain.chainType)
      const { gateway: gatewayAddress, gasService, its: itsAddress } = chain.axelar ?? {}
      const { settler } = chain.intent ?? {}
      const { router: swapRouter, wrappedNative } = chain.exchange ?? {}
      const addresses = [gatewayAddress, gasService, itsAddress, settler, swapRouter, wrappedNative]
      const vault = chain.attested?.settler
      const protocol = [...addresses, chain.express?.router, vault].flatMap((address) =>
        address === undefined ? [] : [rules.parseToken(address) ?? address],
      )
      const tokens = catalog.tokens.filter(({ chainId }) => chainId === chain.chainId)
      return [chain.chainId, new Set([...protocol, ...tokens.map(({ address }) => address)])]
    }),
  )
