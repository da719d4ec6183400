import type { ChainId, ChainType } from './chain.ts'

/** The namespace of each family's identifiers, and the references in it. Source: CAIP-2 and its namespaces. */
const NAMESPACES = {
  evm: { name: 'eip155', reference: /^[1-9][0-9]{0,31}$/ },
  solana: { name: 'solana', reference: /^[1-9A-HJ-NP-Za-km-z]{32}$/ },
  stellar: { name: 'stellar', reference: /^[a-z0-9-]{1,32}$/ },
} as const satisfies Record<ChainType, { readonly name: string; readonly reference: RegExp }>

const FAMILIES: ReadonlyMap<string, ChainType> = new Map([
  [NAMESPACES.evm.name, 'evm'],
  [NAMESPACES.solana.name, 'solana'],
  [NAMESPACES.stellar.name, 'stellar'],
])

/** How many characters of its genesis hash name a Solana chain. Source: CAIP-2, namespace `solana`. */
const GENESIS_CHARACTERS = 32

const namespaceOf = (chainId: string): string => chainId.slice(0, Math.max(chainId.indexOf(':'), 0))
const referenceOf = (chainId: string): string => chainId.slice(chainId.indexOf(':') + 1)

/**
 * The family of a chain by the namespace of its identifier; undefined for a namespace of no family.
 * @example
 * const family = chainTypeOf('eip155:1') // 'evm'
 */
export const chainTypeOf = (chainId: ChainId): ChainType | undefined => FAMILIES.get(namespaceOf(chainId))

/**
 * Whether a text identifies a chain of the family: its namespace, and a reference of the namespace's form.
 * @example
 * const isEvm = isChainIdOf('evm', 'eip155:01') // false
 */
export const isChainIdOf = (chainType: ChainType, text: string): boolean =>
  namespaceOf(text) === NAMESPACES[chainType].name && NAMESPACES[chainType].reference.test(referenceOf(text))

/**
 * The chain number that EVM transactions and signatures name (EIP-155). Throws RangeError for any other chain.
 * @example
 * const number = evmChainNumberOf('eip155:43114') // 43114n
 */
export const evmChainNumberOf = (chainId: ChainId): bigint => {
  if (!isChainIdOf('evm', chainId)) throw new RangeError(`expected an EVM chain: ${chainId}`)
  return BigInt(referenceOf(chainId))
}

/**
 * The identifier of the EVM chain with the number (EIP-155).
 * @example
 * const avalanche = evmChainIdOf(43114) // 'eip155:43114'
 */
export const evmChainIdOf = (chainNumber: number | bigint): ChainId => `${NAMESPACES.evm.name}:${chainNumber}`

/**
 * The identifier of the Solana chain with the genesis hash, base58.
 * @example
 * const mainnet = solanaChainIdOf('5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d') // 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
 */
export const solanaChainIdOf = (genesisHash: string): ChainId =>
  `${NAMESPACES.solana.name}:${genesisHash.slice(0, GENESIS_CHARACTERS)}`
