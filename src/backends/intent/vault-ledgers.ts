import type { Catalog } from '../../chains/catalog.ts'
import type { LedgerChain } from '../../chains/ledger-chain.ts'
import type { ChainId } from '../../core/chain.ts'
import type { IntentTerms } from '../../core/network.ts'
import type { PriceSource } from '../../pricing/price-source.ts'
import { dustTable } from '../../vault/dust.ts'
import type { VaultLedger } from '../../vault/ledger-reader.ts'

type Deps = {
  readonly catalog: Catalog
  readonly ledgers: ReadonlyMap<ChainId, LedgerChain>
  readonly terms: IntentTerms
  readonly prices: PriceSource
}

/** The ledgers on which the operator has a vault, and who fills there. */
export const vaultLedgersOf = ({ catalog, ledgers, terms, prices }: Deps): readonly VaultLedger[] =>
  [...ledgers.values()].flatMap((chain) => {
    const { chainId, chainType } = chain
    const attested = catalog.chain(chainId)?.attested
    const nativeToken = catalog.rules(chainType).nativeToken(chainId)
    if (attested === undefined || nativeToken === undefined) return []
    const tokens = catalog.tokens.filter((token) => token.chainId === chainId)
    const fillers = terms.solvers.flatMap(({ accounts }) => accounts?.[chainType] ?? [])
    const dustOf = dustTable({ chainType, tokens, nativeToken, prices })
    const { settler: vault, treasury = [] } = attested
    return [{ chain, vault, fillers, treasury, dustOf }]
  })
