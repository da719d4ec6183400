import { createCatalog } from '../chains/catalog.ts'
import { operatorOfQuorum } from '../chains/rpc/operators.ts'
import { quorumOf } from '../chains/rpc/quorum.ts'
import { Network } from '../core/network.ts'
import type { LeftOut } from './left-out.ts'
import type { Sources } from './sources.ts'
import { type ChainEntry, syncChains } from './sync-chains.ts'
import {
  mergeTokens,
  nativeTokens,
  syncGatewayAssets,
  syncInterchainTokens,
  type TokenEntry,
} from './sync-tokens.ts'

/** A network file as `rfq network sync` writes it. */
export type NetworkFile = {
  readonly chains: readonly ChainEntry[]
  readonly tokens: readonly TokenEntry[]
  readonly axelar: {
    readonly scanUrl: string
    readonly lcdUrl: readonly string[]
    readonly hubChain: string
    readonly hubAddress: string
    readonly routerAddress?: string
    readonly gatewayAddress?: string
  }
}

/** Public REST nodes of other operators, by the one that Axelar's file names: without one `its`, the gateways and proofs stand still. */
const OTHER_NODES: Readonly<Record<string, readonly string[]>> = {
  'https://axelar-lcd.qubelabs.io': ['https://lcd-axelar.imperator.co'],
  'https://axelar-testnet-lcd.qubelabs.io': ['https://lcd-axelar-testnet.imperator.co'],
}

/**
 * Generates a network file: chains and tokens by identifier, so that the same sources always give the same file. Throws
 * ConfigError if the sources contradict themselves.
 */
export const syncNetwork = (
  sources: Sources,
  gatewayAssets: ReadonlySet<string>,
): {
  readonly file: NetworkFile
  readonly leftOut: readonly LeftOut[]
  /** The chains whose endpoints belong to one operator by majority, with the operator. */
  readonly ofOneOperator: readonly string[]
  /** The chains on which endpoints of the public list are a majority: they agree without the others. */
  readonly mostlyListed: readonly string[]
} => {
  const { chains, leftOut } = syncChains(sources)
  const interchain = syncInterchainTokens(sources, chains)
  const gateway = syncGatewayAssets(sources, chains, gatewayAssets)
  const tokens = mergeTokens(nativeTokens(chains), interchain.tokens, gateway.tokens)
  const { axelar } = sources.config
  const { InterchainTokenService, Router, AxelarnetGateway } = axelar.contracts
  const file: NetworkFile = {
    chains: chains.map(({ entry }) => entry).toSorted((one, other) => compare(one.chainId, other.chainId)),
    tokens: tokens.toSorted(
      (one, other) => compare(one.chainId, other.chainId) || compare(one.address, other.address),
    ),
    axelar: {
      scanUrl: axelar.axelarscanApi,
      lcdUrl: [axelar.lcd, ...(OTHER_NODES[axelar.lcd] ?? [])],
      hubChain: axelar.axelarId,
      hubAddress: InterchainTokenService.address,
      ...(Router === undefined ? {} : { routerAddress: Router.address }),
      ...(AxelarnetGateway === undefined ? {} : { gatewayAddress: AxelarnetGateway.address }),
    },
  }
  createCatalog(Network.parse(file))
  const ofOneOperator = file.chains.flatMap(({ chainLabel, rpcUrls }) => {
    const operator = operatorOfQuorum({ rpcUrls })
    return operator === undefined ? [] : [`${chainLabel} (${operator})`]
  })
  const mostlyListed = chains
    .toSorted((one, other) => compare(one.entry.chainId, other.entry.chainId))
    .filter(({ entry, listed }) => listed >= quorumOf(entry))
    .map(({ entry }) => entry.chainLabel)
  return {
    file,
    leftOut: [...leftOut, ...interchain.leftOut, ...gateway.leftOut],
    ofOneOperator,
    mostlyListed,
  }
}

/** By code units, which no locale changes; numbers of one namespace by value. */
const compare = (one: string, other: string): number =>
  one.length !== other.length && one.startsWith('eip155:') && other.startsWith('eip155:')
    ? one.length - other.length
    : one < other
      ? -1
      : Number(one > other)
