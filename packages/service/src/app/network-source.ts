import { Network } from '../core/network.ts'
import type { ExtraEndpoint } from '../http/extra-endpoints.ts'

/** Where the chains that a service serves come from: an operator's network file, or a sandbox with its controls. */
export type NetworkSource = {
  readonly network: Network
  readonly endpoints: readonly ExtraEndpoint[]
  /** Of an account that may submit refunds, unless the operator names another. */
  readonly keeperPrivateKey: string | undefined
  /** What signs for the vault on each ledger, by chain, unless the operator names others. */
  readonly vaultSecrets: ReadonlyMap<string, string>
  /** Lines that the service prints below its address when it listens there. */
  readonly notices: (serviceUrl: string) => readonly string[]
  /** Tells the source where the service listens. */
  readonly connect: (serviceUrl: string) => Promise<void>
  readonly stop: () => Promise<void>
}

/** The source of a network that an operator configured: nothing to start, nothing to stop. */
export const configuredNetwork = (network: Network): NetworkSource => ({
  network: Network.parse(network),
  endpoints: [],
  keeperPrivateKey: undefined,
  vaultSecrets: new Map(),
  notices: () => [],
  connect: () => Promise.resolve(),
  stop: () => Promise.resolve(),
})
