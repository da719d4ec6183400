import type { ChainId } from '@openrfq/sdk'
import type { Backend } from '../backends/backend.ts'
import type { AddressRules } from '../chains/address-rules.ts'
import type { Catalog } from '../chains/catalog.ts'
import { ConfigError } from '../core/config-error.ts'
import type { NetworkChain } from '../core/network.ts'

type Deps = {
  readonly catalog: Pick<Catalog, 'chains' | 'tokens' | 'rules'>
  readonly backends: readonly Pick<Backend, 'type' | 'contracts'>[]
}

/** For each chain the canonical accounts that no transfer may name, each with the label of its chain. */
export type RefusedAccounts = ReadonlyMap<ChainId, ReadonlyMap<string, string>>

const accountOf = (rules: AddressRules, address: string): string | undefined => {
  const canonical = rules.parseRecipient(address)
  return canonical === undefined ? undefined : rules.holderOf(canonical)
}

/** The contracts that backends declare on a chain, and the accounts that hold tokens for them. */
const protocolAccounts = ({ catalog, backends }: Deps, chain: NetworkChain): readonly string[] => {
  const { chainId, chainType } = chain
  const rules = catalog.rules(chainType)
  const tokens = catalog.tokens.filter((token) => token.chainId === chainId)
  const contracts = backends.flatMap(({ type, contracts: contractsOn }) =>
    contractsOn(chain, tokens).map((address) => {
      const account = accountOf(rules, address)
      if (account !== undefined) return account
      throw new ConfigError(
        `backend ${type}: contract ${address} on ${chainId} is not an address: expected ${rules.expected.recipient}`,
      )
    }),
  )
  const holdings = contracts.flatMap((owner) =>
    tokens.flatMap(({ address }) => rules.holdingsOf(owner, address)),
  )
  return [...contracts, ...holdings, ...tokens.map(({ address }) => address), ...rules.reserved]
}

/**
 * Accounts that a transfer must not name as sender or recipient, by chain: the catalogue's tokens, the contracts that
 * backends declare, the accounts that hold tokens for them, and those the family reserves. Accounts of one chain are
 * rejected on every chain of its family, where value sent to them is lost as well. Throws ConfigError for a declared
 * contract that is not an address of its chain, because it would stay unprotected.
 */
export const refusedAccounts = (deps: Deps): RefusedAccounts => {
  const { chains } = deps.catalog
  const own = chains.map((chain) => ({ chain, accounts: protocolAccounts(deps, chain) }))
  return new Map(
    chains.map(({ chainId, chainType }) => {
      const family = own.filter(({ chain }) => chain.chainType === chainType)
      // The chain's own accounts last, so that an account of several chains is named as its own.
      const inOrder = family.toSorted(
        (one, other) => Number(one.chain.chainId === chainId) - Number(other.chain.chainId === chainId),
      )
      return [
        chainId,
        new Map(
          inOrder.flatMap(({ chain, accounts }) => accounts.map((account) => [account, chain.chainLabel])),
        ),
      ]
    }),
  )
}
