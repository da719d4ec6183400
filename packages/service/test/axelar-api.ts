import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { startLocalServer } from './local-server.ts'

/** Fields of a request's query or body. */
type Fields = Readonly<Record<string, unknown>>

/** A `sendToken` that Axelarscan has indexed; amounts in whole tokens, as it writes them. */
export type IndexedTransfer = {
  readonly txHash: string
  readonly sourceChain: string
  readonly destinationChain: string
  readonly sender: string
  readonly recipient: string
  /** The source chain's gateway contract, to which the transaction went. */
  readonly gateway: string
  readonly denom: string
  readonly amount: number
  readonly fee: number
  /** Milliseconds; the recorded transfer's by default. */
  readonly sentAt?: number
  /** The mint on the destination, if it was executed. */
  readonly minted?: { readonly transferId: number; readonly txHash: string }
}

/** Axelar's public servers in one. */
export type AxelarApi = {
  readonly url: string
  /** Requests by path; `asked` keeps the fields of each. */
  readonly asked: { readonly path: string; readonly fields: Fields }[]
  readonly transfers: IndexedTransfer[]
  /** Records of searchGMP by message id. */
  readonly messages: Map<string, object>
  /** Chains without fees: every request about one is refused with status 400. */
  readonly unserved: Set<string>
  latencyMs: number
  isDead: boolean
  readonly stop: () => void
}

const time = { ms: 1_791_114_977_000, hour: 1_791_111_600_000, day: 1_791_072_000_000 }

/**
 * A record of searchTransfers in the recorded shape: `send.recipient_address` is the contract that the transaction went
 * to, `link.recipient_address` the recipient. Source: api.axelarscan.io, 2026-10-04.
 */
const transferRecord = ({ minted, sentAt = time.ms, ...transfer }: IndexedTransfer) => {
  const { txHash: txhash, sourceChain, destinationChain, sender, recipient, gateway, denom } = transfer
  const pair = {
    source_chain: sourceChain.toLowerCase(),
    destination_chain: destinationChain.toLowerCase(),
    sender_address: sender,
    denom,
  }
  const about = { txhash, height: 52_076_981, created_at: { ...time, ms: sentAt }, ...pair }
  return {
    link: { ...about, type: 'gateway', recipient_address: recipient, asset: denom, price: 0.999945 },
    send: {
      ...about,
      status: 'success',
      type: 'evm',
      recipient_address: gateway,
      amount: transfer.amount,
      value: transfer.amount * 0.999945,
      fee: transfer.fee,
      insufficient_fee: transfer.amount <= transfer.fee,
      amount_received: Math.max(0, transfer.amount - transfer.fee),
      fee_value: transfer.fee * 0.999945,
    },
    type: 'send_token',
    time_spent: { total: 24_287 },
    id: `${txhash}_${sourceChain.toLowerCase()}`,
    ...(minted === undefined
      ? { status: 'asset_sent', simplified_status: 'sent' }
      : {
          transfer_id: minted.transferId,
          vote: { success: true, poll_id: '1', transfer_id: minted.transferId },
          command: {
            command_id: minted.transferId.toString(16).padStart(64, '0'),
            executed: true,
            transactionHash: minted.txHash,
            block_timestamp: 1_791_115_977,
          },
          status: 'executed',
          simplified_status: 'received',
        }),
  }
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

const findTransfers = (
  transfers: readonly IndexedTransfer[],
  { txHash, asset, destinationChain }: Fields,
) => {
  const found = transfers.filter(
    (one) =>
      (txHash === undefined || one.txHash === txHash) &&
      (asset === undefined || one.denom === asset) &&
      (destinationChain === undefined || one.destinationChain === destinationChain),
  )
  return { data: found.map(transferRecord), total: found.length, time_spent: 149 }
}

const findMessages = (messages: ReadonlyMap<string, object>, { messageId }: Fields) => {
  const found = [messages.get(String(messageId))].filter((one) => one !== undefined)
  return { data: found, total: found.length, time_spent: 120 }
}

const answer = (api: AxelarApi, path: string, fields: Fields): unknown => {
  const method = path.slice(path.lastIndexOf('/') + 1)
  const answers: Readonly<Record<string, () => unknown>> = {
    '/gmp/getFees': () => fees(method, fields),
    '/gmp/getGasPrice': () => fees(method, fields),
    '/gmp/estimateITSFee': () => ITS_FEE,
    '/gmp/searchGMP': () => findMessages(api.messages, fields),
    '/gmp/estimateTimeSpent': () => [],
    '/gmp/getContracts': () => ({ gateway_contracts: {}, gas_service_contracts: {}, time_spent: 3 }),
    '/gmp/getConfigurations': () => ({ chains: {}, time_spent: 3 }),
    '/token/searchTransfers': () => findTransfers(api.transfers, fields),
    '/api/searchTransfers': () => findTransfers(api.transfers, fields),
    '/axelar/nexus/v1beta1/fee': () => ({
      fee_info: {
        chain: fields['chain'],
        asset: fields['asset'],
        fee_rate: '0.000000000000000000',
        min_fee: '750000',
        max_fee: '5000000000',
      },
    }),
  }
  return answers[path]?.()
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
    await sleep(api.latencyMs)
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
    transfers: [],
    messages: new Map(),
    unserved: new Set(),
    latencyMs: 310,
    isDead: false,
  }
  return api
}
