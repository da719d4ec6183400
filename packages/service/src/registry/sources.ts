import { z } from 'zod'
import { type ChainList, isPublicPlace } from './chain-list.ts'

const text = z.string().min(1)
/** Where the service will ask: never a place of the operator's own network. */
const PublicPlace = z.string().refine(isPublicPlace, 'expected an https:// address at a public name')
const Contract = z.object({ address: text })

/** A chain in Axelar's chain configuration. */
export const AxelarChain = z.object({
  name: text,
  /** The case-sensitive registered chain name. */
  axelarId: text,
  /** The number of an EVM chain. */
  chainId: z.int().positive().optional(),
  rpc: z.string(),
  tokenSymbol: text,
  decimals: z.int().min(0).max(36),
  chainType: text,
  /** `finalized`, or a number of confirmations as text. */
  finality: text,
  /** Minutes. */
  approxFinalityWaitTime: z.number().min(0),
  explorer: z.object({ url: z.string() }).optional(),
  contracts: z.object({
    AxelarGateway: Contract.extend({
      connectionType: z.enum(['consensus', 'amplifier']).optional(),
    }).optional(),
    AxelarGasService: Contract.optional(),
    InterchainTokenService: Contract.optional(),
    InterchainTokenFactory: Contract.optional(),
  }),
})
export type AxelarChain = z.infer<typeof AxelarChain>

/** The hub's limits for one chain. */
const HubLimits = z.object({
  // Two to the power of it is computed for a quote.
  maxUintBits: z.int().positive().max(256),
  maxDecimalsWhenTruncating: z.int().min(0),
})

/**
 * Axelar's chain configuration. Source: axelar-contract-deployments, `axelar-chains-config/info`.
 */
export const AxelarConfig = z.object({
  chains: z.record(z.string(), AxelarChain),
  axelar: z.object({
    axelarId: text,
    lcd: PublicPlace,
    axelarscanApi: PublicPlace,
    contracts: z.object({
      InterchainTokenService: z.object({ address: text }).catchall(z.union([HubLimits, z.unknown()])),
      Router: Contract.optional(),
      AxelarnetGateway: Contract.optional(),
    }),
  }),
})
export type AxelarConfig = z.infer<typeof AxelarConfig>

/** The limits that the hub keeps for a chain, by its registered name; undefined without any. */
export const hubLimitsOf = (
  { axelar }: AxelarConfig,
  axelarId: string,
): z.infer<typeof HubLimits> | undefined =>
  HubLimits.safeParse(axelar.contracts.InterchainTokenService[axelarId]).data

/** An interchain token on one chain. */
export const RegistryRow = z.object({
  axelarChainId: text,
  tokenAddress: text,
  symbol: text,
  name: text,
  /** Those of the token, unless given. */
  decimals: z.int().min(0).max(36).optional(),
  /** The program that owns a Solana mint. */
  tokenProgramId: z.string().optional(),
  deprecated: z.boolean().optional(),
})
export type RegistryRow = z.infer<typeof RegistryRow>

/** A token of the interchain token registry. */
export const RegistryToken = z.object({
  tokenId: z.string().regex(/^0x[0-9a-fA-F]{64}$/),
  deployer: z.string(),
  prettySymbol: text,
  decimals: z.int().min(0).max(36),
  originAxelarChainId: text,
  tokenType: text,
  deploySalt: z.string(),
  iconUrls: z.object({ svg: z.url() }).optional(),
  /** Empty for none. */
  coinGeckoId: z.string().optional(),
  disableInUI: z.boolean().optional(),
  chains: z.array(RegistryRow),
})
export type RegistryToken = z.infer<typeof RegistryToken>

/** The interchain token registry. Source: axelar-configs, `registry/<network>/interchain`. */
export const TokenRegistry = z.object({ tokens: z.record(z.string(), RegistryToken) })
export type TokenRegistry = z.infer<typeof TokenRegistry>

/** A chain as Axelarscan shows it. */
export const ScanChain = z.object({
  chain_id: z.int().positive().nullish(),
  endpoints: z.object({ rpc: z.array(z.string()).default([]) }).optional(),
  native_token: z.object({ name: text, symbol: text, decimals: z.int() }).optional(),
  /** A path of Axelarscan's own site. */
  image: z.string().optional(),
  explorer: z.object({ url: z.string().optional() }).optional(),
})
export type ScanChain = z.infer<typeof ScanChain>

/** Axelarscan's chains of one network, by group and name. Source: axelarscan-api, `config/chains.json`. */
export const ScanChains = z.object({
  evm: z.record(z.string(), ScanChain).default({}),
  amplifier: z.record(z.string(), ScanChain).default({}),
})
export type ScanChains = z.infer<typeof ScanChains>

/** An asset of Axelar's gateway contracts, with its address and symbol by Axelarscan's chain name. */
const ScanAsset = z.object({
  denom: text,
  name: text,
  symbol: text,
  decimals: z.int().min(0).max(36),
  image: z.string().optional(),
  coingecko_id: z.string().optional(),
  addresses: z.record(z.string(), z.object({ address: text.optional(), symbol: text.optional() })),
})

/** Axelarscan's gateway assets of one network by denom. Source: axelarscan-api, `config/assets.json`. */
export const ScanAssets = z.record(z.string(), ScanAsset)
export type ScanAssets = z.infer<typeof ScanAssets>

/** Axelar's networks; Axelarscan's files hold both. */
export const AxelarNetwork = z.enum(['mainnet', 'testnet'])
export type AxelarNetwork = z.infer<typeof AxelarNetwork>

/** Everything that a network file is generated from. */
export type Sources = {
  readonly network: AxelarNetwork
  readonly config: AxelarConfig
  readonly registry: TokenRegistry
  readonly chains: ScanChains
  readonly assets: ScanAssets
  readonly chainList: ChainList
}
