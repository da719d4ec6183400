import type { ChainId } from '@openrfq/sdk'
import type { Catalog } from '../../chains/catalog.ts'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import type { IntentTerms } from '../../core/network.ts'
import { dustTable } from '../../intents/vault/dust.ts'
import type { VaultChain } from '../../intents/vault/payment-indexer.ts'
import type { PriceSource } from '../../pricing/price-source.ts'

type Deps = {
  readonly catalog: Catalog
  readonly paymentChains: ReadonlyMap<ChainId, PaymentChain>
  readonly terms: IntentTerms
  readonly prices: PriceSource
}

/** The payment chains on which the operator has a vault, and the solvers' accounts there. */
export const vaultChainsOf = ({ catalog, paymentChains, terms, prices }: Deps): readonly VaultChain[] =>
  [...paymentChains.values()].flatMap((chain) => {
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
