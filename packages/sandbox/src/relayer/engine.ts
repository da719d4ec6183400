import type { Log } from 'openrfq/lib/log'
import type { Deployment } from '../deployment.ts'
import type { GatewayAsset, Hex, ReceivingChain, SandboxChain, SignerSet } from '../deployment-types.ts'
import {
  type ChainReader,
  createChainReader,
  readDecimals,
  readInterchainToken,
  readSupply,
} from './chain-reader.ts'
import type { CoreState } from './core-state.ts'
import { type Courier, createCourier } from './courier.ts'
import { forgetLost, noteEvents } from './follow.ts'
import type { RelayGas } from './gas.ts'
import type { TokenFacts, TokenReader } from './hub.ts'
import type { HubState } from './hub-state.ts'
import { registerTokens } from './register-tokens.ts'
import type { RelayHistory } from './relay-history.ts'
import { createRelayMessage } from './relay-message.ts'
import { createSender } from './sender.ts'
import { throughCore } from './through-core.ts'
import { createWatcher, type Watcher } from './watcher.ts'

type EngineDeps = {
  readonly chains: readonly SandboxChain[]
  readonly receivers?: readonly ReceivingChain[]
  readonly assets: readonly GatewayAsset[]
  readonly tokens: Deployment['tokens']
  readonly hub: HubState
  readonly signerSet: SignerSet
  readonly relayerKey: Hex
  readonly gas: RelayGas
  readonly core: CoreState
  readonly history: RelayHistory
  readonly confirmationsOf: (axelarName: string) => number
  readonly paused: () => boolean
  readonly log: Log
  readonly now: () => number
}

/** Watches the chains and carries messages between them; the caller drives both. */
export type Engine = {
  readonly followed: readonly { readonly chain: SandboxChain; readonly watcher: Watcher }[]
  readonly courier: Courier
  /** Registers the deployed interchain tokens with the hub. Rejects if a chain cannot be read. */
  readonly registerTokens: () => Promise<void>
}

const KEPT_TOKENS = 10_000

/** Caches interchain tokens, which never change. */
const cachedTokens = (
  readers: ReadonlyMap<SandboxChain, ChainReader>,
): TokenReader<SandboxChain | ReceivingChain> => {
  const known = new Map<string, TokenFacts>()
  return async (chain, tokenId) => {
    if ('deliver' in chain) return chain.tokens.get(tokenId.toLowerCase())
    const key = `${chain.chainId} ${tokenId}`
    const reader = readers.get(chain)
    const facts = known.get(key) ?? (reader && (await readInterchainToken(reader, tokenId)))
    if (known.size >= KEPT_TOKENS) known.clear()
    if (facts !== undefined) known.set(key, facts)
    return facts
  }
}

/** Connects a relayer's parts through one history. */
export const createEngine = (deps: EngineDeps): Engine => {
  const { chains, receivers = [], assets, signerSet, history, gas, hub, now, log } = deps
  const readers = new Map(chains.map((chain) => [chain, createChainReader(chain)]))
  const rollbacks = new Map<string, number>()
  const followed = [...readers].map(([chain, reader]) => ({
    chain,
    reader,
    watcher: createWatcher({
      reader,
      confirmations: deps.confirmationsOf(chain.axelarName),
      onEvents: (events) => noteEvents(events, { history, now }),
      onRollback: (firstLostBlock) => {
        log('info', 'relayer_reorg_seen', { chain: chain.chainId, from: Number(firstLostBlock) })
        rollbacks.set(chain.axelarName, (rollbacks.get(chain.axelarName) ?? 0) + 1)
        forgetLost(chain, firstLostBlock, history)
      },
    }),
  }))
  const destinations = new Map(
    followed.map(({ chain, reader, watcher }) => [
      chain.axelarName,
      { reader, sender: createSender(reader, deps.relayerKey), follow: watcher.follow },
    ]),
  )
  const readToken = cachedTokens(readers)
  const shared = { destinations, assets, signerSet, history, now }
  const courier = createCourier({
    history,
    relayMessage: throughCore(
      deps.core,
      now,
      createRelayMessage({
        ...{ ...shared, chains, receivers, gas, hub, readToken },
        readDecimals: async (chain, contract) => {
          const reader = 'deliver' in chain ? undefined : readers.get(chain)
          return reader && readDecimals(reader, contract)
        },
      }),
    ),
    rollbacksOf: (axelarName) => rollbacks.get(axelarName) ?? 0,
    paused: deps.paused,
    now,
    log,
  })
  return {
    followed,
    courier,
    registerTokens: () =>
      registerTokens(hub, {
        ...{ chains, receivers, tokens: deps.tokens },
        supplyOf: async (chain, contract) => {
          const reader = readers.get(chain)
          return reader === undefined ? 0n : readSupply(reader, contract)
        },
      }),
  }
}
