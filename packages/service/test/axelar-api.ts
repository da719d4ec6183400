import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { startLocalServer } from './local-server.ts'

/** Fields of a request's query or body. */
type Fields = Readonly<Record<string, unknown>>

/** Axelar's public servers in one. */
export type AxelarApi = {
  readonly url: string
  /** Requests by path; `asked` keeps the fields of each. */
  readonly asked: { readonly path: string; readonly fields: Fields }[]
  /** Records of searchGMP by message id. */
  readonly messages: Map<string, object>
  /** Decimals of interchain tokens at the hub, by a chain's Axelar name, a space and the token id in lower case. */
  readonly hubDecimals: Map<string, number>
  /** Chains without fees: every request about one is refused with status 400. */
  readonly unserved: Set<string>
  /** The chains that axelar-core has activated, by their Axelar names. */
  activeChains: readonly string[]
  /** What the REST node says it runs. */
  coreVersion: string
  latencyMs: number
  isDead: boolean
  readonly stop: () => void
}

const token = (symbol: string, usd: number, gasPrice: string) => ({
  contract_address: `0x${'0'.repeat(40)}`,
  symbol,
  name: symbol,
  decimals: 18,
  token_price: { usd },
  gas_price: gasPrice,
})

/** The answer of getFees in the recorded shape, between two chains of equal prices. Source: axelarjs-sdk's recordings. */
const fees = (method: string, params: Fields) => ({
  method,
  params,
  result: {
    base_fee: 0.000418869692086198,
    source_base_fee: 0.000418869692086198,
    source_base_fee_string: '0.000418869692086198',
    source_base_fee_usd: 0.7,
    destination_base_fee: 0.000418869692086198,
    destination_base_fee_string: '0.000418869692086198',
    source_confirm_fee: 0.0000021,
    express_supported: false,
    express_fee: 0,
    express_fee_string: '0',
    source_express_fee: {
      relayer_fee: 0,
      relayer_fee_usd: 0,
      express_gas_overhead_fee: 0,
      total: 0,
      total_usd: 0,
    },
    execute_gas_multiplier: 1.1,
    execute_min_gas_price: '0',
    source_token: token('ETH', 1674.72, '0.000000001893353954513'),
    destination_native_token: token('ETH', 1674.72, '0.000000001893353954513'),
    ethereum_token: token('ETH', 1674.72, '0.000000001893353954513'),
    axelar_token: { symbol: 'AXL', name: 'Axelar', decimals: 6, token_price: { usd: 0.5 } },
  },
  time_spent: 310,
})

/** A fee above 2^53 as a JSON number, which Axelarscan writes as text only now and then. */
const ITS_FEE = '1876752237061208000'

const findMessages = (messages: ReadonlyMap<string, object>, { messageId }: Fields) => {
  const found = [messages.get(String(messageId))].filter((one) => one !== undefined)
  return { data: found, total: found.length, time_spent: 120 }
}

const SMART_QUERY = /^\/cosmwasm\/wasm\/v1\/contract\/[a-z0-9]+\/smart\/(.+)$/

const HubQuery = z.union([
  z.object({ token_instance: z.object({ chain: z.string(), token_id: z.string() }) }),
  z.object({ its_chain: z.object({ chain: z.string() }) }),
  z.object({ chain_info: z.string() }),
  z.object({ is_enabled: z.object({}) }),
])

/** The hub and the router, enabled and with no frozen chain; every token that it has is untracked. */
const askHub = ({ hubDecimals }: AxelarApi, query: z.infer<typeof HubQuery>): unknown => {
  if ('is_enabled' in query) return true
  if ('chain_info' in query) return { name: query.chain_info, frozen_status: 0 }
  if ('its_chain' in query)
    return {
      ...{ chain: query.its_chain.chain, its_edge_contract: '0x', frozen: false },
      truncation: { max_uint_bits: 256, max_decimals_when_truncating: 255 },
    }
  const { chain, token_id } = query.token_instance
  const decimals = hubDecimals.get(`${chain} 0x${token_id}`)
  return decimals === undefined ? null : { supply: 'untracked', decimals }
}
const TOKEN_INFO = '/axelar/evm/v1beta1/token_info/'

const answer = (api: AxelarApi, path: string, fields: Fields): unknown => {
  const [, query] = SMART_QUERY.exec(path) ?? []
  if (query !== undefined) {
    const text = Buffer.from(decodeURIComponent(query), 'base64').toString('utf8')
    return { data: askHub(api, HubQuery.parse(JSON.parse(text))) }
  }
  const method = path.slice(path.lastIndexOf('/') + 1)
  const answers: Readonly<Record<string, () => unknown>> = {
    '/gmp/getFees': () => fees(method, fields),
    '/gmp/getGasPrice': () => fees(method, fields),
    '/gmp/estimateITSFee': () => ITS_FEE,
    '/gmp/searchGMP': () => findMessages(api.messages, fields),
    '/gmp/estimateTimeSpent': () => [],
    '/gmp/getContracts': () => ({ gateway_contracts: {}, gas_service_contracts: {}, time_spent: 3 }),
    '/gmp/getConfigurations': () => ({ chains: {}, time_spent: 3 }),
    '/cosmos/base/tendermint/v1beta1/node_info': () => ({
      default_node_info: { network: 'axelar-dojo-1' },
      application_version: { name: 'axelar', app_name: 'axelard', version: api.coreVersion },
    }),
    '/axelar/evm/v1beta1/chains': () => ({ chains: api.activeChains }),
  }
  return path.startsWith(TOKEN_INFO) ? { symbol: fields['symbol'], confirmed: true } : answers[path]?.()
}

const send = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Starts Axelarscan and Axelar's REST node on one address; they answer after 310 ms, as recorded. */
export const startAxelarApi = async (): Promise<AxelarApi> => {
  const { url, stop } = await startLocalServer(async ({ url: path, body }, response) => {
    const { pathname, searchParams } = new URL(path, 'http://axelar')
    const fields: Fields = {
      ...Object.fromEntries(searchParams),
      ...(body === '' ? {} : Object(JSON.parse(body))),
    }
    if (api.isDead) {
      response.destroy()
      return
    }
    api.asked.push({ path: pathname, fields })
    await sleep(api.latencyMs, undefined, { ref: false })
    const chains = [fields['sourceChain'], fields['destinationChain']]
    if (chains.some((chain) => api.unserved.has(String(chain))))
      send(response, 400, { error: true, message: 'no fees for this pair' })
    else {
      const said = answer(api, pathname, fields)
      send(response, said === undefined ? 404 : 200, said ?? { error: true, message: 'method not found' })
    }
  })
  const api: AxelarApi = {
    url,
    stop,
    asked: [],
    messages: new Map(),
    hubDecimals: new Map(),
    unserved: new Set(),
    activeChains: [],
    coreVersion: '1.5.0',
    latencyMs: 310,
    isDead: false,
  }
  return api
}
