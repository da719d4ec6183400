import { createNodeClient } from '../node-client.ts'
import type { ChainRpc } from '../rpc-family.ts'
import { type AnswerCall, PLAIN_JSON } from '../rpc-message.ts'
import { createCompanion } from './companion.ts'
import { createEvmEndpoint } from './evm-endpoint.ts'
import { tellEvmLie } from './evm-lies.ts'
import { createEvmSource } from './evm-source.ts'
import { createForgedLogs } from './forged-logs.ts'
import type { OrderChain } from './open-orders.ts'

/** An EVM chain's RPC, with what a liar of any chain must know of this one. */
export type EvmRpc = ChainRpc & {
  /** Answers as the node does, and gives transactions company. */
  readonly wallet: AnswerCall
  readonly orders: OrderChain
}

type Options = {
  readonly rpcUrl: string
  readonly chainNumber: number
  readonly settlers: readonly [string, string]
  readonly wrappedNative: string
  readonly seed: number | undefined
  readonly now: () => number
  /** All EVM chains, this one included. */
  readonly chains: () => readonly OrderChain[]
}

/** How old the newest block may be that endpoints with lives of their own answer with. */
const REUSE_MS = 25

/** The RPC of an EVM chain. Without a seed endpoints are never late, and no transaction gets company. */
export const createEvmRpc = (options: Options): EvmRpc => {
  const { rpcUrl, chainNumber, settlers, wrappedNative, seed, now, chains } = options
  const node = createNodeClient(rpcUrl, PLAIN_JSON, true)
  const source = createEvmSource({ node, reuseMs: seed === undefined ? 0 : REUSE_MS, now })
  const send = seed === undefined ? node.ask : createCompanion({ node: node.ask, wrappedNative, seed })
  const [intent, attested] = settlers
  const orders: OrderChain = {
    chainNumber,
    settlers: [intent.toLowerCase(), attested.toLowerCase()],
    source,
  }
  return {
    json: PLAIN_JSON,
    orders,
    wallet: (call) => (call.method === 'eth_sendRawTransaction' ? send(call) : node.ask(call)),
    endpoint: ({ lateness }) => createEvmEndpoint({ source, lateness, now, send }),
    tell: (lie, { answer: honest, sightings }, { orderId }) =>
      tellEvmLie(lie, {
        honest,
        since: sightings.view(),
        forged: createForgedLogs({ honest, chain: orders, chains: chains(), orderId }),
      }),
    refresh: source.refresh,
    close: node.close,
  }
}
