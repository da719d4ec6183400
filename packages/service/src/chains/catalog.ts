import { type ChainId, type ChainType, isChainIdOf } from '@openrfq/sdk'
import { comparableAddress } from '../core/comparable-address.ts'
import { ConfigError } from '../core/config-error.ts'
import { tokenIdsOf } from '../core/interchain-token.ts'
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

/** A mistake in a network: its place, and a sentence that names the entry. */
export type CatalogProblem = { readonly path: readonly (string | number)[]; readonly message: string }

/** The second of two values with the same key, with what is wrong with it; values without a key are ignored. */
const findDuplicates = <Value>(
  values: readonly Value[],
  keyOf: (value: Value) => string | undefined,
  describe: (value: Value) => string,
  what: string,
): readonly { readonly index: number; readonly message: string }[] => {
  const seen = new Map<string, Value>()
  return values.flatMap((value, index) => {
    const key = keyOf(value)
    if (key === undefined) return []
    const first = seen.get(key)
    if (first !== undefined)
      return [{ index, message: `${describe(value)}: ${what} is already that of ${describe(first)}` }]
    seen.set(key, value)
    return []
  })
}

const describeChain = (chain: NetworkChain): string => `chain ${chain.chainId}`

/** The name by which Axelar knows a chain, in lower case. */
const axelarNameOf = ({ axelar, tokenReceiver }: NetworkChain): string | undefined =>
  (axelar ?? tokenReceiver)?.name.toLowerCase()

const describeToken = (token: NetworkToken): string =>
  `token ${token.symbol} ${token.address} on ${token.chainId}`

/** What contradicts the chain that a native token is of. */
const nativeProblem = (token: NetworkToken, chain: NetworkChain): string | undefined => {
  const { symbol, decimals } = chain.nativeToken
  if (token.symbol !== symbol || token.decimals !== decimals)
    return `the native token of the chain is ${symbol} with ${decimals} decimals`
  const hasContract = chain.chainType === 'stellar' || token.its?.contract !== undefined
  if ((token.its !== undefined && !hasContract) || token.gateway !== undefined)
    return 'the native token has no contract that its or the gateway could move; its.contract names an ERC-20 of it'
  return undefined
}

/** What is wrong with the ERC-20 as which a chain is said to offer its native asset. */
const contractProblem = (
  { address, its }: NetworkToken,
  { chainId, chainType }: NetworkChain,
  family: AddressRules,
): string | undefined => {
  if (its?.contract === undefined) return undefined
  if (chainType !== 'evm' || family.parseToken(address) !== family.nativeToken(chainId))
    return 'its.contract is for the native token of an EVM chain'
  return family.parseRecipient(its.contract) === undefined
    ? `its.contract is malformed: expected ${family.expected.recipient}`
    : undefined
}

const tokenProblem = (
  token: NetworkToken,
  chain: NetworkChain | undefined,
  rules: Rules,
): string | undefined => {
  if (chain === undefined) return 'the chain is not configured'
  const family = rules[chain.chainType]
  const address = family.parseToken(token.address)
  if (address === undefined) return `the address is malformed: expected ${family.expected.token}`
  const native = address === family.nativeToken(chain.chainId) ? nativeProblem(token, chain) : undefined
  if (native !== undefined) return native
  const contract = contractProblem(token, chain, family)
  if (contract !== undefined) return contract
  if (token.its !== undefined && chain.axelar?.its === undefined && chain.tokenReceiver === undefined)
    return 'its needs axelar.its or tokenReceiver on the chain'
  if (token.gateway !== undefined && chain.axelar === undefined) return 'gateway needs axelar on the chain'
  if (token.gateway !== undefined && chain.axelar?.connectionType === 'amplifier')
    return 'gateway needs a chain whose axelar.connectionType is consensus: an amplifier chain has no gateway tokens'
  if (token.gateway?.expressCap !== undefined && (chain.express?.executor ?? 'none') === 'none')
    return 'gateway.expressCap needs express.executor axelar or own on the chain'
  return undefined
}

const chainProblems = (
  chains: readonly NetworkChain[],
  hubChain: string | undefined,
): readonly CatalogProblem[] => {
  const at = (index: number, message: string): CatalogProblem => ({ path: ['chains', index], message })
  const duplicates = [
    ...findDuplicates(chains, (chain) => chain.chainId, describeChain, 'the identifier'),
    ...findDuplicates(chains, axelarNameOf, describeChain, 'the Axelar name'),
  ]
  return [
    ...chains.flatMap((chain, index) =>
      isChainIdOf(chain.chainType, chain.chainId)
        ? []
        : [at(index, `${describeChain(chain)}: the identifier is not one of chain type ${chain.chainType}`)],
    ),
    ...duplicates.map(({ index, message }) => at(index, message)),
    ...chains.flatMap((chain, index) =>
      chain.express !== undefined && chain.axelar === undefined
        ? [at(index, `${describeChain(chain)}: express needs axelar on the chain`)]
        : [],
    ),
    ...chains.flatMap((chain, index) =>
      axelarNameOf(chain) !== undefined && axelarNameOf(chain) === hubChain?.toLowerCase()
        ? [at(index, `${describeChain(chain)}: the Axelar name ${axelarNameOf(chain)} is the hub's`)]
        : [],
    ),
    ...chains.flatMap((chain, index) =>
      (chain.tokenReceiver !== undefined && chain.chainType === 'evm') ||
      (chain.axelar !== undefined && chain.chainType !== 'evm')
        ? [at(index, `${describeChain(chain)}: axelar is for EVM chains, tokenReceiver for the others`)]
        : [],
    ),
  ]
}

/** Whether a token's address has a canonical form on its chain, and which. */
const canonicalToken = (
  token: NetworkToken,
  chain: NetworkChain | undefined,
  rules: Rules,
): NetworkToken => ({
  ...token,
  address:
    (chain === undefined ? undefined : rules[chain.chainType].parseToken(token.address)) ?? token.address,
})

/** Two ids that the same two tokens have in common, between which nothing would decide. */
const doublePairs = (tokens: readonly NetworkToken[]): readonly CatalogProblem[] =>
  tokens.flatMap((token, index): readonly CatalogProblem[] => {
    const ids = tokenIdsOf(token)
    const isDouble = (other: NetworkToken): boolean =>
      other !== token && tokenIdsOf(other).filter((id) => ids.includes(id)).length > 1
    const other = ids.length < 2 ? undefined : tokens.find(isDouble)
    if (other === undefined) return []
    const message = `${describeToken(token)}: it has two ITS token ids in common with ${describeToken(other)}`
    return [{ path: ['tokens', index], message }]
  })

/** Addresses and ITS token ids that a chain has twice. */
const doubleIdentities = (tokens: readonly NetworkToken[]): readonly CatalogProblem[] => {
  const find = (
    keysOf: (token: NetworkToken) => readonly string[],
    what: string,
  ): readonly CatalogProblem[] => {
    const entries = tokens.flatMap((token, index) =>
      keysOf(token).map((key) => ({ token, index, key: `${token.chainId} ${key}` })),
    )
    return findDuplicates(
      entries,
      ({ key }) => key,
      ({ token }) => describeToken(token),
      what,
    ).map(({ index, message }) => ({ path: ['tokens', entries[index]?.index ?? 0], message }))
  }
  const contractOf = ({ its }: NetworkToken): readonly string[] =>
    its?.contract === undefined ? [] : [comparableAddress(its.contract)]
  return [
    ...find((token) => [comparableAddress(token.address), ...contractOf(token)], 'the address'),
    ...find(tokenIdsOf, 'the ITS token id'),
    ...doublePairs(tokens),
  ]
}

const doubleTokens = (tokens: readonly NetworkToken[]): readonly CatalogProblem[] => {
  const onChain =
    (keyOf: (token: NetworkToken) => string | undefined) =>
    (token: NetworkToken): string | undefined => {
      const key = keyOf(token)
      return key === undefined ? undefined : `${token.chainId} ${key}`
    }
  const find = (keyOf: (token: NetworkToken) => string | undefined, what: string) =>
    findDuplicates(tokens, onChain(keyOf), describeToken, what)
  const gateways = [
    ...find((token) => token.gateway?.denom, 'the gateway denom'),
    ...find((token) => token.gateway?.symbol, 'the gateway symbol'),
  ]
  return [
    ...doubleIdentities(tokens),
    ...gateways.map(({ index, message }) => ({ path: ['tokens', index], message })),
  ]
}

type Read = {
  readonly rules: Rules
  readonly chainsById: ReadonlyMap<ChainId, NetworkChain>
  readonly tokens: readonly NetworkToken[]
  readonly problems: readonly CatalogProblem[]
}

const readEntries = ({ chains, tokens, axelar }: Network): Read => {
  const rules = addressRulesOf(chains)
  const chainsById = new Map(chains.map((chain) => [chain.chainId, chain]))
  const canonical = tokens.map((token) => canonicalToken(token, chainsById.get(token.chainId), rules))
  const problems = [
    ...chainProblems(chains, axelar?.hubChain),
    ...tokens.flatMap((token, index) => {
      const problem = tokenProblem(token, chainsById.get(token.chainId), rules)
      return problem === undefined
        ? []
        : [{ path: ['tokens', index], message: `${describeToken(token)}: ${problem}` }]
    }),
    ...doubleTokens(canonical),
  ]
  return { rules, chainsById, tokens: canonical, problems }
}

/** Every entry of a network that contradicts itself or another. Throws ConfigError as `addressRulesOf` does. */
export const catalogProblems = (network: Network): readonly CatalogProblem[] => readEntries(network).problems

/**
 * Builds the catalogue of a network. Throws `ConfigError` for the first entry that contradicts itself
 * or another, so that a configuration error is found at start.
 */
export const createCatalog = (network: Network): Catalog => {
  const { chains } = network
  const { rules, chainsById, tokens, problems } = readEntries(network)
  const [first] = problems
  if (first !== undefined) throw new ConfigError(first.message)
  const tokensByChain = new Map(chains.map((chain) => [chain.chainId, new Map<string, NetworkToken>()]))
  for (const token of tokens) tokensByChain.get(token.chainId)?.set(token.address, token)
  return {
    chains,
    tokens,
    chain: (chainId) => chainsById.get(chainId),
    token: (chainId, canonicalAddress) => tokensByChain.get(chainId)?.get(canonicalAddress),
    contract: (chain, text) => {
      const { parseRecipient, expected } = rules[chain.chainType]
      const address = parseRecipient(text)
      if (address === undefined)
        throw new ConfigError(
          `${describeChain(chain)}: ${text} is not an address: expected ${expected.recipient}`,
        )
      return address
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
