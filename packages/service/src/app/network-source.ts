import type { Log } from '../core/log.ts'
import { Network } from '../core/network.ts'
import type { ExtraEndpoint } from '../http/extra-endpoints.ts'
import type { Config } from './config.ts'

/** The world the service runs against: configured, or the sandbox with its controls. */
export type NetworkSource = {
  readonly network: Network
  readonly endpoints: readonly ExtraEndpoint[]
  /** Of an account that may submit refunds, unless the operator names another. */
  readonly keeperPrivateKey: string | undefined
  /** What signs for the vault on each ledger, by chain, unless the operator names others. */
  readonly vaultSecrets: ReadonlyMap<string, string>
  /** Tells the world where the service listens. */
  readonly connect: (serviceUrl: string) => Promise<void>
  readonly stop: () => Promise<void>
}

/** The configured network, or a sandbox that is started; its libraries are loaded only then. */
export const openNetworkSource = async (config: Config, log: Log): Promise<NetworkSource> => {
  if (config.network !== undefined)
    return {
      network: config.network,
      endpoints: [],
      keeperPrivateKey: undefined,
      vaultSecrets: new Map(),
      connect: () => Promise.resolve(),
      stop: () => Promise.resolve(),
    }
  const { startSandbox } = await import('@openrfq/sandbox/src/index.ts')
  const sandbox = await startSandbox({ log, now: Date.now, withPaymentChains: config.withPaymentChains })
  return { ...sandbox, network: Network.parse(sandbox.network) }
}
