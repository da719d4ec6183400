import type { z } from 'zod'
import type { Log } from '../core/log.ts'
import type { Network } from '../core/network.ts'
import { startChains } from './chains.ts'
import { GATEWAY_PLANS } from './deploy/plan.ts'
import { type SandboxEndpoint, sandboxEndpoints } from './endpoints.ts'
import { RELAYER, SIGNER_SET } from './keys.ts'
import { describeNetwork } from './network.ts'
import { createRelayer } from './relayer/index.ts'
import { type RpcProxy, startRpcProxy } from './rpc-proxy.ts'

/** A running sandbox: the network it offers a service, its HTTP controls, and its end. */
export type Sandbox = {
  readonly network: z.input<typeof Network>
  readonly endpoints: readonly SandboxEndpoint[]
  readonly stop: () => Promise<void>
}

/** Confirmations that the relayer waits for, so that a transfer is seen on its way. */
const RELAYER_CONFIRMATIONS = 2

/** What was started, ended in reverse order; one failure does not keep the others running. */
const createStack = () => {
  const stops: (() => Promise<void>)[] = []
  return {
    add: <Part extends { readonly stop: () => Promise<void> }>(part: Part): Part => {
      stops.push(() => part.stop())
      return part
    },
    stop: async (): Promise<void> => {
      for (const stop of stops.splice(0).reverse()) await stop().catch(() => undefined)
    },
  }
}

const start = async (
  { log, now }: { readonly log: Log; readonly now: () => number },
  stack: ReturnType<typeof createStack>,
): Promise<Omit<Sandbox, 'stop'>> => {
  const running = stack.add(await startChains({ log, now }))
  const { world, chains } = running
  const proxies = new Map<string, RpcProxy>()
  for (const { chainId, rpcUrl } of chains) proxies.set(chainId, stack.add(await startRpcProxy(rpcUrl)))
  const relayer = stack.add(
    createRelayer({
      chains,
      assets: GATEWAY_PLANS.map(({ asset }) => asset),
      signerSet: SIGNER_SET,
      relayerKey: RELAYER.privateKey,
      log,
      now,
      confirmations: RELAYER_CONFIRMATIONS,
    }),
  )
  const { url } = await relayer.start()
  return {
    network: describeNetwork(world, (chainId) => proxies.get(chainId)?.url ?? '', url),
    endpoints: sandboxEndpoints({ running, proxies, relayer }),
  }
}

/**
 * Starts three EVM chains with Axelar's contracts and tokens, a relayer that plays Axelar, and the controls over both.
 * The chains end with this process, however it ends. Throws when anvil is missing; nothing is left running then.
 */
export const startSandbox = async (options: {
  readonly log: Log
  readonly now: () => number
}): Promise<Sandbox> => {
  const stack = createStack()
  try {
    return { ...(await start(options, stack)), stop: stack.stop }
  } catch (cause) {
    await stack.stop()
    throw cause
  }
}
