import {
  addressAt,
  addressWord,
  bytes32Word,
  bytesAt,
  bytesTail,
  stringTail,
  uintAt,
  uintWord,
} from '../../chains/evm/abi-words.ts'
import { EVM_NATIVE_TOKEN } from '../../chains/evm/address.ts'
import { encodeTuple } from '../../protocols/axelar/abi-tuple.ts'
import { foldedName } from '../../protocols/axelar/folded-name.ts'
import { type DeliveredMessage, executeMessageData } from '../../protocols/axelar/gateway-approval.ts'

/** First topics of the router's events. Source: router/ExpressRouter.sol. */
export const SENT_TOPIC = '0x7fde8d006c3388d111f4642e90c296df3c07c06711d507d8814a3a1fcdea89ae'
export const DELIVERED_TOPIC = '0x9b36641fcfb6f8112df8eda295e1c07f9451150ba5d7f8bcdad3fe4b3344c0d4'
export const RETURNED_TOPIC = '0xc050d4fe895d7364097b5ff96abeaebd4a48ce41ab6be3b6771603bff21ac6aa'
export const REFUNDED_TOPIC = '0xc63f6bd5a67183be3dcef4be39eec76093507d185e3d392a1db706aec342fe41'

const SEND = '0x6d427b56'
const GIVE_BACK = '0xc6e5d043'
const SELECTOR_END = 10
const FEE_DIGITS = 6

/** The zero address, for a role without an account. */
export const NOBODY = EVM_NATIVE_TOKEN

/**
 * The order that a sender signs. Seconds, base units, `0x` hex. It has no integrator's fee. Source:
 * contracts/router/ExpressTransfer.sol.
 */
export type ExpressOrder = {
  readonly salt: string
  readonly deadlineSeconds: number
  readonly inputToken: string
  readonly inputAmount: bigint
  readonly inputPath: string
  readonly symbol: string
  readonly minimumBridgeAmount: bigint
  readonly refundAddress: string
  readonly destinationChainId: bigint
  /** Axelar's case-exact name. */
  readonly destinationChain: string
  readonly outputToken: string
  readonly outputPath: string
  readonly minimumAmount: bigint
  readonly recipient: string
  /** May give the transfer back at any time; NOBODY without one. */
  readonly keeper: string
  /** Delivers before anybody else may, until `priorityUntilSeconds`; NOBODY without one. */
  readonly executor: string
  readonly priorityUntilSeconds: number
  /** After this anybody may give the transfer back. */
  readonly returnAfterSeconds: number
}

/** One hop of a swap; `fee` in millionths. */
type PathLeg = {
  readonly pool: { readonly fee: number }
  readonly tokenIn: string
  readonly tokenOut: string
}

const ADDRESS_DIGITS = 40
const POOL_DIGITS = 6 + ADDRESS_DIGITS

/** How many pools a swap's path in Uniswap v3 encoding goes through; 0 for `0x`. */
export const poolsOf = (path: string): number =>
  path === '0x' ? 0 : (path.length - '0x'.length - ADDRESS_DIGITS) / POOL_DIGITS

/** Places among the fields of a transfer. */
const OUTPUT_PATH_FIELD = 10
const EXECUTOR_FIELD = 14
const PRIORITY_FIELD = 15

/** A payload's fields: its struct without the offset before it. */
const fieldsOf = (payload: string): string => `0x${payload.slice(2 + 64)}`

/** How many pools the output of a transfer is swapped through, by its message's payload; undefined for another payload. */
export const poolsOfPayload = (payload: string): number | undefined => {
  const path = bytesAt(fieldsOf(payload), OUTPUT_PATH_FIELD)
  return path === undefined ? undefined : poolsOf(path)
}

/** Who alone delivers a transfer besides its keeper, and until when. An address in lower case; seconds. */
export type DeliveryPriority = { readonly executor: string; readonly untilSeconds: bigint }

/** The priority in a message's payload; undefined for another payload. */
export const priorityOfPayload = (payload: string): DeliveryPriority | undefined => {
  const executor = addressAt(fieldsOf(payload), EXECUTOR_FIELD)
  const untilSeconds = uintAt(fieldsOf(payload), PRIORITY_FIELD)
  return executor === undefined || untilSeconds === undefined ? undefined : { executor, untilSeconds }
}

/** What executing a delivery takes at most, in gas, whether its bridge token is swapped or not. Source: docs/decisions/0062. */
export const executionGas = (pools: number): number => 250_000 + 150_000 * pools

/** A swap's path in Uniswap v3 encoding as `0x` hex: token, three bytes of fee, token; `0x` for no swap. */
export const pathBytes = (legs: readonly PathLeg[]): string => {
  const hops = legs.map(
    ({ pool, tokenOut }) => pool.fee.toString(16).padStart(FEE_DIGITS, '0') + tokenOut.slice(2).toLowerCase(),
  )
  return `0x${legs[0]?.tokenIn.slice(2).toLowerCase() ?? ''}${hops.join('')}`
}

/** A single struct as ABI data: its offset, then its fields. */
const alone = (fields: Parameters<typeof encodeTuple>[0]): string =>
  encodeTuple([{ tail: encodeTuple(fields) }])

/** Calldata of the router's `send`. */
export const sendData = (order: ExpressOrder): string =>
  SEND +
  alone([
    { word: bytes32Word(order.salt) },
    { word: uintWord(BigInt(order.deadlineSeconds)) },
    { word: addressWord(order.inputToken) },
    { word: uintWord(order.inputAmount) },
    { tail: bytesTail(order.inputPath) },
    { tail: stringTail(order.symbol) },
    { word: uintWord(order.minimumBridgeAmount) },
    { word: addressWord(order.refundAddress) },
    { word: uintWord(order.destinationChainId) },
    { tail: stringTail(order.destinationChain) },
    { word: addressWord(order.outputToken) },
    { tail: bytesTail(order.outputPath) },
    { word: uintWord(order.minimumAmount) },
    ...servants(order),
  ])

/** Who is paid, who may deliver and give back, and until when: the last words of an order and of its message. */
const servants = (order: ExpressOrder) => [
  { word: addressWord(order.recipient) },
  { word: addressWord(order.keeper) },
  { word: addressWord(order.executor) },
  { word: uintWord(BigInt(order.priorityUntilSeconds)) },
  { word: uintWord(BigInt(order.returnAfterSeconds)) },
  { word: addressWord(NOBODY) },
  { word: uintWord(0n) },
]

/** The sender and source chain of an order, by its Axelar name too, and the base units of the bridge token that were sent. */
type Sent = {
  readonly sourceChain: string
  readonly sourceChainId: bigint
  readonly sender: string
  readonly amount: bigint
}

/** The message payload of an order as `0x` hex; its hash is the transfer id. */
export const transferPayload = (
  order: ExpressOrder,
  { sourceChain, sourceChainId, sender, amount }: Sent,
): string =>
  `0x${alone([
    { word: bytes32Word(foldedName(sourceChain)) },
    { word: bytes32Word(foldedName(order.destinationChain)) },
    { word: uintWord(sourceChainId) },
    { word: uintWord(order.destinationChainId) },
    { word: addressWord(sender) },
    { word: bytes32Word(order.salt) },
    { word: addressWord(order.refundAddress) },
    { tail: stringTail(order.symbol) },
    { word: uintWord(amount) },
    { word: addressWord(order.outputToken) },
    { tail: bytesTail(order.outputPath) },
    { word: uintWord(order.minimumAmount) },
    ...servants(order),
  ])}`

/** Calldata with which a transfer's message is given back instead of delivered; takes what `execute` takes. */
export const giveBackData = (message: DeliveredMessage): string =>
  GIVE_BACK + executeMessageData(message).slice(SELECTOR_END)

/** A transfer that a router sends to the router of another chain, which has the same address. */
type BridgedOrder = {
  readonly router: string
  readonly order: ExpressOrder
  readonly sent: Sent
}

/**
 * Data of the gateway's `ContractCallWithToken` log that a router emits for a transfer. `0x` hex, lower case.
 * Source: ExpressRouter.sol, `_bridge`.
 */
export const callWithTokenData = ({ router, order, sent }: BridgedOrder): string =>
  `0x${encodeTuple([
    { tail: stringTail(order.destinationChain) },
    { tail: stringTail(router.toLowerCase()) },
    { tail: bytesTail(transferPayload(order, sent)) },
    { tail: stringTail(order.symbol) },
    { word: uintWord(sent.amount) },
  ])}`
