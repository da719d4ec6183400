import { evmChainNumberOf } from '@openrfq/sdk'
import type { BuiltChain } from '../deployment-types.ts'
import type { SimulatedChain } from '../simulated/simulated-chain.ts'
import { startEndpointServer } from './endpoint-server.ts'
import { createEvmRpc } from './evm/index.ts'
import type { OrderChain } from './evm/open-orders.ts'
import { type RpcEndpoints, startRpcEndpoints } from './index.ts'
import type { ChainRpc } from './rpc-family.ts'

/** The RPC of all chains of the sandbox. */
export type SandboxRpc = {
  /** By chain id. */
  readonly endpoints: ReadonlyMap<string, RpcEndpoints>
  /** By chain id, where wallets are given a URL of their own. */
  readonly walletUrls: ReadonlyMap<string, string>
  /** After the time has been moved: no endpoint is behind. */
  readonly settle: () => Promise<void>
  readonly stop: () => Promise<void>
}

type Options = {
  readonly chains: readonly BuiltChain[]
  readonly simulatedChains: readonly SimulatedChain[]
  readonly seed: number | undefined
}

const now = (): number => performance.now()

/** The libraries of a simulated chain are loaded with it alone. */
const simulatedRpc = async ({ chain, rpcUrl }: SimulatedChain): Promise<ChainRpc> => {
  if (chain.chainType === 'solana') {
    const { createSolanaRpc } = await import('./solana/index.ts')
    return createSolanaRpc({ rpcUrl, now })
  }
  const { createStellarRpc } = await import('./stellar/index.ts')
  return createStellarRpc({ rpcUrl, now })
}

type Started = Pick<SandboxRpc, 'endpoints' | 'walletUrls'>

const startAll = async (
  { chains, simulatedChains, seed }: Options,
  stops: (() => Promise<void>)[],
): Promise<Started> => {
  const endpoints = new Map<string, RpcEndpoints>()
  const walletUrls = new Map<string, string>()
  const orderChains: OrderChain[] = []

  const start = async (chainId: string, rpc: ChainRpc): Promise<void> => {
    const started = await startRpcEndpoints(rpc, { position: endpoints.size, seed, now })
    stops.push(started.stop)
    endpoints.set(chainId, started)
  }
  for (const chain of chains) {
    const rpc = createEvmRpc({
      rpcUrl: chain.rpcUrl,
      chainNumber: Number(evmChainNumberOf(chain.chainId)),
      settlers: [chain.settler, chain.attestedSettler],
      wrappedNative: chain.exchange.wrappedNative,
      seed,
      now,
      chains: () => orderChains,
    })
    orderChains.push(rpc.orders)
    await start(chain.chainId, rpc)
    const wallet = await startEndpointServer({
      answer: rpc.wallet,
      json: rpc.json,
      lie: () => 'none',
      isRestarting: () => false,
    })
    stops.push(wallet.stop)
    walletUrls.set(chain.chainId, wallet.url)
  }
  for (const simulatedChain of simulatedChains)
    await start(simulatedChain.chain.chainId, await simulatedRpc(simulatedChain))
  return { endpoints, walletUrls }
}

/**
 * Offers every chain through three endpoints, and EVM chains to wallets through a fourth. Leaves nothing running when
 * it throws.
 */
export const startSandboxRpc = async (options: Options): Promise<SandboxRpc> => {
  const stops: (() => Promise<void>)[] = []
  const stop = async (): Promise<void> => {
    await Promise.all(stops.map((end) => end()))
  }
  try {
    const { endpoints, walletUrls } = await startAll(options, stops)
    const settle = async (): Promise<void> => {
      await Promise.all([...endpoints.values()].map((chain) => chain.settle()))
    }
    return { endpoints, walletUrls, settle, stop }
  } catch (cause) {
    await stop()
    throw cause
  }
}
