import type { ChainId } from '@openrfq/sdk'
import type { Backend } from '../backends/backend.ts'
import type { AddressRules } from '../chains/address-rules.ts'
import type { Catalog } from '../chains/catalog.ts'
import { ConfigError } from '../core/config-error.ts'

type Deps = {
  readonly catalog: Pick<Catalog, 'chains' | 'tokens' | 'rules'>
  readonly backends: readonly Pick<Backend, 'type' | 'contracts'>[]
}

const accountOf = (rules: AddressRules, address: string): string | undefined => {
  const canonical = rules.parseRecipient(address)
  return canonical === undefined ? undefined : rules.holderOf(canonical)
}

/**
 * Canonical accounts, by chain, that a transfer must not name as sender or recipient: every token of the catalogue and
 * every contract that a backend declares. Throws ConfigError for a declared contract that is not an address of its chain,
 * because it would stay unprotected.
 */
export const refusedAccounts = ({ catalog, backends }: Deps): ReadonlyMap<ChainId, ReadonlySet<string>> =>
  new Map(
    catalog.chains.map((chain) => {
      const { chainId, chainType } = chain
      const rules = catalog.rules(chainType)
      const contracts = backends.flatMap(({ type, contracts: contractsOn }) =>
        contractsOn(chain).map((address) => {
          const account = accountOf(rules, address)
          if (account !== undefined) return account
          throw new ConfigError(
            `backend ${type}: contract ${address} on ${chainId} is not an address: expected ${rules.expected}`,
          )
        }),
      )
      const tokens = catalog.tokens.filter((token) => token.chainId === chainId)
      return [chainId, new Set([...contracts, ...tokens.map(({ address }) => address)])]
    }),
  )
