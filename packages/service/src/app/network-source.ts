import type { EvmPrivateKey } from '../core/evm-private-key.ts'
import { Network } from '../core/network.ts'
import type { ExtraEndpoint } from '../http/extra-endpoints.ts'

/** Where the service's network comes from: an operator's network file, or a sandbox with its controls. */
export type NetworkSource = {
  readonly network: Network
  readonly endpoints: readonly ExtraEndpoint[]
  /** The key of an account that may submit refunds, unless the operator configures another. */
  readonly keeperPrivateKey: EvmPrivateKey | undefined
  /** The secrets of accounts that may submit refunds on Solana, by chain, unless the operator configures others. */
  readonly keeperSecrets: ReadonlyMap<string, string>
  /** The secrets of the vaults by chain, unless the operator configures others. */
  readonly vaultSecrets: ReadonlyMap<string, string>
  /** Origins of a sandbox's nodes, which the pages connect to; none without one. */
  readonly sandboxOrigins: readonly string[]
  /** Lines that the service prints below its address once it listens. */
  readonly notices: (serviceUrl: string) => readonly string[]
  /** Notifies the source of the service's address. */
  readonly connect: (serviceUrl: string) => Promise<void>
  readonly stop: () => Promise<void>
}

/** A configured network: nothing to start or stop. */
export const configuredNetwork = (network: Network): NetworkSource => ({
  network: Network.parse(network),
  endpoints: [],
  keeperPrivateKey: undefined,
  keeperSecrets: new Map(),
  vaultSecrets: new Map(),
  sandboxOrigins: [],
  notices: () => [],
  connect: () => Promise.resolve(),
  stop: () => Promise.resolve(),
})
