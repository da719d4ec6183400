import { parseEventLogs, type TransactionReceipt } from 'viem'
import type { Hex, SandboxChain } from '../deployment-types.ts'
import { GAS_SERVICE_ABI, GATEWAY_ABI } from './abi.ts'
import type { GasPayment, Landing, MessageCall } from './message.ts'

/** Gas added for an earlier message; callers use either meaning of `logIndex`. */
export type GasAddition = {
  readonly payment: GasPayment
  readonly messageTxHash: Hex
  readonly logIndex: number
}

/** The relay-relevant events of one transaction, in log order. */
export type ReceiptEvents = {
  readonly calls: readonly { readonly call: MessageCall; readonly payments: readonly GasPayment[] }[]
  readonly additions: readonly GasAddition[]
}

type Positioned<Event> = { readonly event: Event; readonly eventIndex: number }

const gatewayEvents = (receipt: TransactionReceipt, gateway: Hex) =>
  receipt.logs.flatMap((log, eventIndex) =>
    log.address.toLowerCase() === gateway.toLowerCase()
      ? parseEventLogs({ abi: GATEWAY_ABI, logs: [log] }).map((event) => ({ event, eventIndex }))
      : [],
  )

const gasEvents = (receipt: TransactionReceipt, gasService: Hex) =>
  receipt.logs.flatMap((log, eventIndex) =>
    log.address.toLowerCase() === gasService.toLowerCase()
      ? parseEventLogs({ abi: GAS_SERVICE_ABI, logs: [log] }).map((event) => ({ event, eventIndex }))
      : [],
  )

type GatewayEvent = ReturnType<typeof gatewayEvents>[number]['event']
type CallEvent = Extract<GatewayEvent, { eventName: 'ContractCall' | 'ContractCallWithToken' }>
type GasEvent = ReturnType<typeof gasEvents>[number]['event']
type PaidEvent = Exclude<GasEvent, { eventName: 'NativeGasAdded' }>

const isCall = (found: Positioned<GatewayEvent>): found is Positioned<CallEvent> =>
  found.event.eventName === 'ContractCall' || found.event.eventName === 'ContractCallWithToken'

const isPaid = (found: Positioned<GasEvent>): found is Positioned<PaidEvent> =>
  found.event.eventName !== 'NativeGasAdded'

const toCall = (
  chain: SandboxChain,
  receipt: TransactionReceipt,
  landing: Landing,
  { event, eventIndex }: Positioned<CallEvent>,
): MessageCall => ({
  event: event.eventName,
  source: chain.axelarName,
  landing,
  transactionIndex: receipt.transactionIndex,
  logIndex: event.logIndex ?? eventIndex,
  eventIndex,
  from: receipt.from,
  contract: chain.gateway,
  sender: event.args.sender,
  destination: event.args.destinationChain,
  destinationAddress: event.args.destinationContractAddress,
  payload: event.args.payload,
  payloadHash: event.args.payloadHash,
  ...(event.eventName === 'ContractCallWithToken'
    ? { token: { symbol: event.args.symbol, amount: event.args.amount } }
    : {}),
})

/** Whether a payment is for the call. Source: AxelarGasService, which emits payments before their calls. */
const paysFor = ({ args }: PaidEvent, call: MessageCall): boolean =>
  args.sourceAddress === call.sender &&
  args.destinationChain === call.destination &&
  args.destinationAddress === call.destinationAddress &&
  args.payloadHash === call.payloadHash

const toPayment = (
  landing: Landing,
  found: Positioned<{ eventName: string; args: { gasFeeAmount: bigint; refundAddress: string } }>,
): GasPayment => ({
  id: `${landing.txHash}-${found.eventIndex}`,
  txHash: landing.txHash,
  blockNumber: landing.blockNumber,
  amount: found.event.args.gasFeeAmount,
  refundAddress: found.event.args.refundAddress,
  isExpress: found.event.eventName.startsWith('NativeGasPaidForExpress'),
})

/** Reads a transaction's gateway and gas service events; each payment is matched with one call. */
export const readReceipt = (
  chain: SandboxChain,
  receipt: TransactionReceipt,
  timestampSeconds: number,
): ReceiptEvents => {
  const landing = { txHash: receipt.transactionHash, blockNumber: receipt.blockNumber, timestampSeconds }
  const ofGateway = gatewayEvents(receipt, chain.gateway)
  const ofGasService = gasEvents(receipt, chain.gasService)
  const unused = ofGasService.filter(isPaid)
  const calls = ofGateway.filter(isCall).map((found) => {
    const call = toCall(chain, receipt, landing, found)
    const position = unused.findIndex((paid) => paysFor(paid.event, call))
    const paid = position === -1 ? [] : unused.splice(position, 1)
    return { call, payments: paid.map((payment) => toPayment(landing, payment)) }
  })
  const additions = ofGasService.flatMap(({ event, eventIndex }) =>
    event.eventName === 'NativeGasAdded'
      ? {
          payment: toPayment(landing, { event, eventIndex }),
          messageTxHash: event.args.txHash,
          logIndex: Number(event.args.logIndex),
        }
      : [],
  )
  return { calls, additions }
}
