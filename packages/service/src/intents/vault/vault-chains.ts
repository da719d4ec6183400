import type { ChainId } from '@openrfq/sdk'
import type { Catalog } from '../../chains/catalog.ts'
import type { PaymentChain } from '../../chains/payment-chain.ts'
import { canMoveMoney } from '../../chains/rpc/quorum.ts'
import { mulDivUp } from '../../core/amount.ts'
import { ConfigError } from '../../core/config-error.ts'
import { powerOfTen } from '../../core/decimal.ts'
import type { Token } from '../../core/token.ts'
import type { Log } from '../../lib/log.ts'
import type { PriceSource } from '../../pricing/price-source.ts'
import type { DepositTerms } from './deposit-summary.ts'
import type { UnmatchedTerms } from './obligations.ts'
import type { VaultChain } from './payment-indexer.ts'

type Deps = {
  readonly catalog: Catalog
  readonly paymentChains: ReadonlyMap<ChainId, PaymentChain>
  readonly prices: PriceSource
  readonly log: Log
}

/**
 * The payment chains on which the operator has a vault. None whose only endpoint the operator does not trust alone, which is
 * logged. Throws ConfigError for a vault that is not an account, and for settings of a vault where there is none.
 */
export const vaultChainsOf = ({ catalog, paymentChains, prices, log }: Deps): readonly VaultChain[] =>
  [...paymentChains.values()].flatMap((chain) => {
    const { chainId, chainType } = chain
    const configured = catalog.chain(chainId)
    const attested = configured?.attested
    const nativeToken = catalog.rules(chainType).nativeToken(chainId)
    if (configured === undefined || attested === undefined || nativeToken === undefined) return []
    if (!canMoveMoney(configured)) {
      log('error', 'vault_endpoint_alone', { chainId })
      return []
    }
    const tokens = catalog.tokens.filter((token) => token.chainId === chainId)
    const { readAfter, treasury = [], dailyLimit = {} } = attested
    const { signingMarks } = chain
    if (signingMarks === undefined) {
      if (treasury.length + Object.keys(dailyLimit).length > 0)
        throw new ConfigError(
          `chain ${chainId}: attested.treasury and attested.dailyLimit are settings of a vault, and its settler is a program`,
        )
      return []
    }
    const dust = { tokens, nativeToken, prices }
    const dustOf = dustTable(dust)
    const { parseSender, parseToken, expected } = catalog.rules(chainType)
    const limits = new Map(
      Object.entries(dailyLimit).map(([text, limit]) => {
        const token = parseToken(text)
        if (token === undefined || catalog.token(chainId, token) === undefined)
          throw new ConfigError(
            `chain ${chainId}: attested.dailyLimit names ${text}, which is no token of it`,
          )
        return [token, BigInt(limit)]
      }),
    )
    const vault = parseSender(attested.settler)
    if (vault === undefined)
      throw new ConfigError(
        `chain ${chainId}: attested.settler ${attested.settler} is not an account: expected ${expected.sender}`,
      )
    return [
      {
        chain,
        readAfter: readAfter === undefined ? undefined : BigInt(readAfter),
        signingMarks,
        vault,
        signers: attested.signers,
        channels: attested.channels ?? [],
        treasury,
        dustOf,
        unmatchedTermsOf: unmatchedTable(dust),
        tokens: tokens.map(({ address }) => address),
        dailyLimitOf: (token) => limits.get(token),
      },
    ]
  })

/** Twice the cost of returning native value, in stroops. */
const NATIVE_DUST = 1_000n

type DustDeps = {
  /** The tokens of the chain that the operator can send, including the native one. */
  readonly tokens: readonly Token[]
  readonly nativeToken: string
  readonly prices: PriceSource
}

/** What an amount of the native token is worth in each token, rounded up; undefined for a token without a price. */
const worthIn = ({ tokens, nativeToken, prices }: DustDeps, stroops: bigint) => {
  const native = tokens.find(({ address }) => address === nativeToken)
  const nativePrice = native === undefined ? undefined : prices(native)
  return (token: Token): bigint | undefined => {
    if (token.address === nativeToken) return stroops
    const price = prices(token)
    if (native === undefined || nativePrice === undefined || price === undefined || price === 0n)
      return undefined
    return mulDivUp(stroops * nativePrice, powerOfTen(token.decimals), price * powerOfTen(native.decimals))
  }
}

/**
 * The least amount of each token that is sent back: the value of twice the cost, rounded up, or one base unit for a
 * token without a price. Computed once, so that an obligation never changes.
 */
const dustTable = (deps: DustDeps): DepositTerms['dustOf'] => {
  const worth = worthIn(deps, NATIVE_DUST)
  const table = new Map(deps.tokens.map((token) => [token.address, worth(token) || 1n]))
  return (token) => table.get(token)
}

/** What a return costs in stroops: the least bid, which the network takes in full only while its ledgers are full. */
const RETURN_COST = 10_000n
/** An unmatched deposit is returned from so many costs on. */
const LEAST_COSTS = 100n

/** What an unmatched deposit pays for its return; nothing in a token without a price. Computed once, like the dust. */
const unmatchedTable = (deps: DustDeps): VaultChain['unmatchedTermsOf'] => {
  const worth = worthIn(deps, RETURN_COST)
  const termsOf = (token: Token): UnmatchedTerms => {
    const cost = worth(token)
    return cost === undefined ? { minimum: 1n, cost: 0n } : { minimum: cost * LEAST_COSTS, cost }
  }
  const table = new Map(deps.tokens.map((token) => [token.address, termsOf(token)]))
  return (token) => table.get(token)
}
