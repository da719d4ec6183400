import type { z } from 'zod'
import { addressRulesOf } from '../chains/address-rules-of.ts'
import { evmAddressRules } from '../chains/evm/address.ts'
import { alternateOperators } from '../chains/rpc/operators.ts'
import { isEvmAddress } from '../core/hex.ts'
import { NetworkChain } from '../core/network.ts'
import { holdsKey, isPublicPlace, listedEndpoints } from './chain-list.ts'
import type { LeftOut } from './left-out.ts'
import { isShownWhole } from './shown-whole.ts'
import { type AxelarChain, hubLimitsOf, type ScanChain, type Sources } from './sources.ts'

/** A chain as a network file writes it. */
export type ChainEntry = z.input<typeof NetworkChain>

/** A chain of the generated file and what it was made from. */
export type SyncedChain = {
  readonly entry: ChainEntry
  readonly source: AxelarChain
  /** The name of the native asset. */
  readonly nativeName: string
  /** Why tokens on the chain are left out; undefined if they can be served. */
  readonly unserved: string | undefined
  /** Why the public list of chains gives the chain no endpoints; undefined if nothing is wrong with its entry. */
  readonly unlisted: string | undefined
  /** How many of its endpoints are from the public list. */
  readonly listed: number
}

/** Where Axelarscan's pictures are. */
const PICTURES = 'https://axelarscan.io'
/** Gas paid for the execution of an interchain transfer on an EVM chain, and on a chain of another family. */
const EXECUTE_GAS_LIMIT = 300_000
/** How a chain differs from Ethereum, beside its fees for data. */
type OwnRules = Pick<ChainEntry, 'gasScale' | 'tokenStandard'> & {
  readonly executeGasLimit: number
  readonly valueDecimals?: number
}

/**
 * EVM chains that differ from Ethereum, by Axelar name without the number of a test network.
 *
 * Filecoin: its units of gas for one of Ethereum's, by what both chains process; and the gas that Axelarscan pays for an execution there.
 * Source: docs.filecoin.io, "Difference with Ethereum"; `DEFAULT_GAS_LIMIT` of axelarscan-api.
 *
 * Hedera: the gas of an approval of its token service, taken to cost 0.05 USD and a fifth at 853 tinycents per unit, by that of Ethereum, rounded
 * up; and a bound of ours for mints, transfers and the calls around them: Axelar returns what an execution does not use. No receipt has
 * confirmed either. Source: `DEFAULT_TINY_BAR_GAS` of hedera-json-rpc-relay; docs.hedera.com, "Gas and Fees".
 */
const OWN_RULES: Readonly<Record<string, OwnRules>> = {
  filecoin: { gasScale: 444, executeGasLimit: 200_000_000 },
  hedera: { gasScale: 16, tokenStandard: 'hts', executeGasLimit: 1_000_000, valueDecimals: 18 },
}
const RECEIVER_GAS_LIMIT = 700_000

const SOLANA = {
  mainnet: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  testnet: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
}
const STELLAR = {
  mainnet: { chainId: 'stellar:pubnet', passphrase: 'Public Global Stellar Network ; September 2015' },
  testnet: { chainId: 'stellar:testnet', passphrase: 'Test SDF Network ; September 2015' },
}

const CENTRIFUGE = 'Axelar is deprecating Centrifuge, which has no token service'

/**
 * Chains that Axelar's files still name though they have ended, by Axelar name without the number of a test network. Source: press of June
 * 2026 on Fantom; axelar-contract-deployments, `releases` of 2026-04.
 */
const ENDED: Readonly<Record<Sources['network'], Readonly<Record<string, string>>>> = {
  mainnet: { fantom: 'Fantom Opera was shut down on 2026-06-30', centrifuge: CENTRIFUGE },
  testnet: { fantom: "Fantom's test network no longer answers", centrifuge: CENTRIFUGE },
}

/**
 * Confirmations of EVM chains that are not read by the tag `finalized`, by Axelar name without the number of a test network. Linea and Mantle:
 * their tag waits for Ethereum, and Axelar's number is what it relies on there. Immutable: its blocks are never replaced. Celo is in no
 * table: it is a rollup since March 2025, and Axelar's file still has the number of the chain before.
 */
const CONFIRMATIONS: Readonly<Record<string, number>> = {
  immutable: 1,
  linea: 400,
  'linea-sepolia': 400,
  mantle: 9_000,
}

const withoutSlash = (url: string): string => url.replace(/\/$/, '')

const endpointsOf = (chain: AxelarChain, scan: ScanChain | undefined): readonly string[] => [
  ...new Set(
    [chain.rpc, ...(scan?.endpoints?.rpc ?? [])]
      .filter((url) => isPublicPlace(url) && !holdsKey(url))
      .map(withoutSlash),
  ),
]

/** The endpoints of Axelar's sources with those that the public list of EVM chains adds. */
const allEndpointsOf = (
  { chainList }: Sources,
  { chainType, chainId }: AxelarChain,
  { known, symbol }: { readonly known: readonly string[]; readonly symbol: string },
): Pick<SyncedChain, 'listed' | 'unlisted'> & { readonly rpcUrls: string[] } => {
  const listed =
    chainType === 'evm' && chainId !== undefined
      ? listedEndpoints(chainList, { chainNumber: chainId, symbol, known })
      : { urls: [] }
  const added = 'urls' in listed ? listed.urls.map(withoutSlash) : []
  return {
    rpcUrls: [...alternateOperators(known), ...added],
    listed: added.length,
    unlisted: 'reason' in listed ? listed.reason : undefined,
  }
}

/** The number that an entry's name ends with: of two entries with one chain id the higher is the newer. */
const generationOf = (axelarId: string): number => Number(/-(\d+)$/.exec(axelarId)?.[1] ?? 1)

const hasTokenService = ({ contracts }: AxelarChain): boolean =>
  contracts.InterchainTokenService !== undefined

/** Whether the second entry of one chain id takes the place of the first: it has a token service, and is newer. */
const replaces = (second: AxelarChain, first: AxelarChain): boolean =>
  hasTokenService(second) === hasTokenService(first)
    ? generationOf(second.axelarId) > generationOf(first.axelarId)
    : hasTokenService(second)

const identityOf = (
  chain: AxelarChain,
  network: Sources['network'],
): Pick<ChainEntry, 'chainId' | 'chainType' | 'passphrase'> | undefined => {
  const { chainType, chainId } = chain
  if (chainType === 'evm' && chainId !== undefined) return { chainId: `eip155:${chainId}`, chainType: 'evm' }
  if (chainType === 'svm') return { chainId: SOLANA[network], chainType: 'solana' }
  return chainType === 'stellar' ? { ...STELLAR[network], chainType: 'stellar' } : undefined
}

/** Chains that charge for data on the chain below, by Axelar name without the number of a test network. */
const L1_FEES: Readonly<Record<string, NonNullable<ChainEntry['l1Fee']>>> = {
  arbitrum: 'arbitrum',
  'arbitrum-sepolia': 'arbitrum',
  base: 'op-stack',
  'base-sepolia': 'op-stack',
  blast: 'op-stack',
  'blast-sepolia': 'op-stack',
  fraxtal: 'op-stack',
  mantle: 'mantle',
  'mantle-sepolia': 'mantle',
  optimism: 'op-stack',
  'optimism-sepolia': 'op-stack',
  scroll: 'scroll',
}

/** The chain's Axelar name in lower case, without the number of a newer entry. */
const nameOf = ({ axelarId }: AxelarChain): string => axelarId.toLowerCase().replace(/-\d+$/, '')

const ownRulesOf = (chain: AxelarChain): OwnRules | undefined =>
  chain.chainType === 'evm' ? OWN_RULES[nameOf(chain)] : undefined

/** By our own table; a larger number of Axelar's takes the place of ours. */
const finalityOf = (chain: AxelarChain): ChainEntry['finality'] => {
  const own = chain.chainType === 'evm' ? CONFIRMATIONS[nameOf(chain)] : undefined
  if (own === undefined) return 'finalized'
  return /^\d{1,9}$/.test(chain.finality) ? Math.max(own, Number(chain.finality)) : own
}

const gasOf = (chain: AxelarChain): Pick<ChainEntry, 'gasScale' | 'tokenStandard'> => {
  const { gasScale, tokenStandard } = ownRulesOf(chain) ?? {}
  return {
    ...(gasScale === undefined ? {} : { gasScale }),
    ...(tokenStandard === undefined ? {} : { tokenStandard }),
  }
}

const axelarOf = (sources: Sources, chain: AxelarChain): NonNullable<ChainEntry['axelar']> | undefined => {
  const { AxelarGateway, AxelarGasService, InterchainTokenService, InterchainTokenFactory } = chain.contracts
  const canonical = (contract: { readonly address: string } | undefined): string | undefined =>
    contract === undefined || !isEvmAddress(contract.address)
      ? undefined
      : evmAddressRules.parseRecipient(contract.address)
  const [gateway, gasService] = [canonical(AxelarGateway), canonical(AxelarGasService)]
  const [its, itsFactory] = [canonical(InterchainTokenService), canonical(InterchainTokenFactory)]
  if (chain.chainType !== 'evm' || gateway === undefined || gasService === undefined) return undefined
  return {
    name: chain.axelarId,
    connectionType: AxelarGateway?.connectionType === 'consensus' ? 'consensus' : 'amplifier',
    gateway,
    gasService,
    ...(its === undefined ? {} : { its }),
    ...(itsFactory === undefined ? {} : { itsFactory }),
    finalitySeconds: Math.ceil(chain.approxFinalityWaitTime * 60),
    executeGasLimit: ownRulesOf(chain)?.executeGasLimit ?? EXECUTE_GAS_LIMIT,
    ...hubLimitsOf(sources.config, chain.axelarId),
  }
}

/** Axelar's contracts on a chain of another family, which receives interchain tokens; a Solana chain sends them too. */
const receiverOf = (
  { config }: Sources,
  chain: AxelarChain,
  identity: Pick<ChainEntry, 'chainId' | 'chainType' | 'passphrase'>,
): ChainEntry['tokenReceiver'] => {
  const { chainId, chainType, passphrase } = identity
  if (chainType === 'evm') return undefined
  const { parseRecipient } = addressRulesOf([{ chainId, passphrase }])[chainType]
  const { AxelarGateway, AxelarGasService, InterchainTokenService } = chain.contracts
  const [gateway, gasService, its] = [AxelarGateway, AxelarGasService, InterchainTokenService].map(
    (contract) => (contract === undefined ? undefined : parseRecipient(contract.address)),
  )
  if (gateway === undefined || gasService === undefined || its === undefined) return undefined
  const bits = hubLimitsOf(config, chain.axelarId)?.maxUintBits
  return {
    name: chain.axelarId,
    ...{ gateway, its },
    ...(chainType === 'solana' ? { gasService } : {}),
    finalitySeconds: Math.ceil(chain.approxFinalityWaitTime * 60),
    executeGasLimit: RECEIVER_GAS_LIMIT,
    ...(bits === undefined ? {} : { maxUintBits: bits }),
  }
}

const whyUnserved = (
  chain: AxelarChain,
  service: { readonly its?: string | undefined } | undefined,
): string | undefined =>
  service?.its === undefined ? `${chain.name} has no interchain token service` : undefined

const scanChainOf = ({ chains }: Sources, { axelarId }: AxelarChain): ScanChain | undefined => {
  const name = axelarId.toLowerCase()
  return chains.evm[name] ?? chains.amplifier[name]
}

/** The native asset's symbol: Axelarscan's follows renamings. */
const nativeTokenOf = (chain: AxelarChain, scan: ScanChain | undefined): ChainEntry['nativeToken'] => {
  const told = scan?.native_token
  const valueDecimals = ownRulesOf(chain)?.valueDecimals
  return {
    symbol: told !== undefined && told.decimals === chain.decimals ? told.symbol : chain.tokenSymbol,
    decimals: chain.decimals,
    ...(valueDecimals === undefined ? {} : { valueDecimals }),
  }
}

/** Whether a text is a path: behind a host's name other texts name another host. */
const isPath = (text: string | undefined): boolean => /^\/[\w./-]*$/.test(text ?? '')

const syncChain = (sources: Sources, chain: AxelarChain): SyncedChain | LeftOut => {
  const scan = scanChainOf(sources, chain)
  const identity = identityOf(chain, sources.network)
  const entry = `chain ${chain.axelarId}`
  const ended = ENDED[sources.network][nameOf(chain)]
  if (ended !== undefined) return { entry, reason: ended }
  if (identity === undefined) return { entry, reason: `the service has no chains of type ${chain.chainType}` }
  const nativeToken = nativeTokenOf(chain, scan)
  const { symbol } = nativeToken
  const known = endpointsOf(chain, scan)
  const { rpcUrls, ...listing } = allEndpointsOf(sources, chain, { known, symbol })
  if (rpcUrls.length === 0) return { entry, reason: 'it has no public endpoint' }
  const explorerUrl = [chain.explorer?.url, scan?.explorer?.url].find((url) => isPublicPlace(url ?? ''))
  const nativeName = scan?.native_token?.name ?? chain.tokenSymbol
  if (![chain.name, symbol, nativeName].every(isShownWhole))
    return { entry, reason: 'a name or symbol is too long or has characters that are not shown' }
  const axelar = axelarOf(sources, chain)
  const tokenReceiver = receiverOf(sources, chain, identity)
  const unserved = whyUnserved(chain, axelar ?? tokenReceiver)
  const l1Fee = L1_FEES[nameOf(chain)]
  const made = NetworkChain.safeParse({
    ...identity,
    chainLabel: chain.name,
    nativeToken,
    ...(isPath(scan?.image) ? { logoUrl: `${PICTURES}${scan?.image}` } : {}),
    ...(explorerUrl === undefined ? {} : { explorerUrl: withoutSlash(explorerUrl) }),
    rpcUrls,
    finality: finalityOf(chain),
    ...(l1Fee === undefined ? {} : { l1Fee }),
    ...gasOf(chain),
    ...(axelar === undefined || unserved !== undefined ? {} : { axelar }),
    ...(tokenReceiver === undefined || unserved !== undefined ? {} : { tokenReceiver }),
  })
  if (!made.success) return { entry, reason: `it is malformed: ${made.error.issues[0]?.message}` }
  return { entry: made.data, source: chain, nativeName, unserved, ...listing }
}

/** The chains of the generated file in the order of their source, and those that it cannot hold. */
export const syncChains = (
  sources: Sources,
): { readonly chains: readonly SyncedChain[]; readonly leftOut: readonly LeftOut[] } => {
  const chains = new Map<string, SyncedChain>()
  const leftOut: LeftOut[] = []
  const replaced = (old: SyncedChain, by: SyncedChain): void => {
    leftOut.push({
      entry: `chain ${old.source.axelarId}`,
      reason: `${by.source.axelarId} is the newer entry of ${by.entry.chainId}`,
    })
  }
  const named = Map.groupBy(Object.values(sources.config.chains), ({ axelarId }) => axelarId.toLowerCase())
  const hub = sources.config.axelar.axelarId.toLowerCase()
  for (const source of Object.values(sources.config.chains)) {
    const name = source.axelarId.toLowerCase()
    const isAlone = name !== hub && named.get(name)?.length === 1
    const made: SyncedChain | LeftOut = isAlone
      ? syncChain(sources, source)
      : { entry: `chain ${source.axelarId}`, reason: 'another chain has its name' }
    if ('reason' in made) {
      leftOut.push(made)
      continue
    }
    const first = chains.get(made.entry.chainId)
    if (first !== undefined && !replaces(source, first.source)) {
      replaced(made, first)
      continue
    }
    if (first !== undefined) replaced(first, made)
    chains.set(made.entry.chainId, made)
  }
  const unlisted = [...chains.values()].flatMap(({ entry, unlisted: reason }) =>
    reason === undefined ? [] : [{ entry: `endpoints of ${entry.chainLabel}`, reason }],
  )
  return { chains: [...chains.values()], leftOut: [...leftOut, ...unlisted] }
}
