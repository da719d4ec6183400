import { type ChainId, type ChainType, isChainIdOf } from '@openrfq/sdk'
import { ConfigError } from '../core/config-error.ts'
import type { Network, NetworkChain, NetworkToken } from '../core/network.ts'
import type { AddressRules } from './address-rules.ts'
import { addressRulesOf } from './address-rules-of.ts'

/** The operator's chains and tokens, validated; the tokens' addresses are canonical. */
export type Catalog = {
  readonly chains: readonly NetworkChain[]
  readonly tokens: readonly NetworkToken[]
  readonly chain: (chainId: ChainId) => NetworkChain | undefined
  readonly token: (chainId: ChainId, canonicalAddress: string) => NetworkToken | undefined
  /** The canonical form of a contract's address on a chain. Throws ConfigError for an address that the chain cannot have. */
  readonly contract: (chain: NetworkChain, text: string) => string
  readonly rules: (chainType: ChainType) => AddressRules
  /**
   * The canonical form of a message id by the rules of the chain's family, configured or not; without a chain, or for one of
   * no family, by those of any family. Undefined if it is malformed.
   */
  readonly parseMessageId: (text: string, chainId: string | undefined) => string | undefined
}

type Rules = ReturnType<typeof addressRulesOf>

const refuse = (entry: string, problem: string): never => {
  throw new ConfigError(`${entry}: ${problem}`)
}

/** Throws for the second value with the same key; values without a key are ignored. */
const refuseDuplicates = <Value>(
  values: readonly Value[],
  keyOf: (value: Value) => string | undefined,
  describe: (value: Value) => string,
  what: string,
): void => {
  const seen = new Map<string, Value>()
  for (const value of values) {
    const key = keyOf(value)
    if (key === undefined) continue
    const first = seen.get(key)
    if (first !== undefined) refuse(describe(value), `${what} is already that of ${describe(first)}`)
    seen.set(key, value)
  }
}

const describeChain = (chain: NetworkChain): string => `chain ${chain.chainId}`
const describeToken = (token: NetworkToken): string =>
  `token ${token.symbol} ${token.address} on ${token.chainId}`

const checkNamespace = (chain: NetworkChain): void => {
  if (!isChainIdOf(chain.chainType, chain.chainId))
    refuse(describeChain(chain), `the identifier is not one of chain type ${chain.chainType}`)
}

const checkNative = (token: NetworkToken, chain: NetworkChain): void => {
  const { symbol, decimals } = chain.nativeToken
  if (token.symbol !== symbol || token.decimals !== decimals)
    refuse(describeToken(token), `the native token of the chain is ${symbol} with ${decimals} decimals`)
  if (token.its !== undefined || token.gateway !== undefined)
    refuse(describeToken(token), 'the native token has no contract that its or the gateway could move')
}

const canonicalToken = (token: NetworkToken, chain: NetworkChain | undefined, rules: Rules): NetworkToken => {
  if (chain === undefined) return refuse(describeToken(token), 'the chain is not configured')
  const family = rules[chain.chainType]
  const address =
    family.parseToken(token.address) ??
    refuse(describeToken(token), `the address is malformed: expected ${family.expected.token}`)
  if (address === family.nativeToken(chain.chainId)) checkNative(token, chain)
  if (token.its !== undefined && chain.axelar?.its === undefined)
    refuse(describeToken(token), 'its needs axelar.its on the chain')
  if (token.gateway !== undefined && chain.axelar === undefined)
    refuse(describeToken(token), 'gateway needs axelar on the chain')
  return { ...token, address }
}

const checkChains = (chains: readonly NetworkChain[], hubChain: string | undefined): void => {
  refuseDuplicates(chains, (chain) => chain.chainId, describeChain, 'the identifier')
  refuseDuplicates(chains, (chain) => chain.axelar?.name.toLowerCase(), describeChain, 'the Axelar name')
  for (const chain of chains) {
    if (chain.axelar !== undefined && chain.axelar.name.toLowerCase() === hubChain?.toLowerCase())
      refuse(describeChain(chain), `the Axelar name ${chain.axelar.name} is the hub's`)
  }
}

const checkTokens = (tokens: readonly NetworkToken[]): void => {
  const onChain =
    (keyOf: (token: NetworkToken) => string | undefined) =>
    (token: NetworkToken): string | undefined => {
      const key = keyOf(token)
      return key === undefined ? undefined : `${token.chainId} ${key}`
    }
  const check = (keyOf: (token: NetworkToken) => string | undefined, what: string): void =>
    refuseDuplicates(tokens, onChain(keyOf), describeToken, what)
  check((token) => token.address, 'the address')
  check((token) => token.its?.tokenId, 'the ITS token id')
  check((token) => token.gateway?.denom, 'the gateway denom')
  check((token) => token.gateway?.symbol, 'the gateway symbol')
}

/**
 * Builds the catalogue of a network. Throws `ConfigError` for the first entry that contradicts itself
 * or another, so that a configuration error is found at start.
 */
export const createCatalog = (network: Network): Catalog => {
  const { chains } = network
  const rules = addressRulesOf(chains)
  for (const chain of chains) checkNamespace(chain)
  checkChains(chains, network.axelar?.hubChain)
  const chainsById = new Map(chains.map((chain) => [chain.chainId, chain]))
  const tokens = network.tokens.map((token) => canonicalToken(token, chainsById.get(token.chainId), rules))
  checkTokens(tokens)
  const tokensByChain = new Map(chains.map((chain) => [chain.chainId, new Map<string, NetworkToken>()]))
  for (const token of tokens) tokensByChain.get(token.chainId)?.set(token.address, token)
  return {
    chains,
    tokens,
    chain: (chainId) => chainsById.get(chainId),
    token: (chainId, canonicalAddress) => tokensByChain.get(chainId)?.get(canonicalAddress),
    contract: (chain, text) => {
      const { parseRecipient, expected } = rules[chain.chainType]
      return (
        parseRecipient(text) ??
        refuse(describeChain(chain), `${text} is not an address: expected ${expected.recipient}`)
      )
    },
    rules: (chainType) => rules[chainType],
    parseMessageId: (text, chainId) => {
      const families = Object.values(rules)
      const own = families.filter(({ chainType }) => isChainIdOf(chainType, chainId ?? ''))
      for (const family of own.length > 0 ? own : families) {
        const canonical = family.parseMessageId(text)
        if (canonical !== undefined) return canonical
      }
      return undefined
    },
  }
}
