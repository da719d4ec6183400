import type { ChainId } from '@openrfq/sdk'
import { addressAt, addressTopic, bytesAt, uintAt } from '../../../chains/evm/abi-words.ts'
import type { EvmLog, EvmReceipt, WatchedLog } from '../../../chains/evm/evm-chain.ts'
import { keccakHex } from '../../../chains/evm/keccak.ts'
import { isSameAddress } from '../../../core/comparable-address.ts'
import { commandIdOf } from '../../../protocols/axelar/command-id.ts'
import type { DeliveredMessage } from '../../../protocols/axelar/gateway-approval.ts'
import { CONTRACT_CALL_WITH_TOKEN_TOPIC } from '../../../protocols/axelar/gateway-contract.ts'
import {
  type DeliveryPriority,
  poolsOfPayload,
  priorityOfPayload,
  SENT_TOPIC,
} from '../../router/express-contract.ts'
import { gasPaidFor, isDataTo } from '../../router/gas-paid.ts'
import type { BridgeSide } from '../../router/routes.ts'

/** A router's `Sent` event: a transfer on its way, as one endpoint tells it. Base units, lower-case hex. */
export type SentTransfer = {
  readonly sourceChain: ChainId
  readonly transferId: string
  readonly txHash: string
  readonly blockNumber: bigint
  readonly destinationNumber: bigint
  readonly bridgeToken: string
  readonly amount: bigint
}

/** Reads a router's log; undefined for another one. */
export const readSent = (sourceChain: ChainId, log: WatchedLog): SentTransfer | undefined => {
  const [topic, transferId, , destination] = log.topics
  const [bridgeToken, amount] = [addressAt(log.data, 2), uintAt(log.data, 3)]
  if (topic !== SENT_TOPIC || transferId === undefined || destination === undefined) return undefined
  if (bridgeToken === undefined || amount === undefined) return undefined
  const { txHash, blockNumber } = log
  const destinationNumber = BigInt(destination)
  return { sourceChain, transferId, txHash, blockNumber, destinationNumber, bridgeToken, amount }
}

/** A message that a receipt proves, as its destination's gateway will approve it. */
export type SentMessage = Pick<SentTransfer, 'transferId'> & {
  readonly messageId: string
  readonly message: DeliveredMessage & { readonly token: NonNullable<DeliveredMessage['token']> }
  /** What its sender paid for the relay, in wei of the source. */
  readonly paid: bigint
  /** How many pools its output is swapped through. */
  readonly pools: number
  readonly priority: DeliveryPriority
}

/** First topic of the gas service's event. Source: AxelarGasService, NativeGasPaidForExpressCallWithToken. */
const GAS_PAID_TOPIC = '0x8c092067e86e85e8cfbaf187202ef580cdfd7ec37fbec89191607de73ca80005'
/** Where the gateway's event has the symbol. */
const SYMBOL_WORD = 3

const isOf = (log: EvmLog, emitter: string, topic: string, router: string, transferId: string): boolean =>
  isSameAddress(log.address, emitter) &&
  log.topics[0] === topic &&
  log.topics[1] === addressTopic(router) &&
  log.topics[2] === transferId

/** A direction between two sides of one bridge token. */
export type Direction = { readonly from: BridgeSide; readonly to: BridgeSide }

/** A transfer in a direction that the executor serves. */
export type ServedTransfer = SentTransfer & { readonly direction: Direction }

/**
 * The message of a transfer in the receipt of its transaction; undefined unless the gateway tells exactly one call of the router
 * with that payload, to the router of the destination, and with the token and amount that the router told.
 */
export const messageIn = (
  receipt: EvmReceipt,
  { from, to }: Direction,
  { transferId, amount }: Pick<SentTransfer, 'transferId' | 'amount'>,
): SentMessage | undefined => {
  const target = { chain: to.axelarName, contract: to.router, symbol: from.symbol, amount }
  const positions = receipt.logs.flatMap((log, position) =>
    isOf(log, from.gateway, CONTRACT_CALL_WITH_TOKEN_TOPIC, from.router, transferId) ? [position] : [],
  )
  const [position] = positions
  const data = position === undefined ? undefined : receipt.logs[position]?.data
  if (!receipt.succeeded || positions.length !== 1 || position === undefined || data === undefined)
    return undefined
  const payload = bytesAt(data, 2)
  if (payload === undefined || `0x${keccakHex(Buffer.from(payload.slice(2), 'hex'))}` !== transferId)
    return undefined
  if (!isDataTo(data, SYMBOL_WORD, target)) return undefined
  const [pools, priority] = [poolsOfPayload(payload), priorityOfPayload(payload)]
  if (pools === undefined || priority === undefined) return undefined
  const messageId = `${receipt.txHash}-${position}`
  return {
    transferId,
    messageId,
    message: {
      commandId: commandIdOf(messageId, to.chainNumber),
      sourceChain: from.axelarName,
      // As Axelar writes the sender: the executor is repaid for exactly this text.
      sourceAddress: from.router,
      contract: to.router,
      payload,
      token: { symbol: to.symbol, amount },
    },
    paid: gasPaidFor(receipt, {
      ...{ gasService: from.gasService, topic: GAS_PAID_TOPIC, router: from.router },
      ...{ payloadHash: transferId, target },
    }),
    pools,
    priority,
  }
}
