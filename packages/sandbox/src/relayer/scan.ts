import { type GatewayAsset, HUB, type SandboxChain } from '../deployment-types.ts'
import { type ChainGas, feesResult, hopFee, type RelayGas } from './gas.ts'
import { gmpRecord, statusOf } from './gmp-record.ts'
import type { Message } from './message.ts'
import type { RelayHistory } from './relay-history.ts'
import { staticAssets, staticConfig } from './static-config.ts'

/** The fields of the request's query or body. */
export type Parameters = Readonly<Record<string, unknown>>

/** An error answer in the form of the called API. */
export type ScanError = { readonly refused: true; readonly status: number; readonly body: unknown }

/** One method: returns its body or a ScanError. */
export type Method = (parameters: Parameters) => unknown

type ScanDeps = {
  readonly chains: readonly SandboxChain[]
  readonly history: RelayHistory
  readonly gas: RelayGas
  readonly assets: readonly GatewayAsset[]
  readonly relayerAddress: string
  readonly expressTxHashOf: (messageId: string) => string | undefined
}

const DEFAULT_SIZE = 25
const LARGEST_SIZE = 100

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? `${value}` : undefined

const wholeOf = (value: unknown, fallback: number): number => {
  const text = textOf(value)
  return text !== undefined && /^[0-9]{1,9}$/.test(text) ? Number(text) : fallback
}

/** A parameter that is missing, or that a client wrote as the text `undefined`, matches everything. */
const same = (wanted: unknown, actual: string): boolean => {
  const text = textOf(wanted)?.toLowerCase()
  return text === undefined || text === 'undefined' || text === actual.toLowerCase()
}

const page = <Item>(items: readonly Item[], parameters: Parameters): readonly Item[] => {
  const from = wholeOf(parameters['from'], 0)
  return items.slice(from, from + Math.min(LARGEST_SIZE, wholeOf(parameters['size'], DEFAULT_SIZE)))
}

const candidates = ({ messages }: RelayHistory, parameters: Parameters): readonly Message[] => {
  const id = textOf(parameters['messageId'])
  if (id !== undefined)
    return [messages.get(id) ?? messages.get(id.toLowerCase())].flatMap((message) => message ?? [])
  const key = textOf(parameters['txHash']) ?? textOf(parameters['commandId'])
  return key === undefined ? [...messages.all()].reverse() : messages.find(key.toLowerCase())
}

const fits = (message: Message, parameters: Parameters): boolean =>
  same(parameters['messageId'], message.id) &&
  same(parameters['txHash'], message.call.landing.txHash) &&
  same(parameters['txLogIndex'], `${message.call.logIndex}`) &&
  same(parameters['commandId'], message.commandId) &&
  same(parameters['sourceChain'], message.call.source) &&
  same(parameters['destinationChain'], message.call.destination) &&
  same(parameters['sourceAddress'], message.call.sender) &&
  same(parameters['contractAddress'], message.call.destinationAddress) &&
  same(parameters['senderAddress'], message.call.from) &&
  same(parameters['status'], statusOf(message))

const searchGmp =
  (deps: ScanDeps): Method =>
  (parameters) => {
    const found = candidates(deps.history, parameters).filter((message) => fits(message, parameters))
    return {
      data: page(found, parameters).map((message) => gmpRecord(message, deps)),
      total: found.length,
      time_spent: 0,
    }
  }

const refusal = (body: unknown): ScanError => ({ refused: true, status: 400, body })

const named = (gas: RelayGas, name: unknown): ChainGas | undefined => {
  const text = textOf(name)?.toLowerCase()
  const key = Object.keys(gas).find((candidate) => candidate.toLowerCase() === text)
  return key === undefined ? undefined : gas[key]
}

/** A method whose parameters name a pair of chains. */
const forPair =
  (
    gas: RelayGas,
    answer: (source: ChainGas, destination: ChainGas, parameters: Parameters) => unknown,
  ): Method =>
  (parameters) => {
    const source = named(gas, parameters['sourceChain'])
    const destination = named(gas, parameters['destinationChain'])
    if (source === undefined || destination === undefined)
      return refusal({ error: true, message: 'sourceChain or destinationChain is unknown' })
    return answer(source, destination, parameters)
  }

const gasLimitOf = (parameters: Parameters): bigint | undefined => {
  const text = textOf(parameters['gasLimit'])
  return text !== undefined && /^[0-9]{1,18}$/.test(text) ? BigInt(text) : undefined
}

const feeAnswer = (baseFee: bigint, executionFee: bigint, parameters: Parameters) => {
  const totalFee = baseFee + executionFee
  if (`${parameters['showDetailedFees']}` !== 'true') return `${totalFee}`
  return {
    isExpressSupported: false,
    baseFee: `${baseFee}`,
    expressFee: '0',
    executionFee: `${executionFee}`,
    executionFeeWithMultiplier: `${executionFee}`,
    totalFee: `${totalFee}`,
    details: [],
  }
}

const estimateItsFee = (gas: RelayGas): Method =>
  forPair(gas, (source, destination, parameters) => {
    const hub = gas[HUB.chain]
    if (hub === undefined) return refusal({ error: true, message: `${HUB.chain} has no gas data` })
    const first = hopFee(source, hub)
    const second = hopFee(source, destination, gasLimitOf(parameters))
    return feeAnswer(first.baseFee + second.baseFee, first.executionFee + second.executionFee, parameters)
  })

const LARGEST_HOPS = 10

/** The sum of several hops, each paid in the native token of the first source. */
const estimateHops =
  (gas: RelayGas): Method =>
  (parameters) => {
    const { params } = parameters
    if (!Array.isArray(params) || params.length === 0 || params.length > LARGEST_HOPS)
      return refusal({ error: true, message: `params: expected 1 to ${LARGEST_HOPS} hops` })
    const hops = params.map((hop): Parameters => (typeof hop === 'object' && hop !== null ? hop : {}))
    const payer = named(gas, hops[0]?.['sourceChain'])
    const destinations = hops.map(({ destinationChain }) => named(gas, destinationChain))
    if (payer === undefined || destinations.includes(undefined))
      return refusal({ error: true, message: 'sourceChain or destinationChain is unknown' })
    const fees = destinations.flatMap((destination, position) =>
      destination === undefined ? [] : [hopFee(payer, destination, gasLimitOf(hops[position] ?? {}))],
    )
    return feeAnswer(
      fees.reduce((sum, { baseFee }) => sum + baseFee, 0n),
      fees.reduce((sum, { executionFee }) => sum + executionFee, 0n),
      parameters,
    )
  }

const estimateTimeSpent =
  ({ history }: ScanDeps): Method =>
  (parameters) => {
    const source = textOf(parameters['sourceChain'])?.toLowerCase() ?? ''
    const destination = textOf(parameters['destinationChain'])?.toLowerCase() ?? ''
    const totals: number[] = []
    for (const { call, executed } of history.messages.all())
      if (executed !== null && same(source, call.source) && same(destination, call.destination))
        totals.push(Math.max(0, executed.timestampSeconds - call.landing.timestampSeconds))
    const mean = totals.length === 0 ? 3 : totals.reduce((sum, total) => sum + total, 0) / totals.length
    const record = { confirm: mean / 2, approve: mean / 4, execute: mean / 4, total: mean }
    return [{ key: `${source}_${destination}`, num_txs: totals.length, ...record }]
  }

/** Axelar's contracts by chain, as Axelarscan names chains. */
const contractsOf = (chains: ScanDeps['chains']) => {
  const byChain = (addressOf: (chain: ScanDeps['chains'][number]) => string) =>
    Object.fromEntries(chains.map((chain) => [chain.axelarName.toLowerCase(), { address: addressOf(chain) }]))
  return {
    gateway_contracts: byChain(({ gateway }) => gateway),
    gas_service_contracts: byChain(({ gasService }) => gasService),
  }
}

/** Axelarscan's former host takes the method's name as a parameter. Source: axelarjs-sdk 0.17. */
const byName =
  (methods: ReadonlyMap<string, Method>): Method =>
  ({ method, ...parameters }) =>
    methods.get(`/gmp/${textOf(method)}`)?.(parameters) ??
    refusal({ error: true, message: 'method not found' })

/**
 * All methods by path: Axelarscan's, those of Axelar's REST node that the service calls, and the static files that
 * axelarjs-sdk reads.
 */
export const scanMethods = (deps: ScanDeps): ReadonlyMap<string, Method> => {
  const { gas, assets } = deps
  const fees = (method: string): Method =>
    forPair(gas, (source, destination, parameters) => ({
      method,
      params: parameters,
      result: feesResult(source, destination),
      time_spent: 0,
    }))
  const methods = new Map<string, Method>([
    ['/gmp/searchGMP', searchGmp(deps)],
    ['/gmp/getFees', fees('getFees')],
    ['/gmp/getGasPrice', fees('getGasPrice')],
    [
      '/gmp/estimateGasFee',
      forPair(gas, (source, destination, parameters) => {
        const fee = hopFee(source, destination, gasLimitOf(parameters))
        return feeAnswer(fee.baseFee, fee.executionFee, parameters)
      }),
    ],
    ['/gmp/estimateITSFee', estimateItsFee(gas)],
    ['/gmp/estimateGasFeeForNHops', estimateHops(gas)],
    ['/gmp/estimateTimeSpent', estimateTimeSpent(deps)],
    ['/gmp/getContracts', () => ({ ...contractsOf(deps.chains), time_spent: 0 })],
    [
      '/gmp/getConfigurations',
      () => ({ ...contractsOf(deps.chains), chains: Object.keys(gas), time_spent: 0 }),
    ],
    ['/cosmos/base/tendermint/v1beta1/node_info', () => ({ application_version: { version: '1.5.0' } })],
    ['/configs/testnet-config-1.x.json', () => staticConfig(deps.chains, assets)],
    ['/testnet-asset-config.json', () => staticAssets(assets)],
  ])
  return new Map([...methods, ['/', byName(methods)]])
}
