import { z } from 'zod'
import {
  AXELARNET_GATEWAY,
  HUB,
  type ReceivingChain,
  ROUTER,
  type SandboxChain,
} from '../deployment-types.ts'
import type { HubState } from './hub-state.ts'
import type { Message } from './message.ts'
import type { RelayHistory } from './relay-history.ts'
import type { Method, ScanError } from './scan.ts'

/** Where a node of Axelar answers queries of contracts; the address, `smart` and the query follow. */
export const SMART_QUERY = '/cosmwasm/wasm/v1/contract/'

type QueryDeps = {
  readonly hub: HubState
  readonly chains: readonly SandboxChain[]
  readonly receivers: readonly ReceivingChain[]
  readonly history: Pick<RelayHistory, 'messages'>
}

/** An answer of a contract, or the text of its error. */
type Answer = { readonly data: unknown } | { readonly error: string }

const NONE = z.strictObject({})
const HubQuery = z.union([
  z.strictObject({ is_enabled: NONE }),
  z.strictObject({ its_chain: z.strictObject({ chain: z.string() }) }),
  z.strictObject({ token_instance: z.strictObject({ chain: z.string(), token_id: z.string() }) }),
  z.strictObject({ token_config: z.strictObject({ token_id: z.string() }) }),
])
const RouterQuery = z.union([
  z.strictObject({ is_enabled: NONE }),
  z.strictObject({ chain_info: z.string() }),
])
const GatewayQuery = z.strictObject({
  executable_messages: z.strictObject({
    cc_ids: z.array(z.strictObject({ source_chain: z.string(), message_id: z.string() })),
  }),
})

const INVALID: Answer = { error: 'Error parsing into type: unknown variant' }
/** Both directions of a chain. Source: axelar-amplifier, router GatewayDirection. */
const FROZEN = 3

const askHub = ({ hub, chains, receivers }: QueryDeps, message: unknown): Answer => {
  const query = HubQuery.safeParse(message).data
  if (query === undefined) return INVALID
  if ('is_enabled' in query) return { data: !hub.has('hub_disabled') }
  if ('its_chain' in query) {
    const { chain: name } = query.its_chain
    const chain = [...chains, ...receivers].find(({ axelarName }) => axelarName === name)
    if (chain === undefined) return { data: null }
    return {
      data: {
        chain: name,
        its_edge_contract: chain.its,
        truncation: {
          max_uint_bits: chain.maxUintBits,
          max_decimals_when_truncating: chain.maxDecimalsWhenTruncating,
        },
        frozen: hub.has('hub_frozen', { chain: name }),
        msg_translator: HUB.address,
      },
    }
  }
  if ('token_config' in query) {
    const origin = hub.originOf(`0x${query.token_config.token_id}`)
    return { data: origin === undefined ? null : { origin_chain: origin } }
  }
  const { chain, token_id } = query.token_instance
  const instance = hub.instanceOf(chain, `0x${token_id}`)
  if (instance === undefined) return { data: null }
  const { supply, decimals } = instance
  return { data: { supply: supply === 'untracked' ? supply : { tracked: `${supply}` }, decimals } }
}

/** The router knows amplifier chains alone, whose names it has in lower case. */
const askRouter = ({ hub, receivers }: QueryDeps, message: unknown): Answer => {
  const query = RouterQuery.safeParse(message).data
  if (query === undefined) return INVALID
  if ('is_enabled' in query) return { data: !hub.has('router_disabled') }
  const chain = receivers.find(({ axelarName }) => axelarName.toLowerCase() === query.chain_info)
  if (chain === undefined) return { error: 'chain is not found' }
  return {
    data: {
      name: query.chain_info,
      gateway: { address: AXELARNET_GATEWAY },
      frozen_status: hub.has('router_frozen', { chain: chain.axelarName }) ? FROZEN : 0,
      msg_id_format: 'hex_tx_hash_and_event_index',
    },
  }
}

const executable = ({ id, call, executed }: Message) => ({
  [executed === null ? 'approved' : 'executed']: {
    cc_id: { source_chain: call.source, message_id: id },
    source_address: call.sender,
    destination_chain: call.destination,
    destination_address: call.destinationAddress,
    payload_hash: call.payloadHash.slice(2),
  },
})

const askGateway = ({ history }: QueryDeps, message: unknown): Answer => {
  const query = GatewayQuery.safeParse(message).data
  if (query === undefined) return INVALID
  const found = query.executable_messages.cc_ids.map(({ source_chain, message_id }) => {
    const known = history.messages.get(message_id)
    const isHere = known?.call.source === source_chain && known.call.destination === HUB.chain
    return isHere && known.approved !== null ? executable(known) : `${source_chain}_${message_id}`
  })
  const missing = found.find((one) => typeof one === 'string')
  return missing === undefined ? { data: found } : { error: `message with ID ${missing} not approved` }
}

const CONTRACTS: ReadonlyMap<string, (deps: QueryDeps, message: unknown) => Answer> = new Map([
  [HUB.address, askHub],
  [ROUTER, askRouter],
  [AXELARNET_GATEWAY, askGateway],
])

const refusal = (message: string): ScanError => ({
  refused: true,
  status: 500,
  body: { code: 2, message: `codespace wasm code 9: query wasm contract failed: ${message}`, details: [] },
})

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Answers queries of the hub, the router and the gateway before it as a node of Axelar does. Source: CosmWasm `QuerySmartContractState`. */
export const smartQuery =
  (deps: QueryDeps): Method =>
  ({ rest }) => {
    const [address = '', kind, encoded = ''] = String(rest).split('/')
    const ask = CONTRACTS.get(address)
    if (ask === undefined || kind !== 'smart') return refusal('no such contract')
    const query = Buffer.from(decodeURIComponent(encoded), 'base64').toString('utf8')
    const answer = ask(deps, parseJson(query))
    return 'error' in answer ? refusal(answer.error) : answer
  }
