import { addressWord, bytes32Word, bytesTail, stringTail, uintWord } from '../../chains/evm/abi-words.ts'
import { encodeTuple } from '../../protocols/axelar/abi-tuple.ts'

/** First topics of the router's events. Source: ExpressRouter.sol. */
export const DELIVERED_TOPIC = '0x9b36641fcfb6f8112df8eda295e1c07f9451150ba5d7f8bcdad3fe4b3344c0d4'
export const RETURNED_TOPIC = '0x04d5572c3fc7aea952a82e69cece83d9d5ca701ddde4fba0109684fd8a7daa87'
export const REFUNDED_TOPIC = '0xc63f6bd5a67183be3dcef4be39eec76093507d185e3d392a1db706aec342fe41'

const SEND = '0x4c2f800f'
const FEE_DIGITS = 6

/** The order that a sender signs. Seconds, base units, `0x` hex. Source: contracts/express/ExpressTransfer.sol. */
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
  readonly outputToken: string
  readonly outputPath: string
  readonly minimumAmount: bigint
  readonly recipient: string
  readonly deliveryGas: number
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
    { word: addressWord(order.outputToken) },
    { tail: bytesTail(order.outputPath) },
    { word: uintWord(order.minimumAmount) },
    { word: addressWord(order.recipient) },
    { word: uintWord(BigInt(order.deliveryGas)) },
  ])

/** The sender and source chain of an order, and the base units of the bridge token that were sent. */
type Sent = { readonly sourceChainId: bigint; readonly sender: string; readonly amount: bigint }

/** The message payload of an order as `0x` hex; its hash is the transfer id. */
export const transferPayload = (order: ExpressOrder, { sourceChainId, sender, amount }: Sent): string =>
  `0x${alone([
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
    { word: addressWord(order.recipient) },
    { word: uintWord(BigInt(order.deliveryGas)) },
  ])}`

/** A transfer that a router sends to the router of another chain, by its Axelar name. */
type BridgedOrder = {
  readonly destinationChain: string
  /** The receiving router. */
  readonly router: string
  readonly order: ExpressOrder
  readonly sent: Sent
}

/**
 * Data of the gateway's `ContractCallWithToken` log that a router emits for a transfer. `0x` hex, lower case.
 * Source: ExpressRouter.sol, `_bridge`.
 */
export const callWithTokenData = ({ destinationChain, router, order, sent }: BridgedOrder): string =>
  `0x${encodeTuple([
    { tail: stringTail(destinationChain) },
    { tail: stringTail(router.toLowerCase()) },
    { tail: bytesTail(transferPayload(order, sent)) },
    { tail: stringTail(order.symbol) },
    { word: uintWord(sent.amount) },
  ])}`
